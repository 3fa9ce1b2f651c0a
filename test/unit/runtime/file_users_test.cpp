// SPDX-License-Identifier: Apache-2.0
// Which files are mapped by nobody else, with files in memory and a child that maps one.
#include <signal.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>
#include <sys/wait.h>
#include <unistd.h>
#include <catch2/catch.hpp>

#include <algorithm>
#include <memory>
#include <set>
#include <vector>

#include "base/owned.h"
#include "runtime/late/unused_files.h"
#include "runtime/user/file_users.h"
#include "test/unit/runtime/kernel_lacks.h"

using namespace dtrace;
using namespace dtrace::runtime;

namespace {

Fd make_file() {
  Fd file(memfd_create("users", MFD_CLOEXEC));
  REQUIRE(file);
  REQUIRE(ftruncate(file.get(), 1 << 20) == 0);
  return file;
}

/// A child that has the file mapped until it is ended.
class Mapper {
 public:
  explicit Mapper(int file) {
    int ready[2];
    REQUIRE(pipe(ready) == 0);
    pid_ = fork();
    if (pid_ == 0) {
      const bool is_mapped = mmap(nullptr, 4096, PROT_READ, MAP_PRIVATE, file, 1 << 16) != MAP_FAILED;
      (void)!write(ready[1], is_mapped ? "y" : "n", 1);
      for (;;) pause();
    }
    char answer = 0;
    REQUIRE(read(ready[0], &answer, 1) == 1);
    REQUIRE(answer == 'y');
    close(ready[0]);
    close(ready[1]);
  }
  ~Mapper() { end(); }
  void end() {
    if (pid_ <= 0) return;
    kill(pid_, SIGKILL);
    waitpid(std::exchange(pid_, 0), nullptr, 0);
  }

 private:
  pid_t pid_ = 0;
};

Result<std::set<uintptr_t>> mappings_of_unused() {
  static Result<FileUsers> users = FileUsers::open();
  if (!users) return Error(users.error().text());
  return users->mappings_of_unused();
}

uintptr_t address(const Mapping &mapping) { return reinterpret_cast<uintptr_t>(mapping.data()); }

}  // namespace

TEST_CASE("file users: a mapping of a child, of ours, and none", "[file_users]") {
  SKIP_WITHOUT(kBpf);
  const Fd file = make_file(), other = make_file();
  Mapper child(file.get());
  const Mapping page = map_for_users(file.get()), alone = map_for_users(other.get());
  REQUIRE(page);
  Result<std::set<uintptr_t>> only = mappings_of_unused();
  REQUIRE(only);
  CHECK_FALSE(only->contains(address(page)));
  CHECK(only->contains(address(alone)));
  child.end();
  only = mappings_of_unused();
  REQUIRE(only);
  CHECK(only->contains(address(page)));
  // That of another tracer.
  const Mapping second = map_for_users(file.get());
  only = mappings_of_unused();
  REQUIRE(only);
  CHECK(only->contains(address(page)));
  CHECK(only->contains(address(second)));
}

namespace {

/// A process that reads /proc/PID keeps the mappings of a process that has ended for a moment.
bool is_soon_unused(const Mapping &page) {
  for (int i = 0; i < 500; ++i) {
    if (mappings_of_unused()->contains(address(page))) return true;
    usleep(10'000);
  }
  return false;
}

}  // namespace

TEST_CASE("file users: one program among many tracers, and many programs", "[file_users]") {
  SKIP_WITHOUT(kBpf);
  const Fd file = make_file();
  const Mapping page = map_for_users(file.get());
  std::vector<Mapping> tracers;
  for (int i = 0; i < 30; ++i) tracers.push_back(map_for_users(file.get()));
  CHECK(mappings_of_unused()->contains(address(page)));
  {
    Mapper child(file.get());
    CHECK_FALSE(mappings_of_unused()->contains(address(page)));
  }
  CHECK(is_soon_unused(page));
  std::vector<std::unique_ptr<Mapper>> children;
  for (int i = 0; i < 100; ++i) children.push_back(std::make_unique<Mapper>(file.get()));
  CHECK_FALSE(mappings_of_unused()->contains(address(page)));
  children.clear();
  CHECK(is_soon_unused(page));
}

TEST_CASE("file users: more mappings than one read gives", "[file_users]") {
  SKIP_WITHOUT(kBpf);
  constexpr size_t kMany = 5000;
  std::vector<Mapping> pages;
  for (size_t i = 0; i < kMany; ++i) pages.push_back(map_for_users(make_file().get()));
  const Result<std::set<uintptr_t>> only = mappings_of_unused();
  REQUIRE(only);
  CHECK(std::ranges::all_of(pages, [&](const Mapping &page) { return only->contains(address(page)); }));
}

TEST_CASE("file users: a deleted file is found at the second look, and not while it is mapped", "[file_users]") {
  SKIP_WITHOUT(kBpf);
  constexpr uint64_t kSecond = 1'000'000'000;
  const auto open_twice = [](int fd) {
    auto file = std::make_shared<UserFile>();
    file->fd = Fd(dup(fd));
    return file;
  };
  const Fd memory = make_file();
  const std::shared_ptr<const UserFile> file = open_twice(memory.get()), again = open_twice(memory.get());
  UnusedFiles unused;
  {
    Mapper child(memory.get());
    unused.add(file);
    unused.add(again);  // by another provider: one mapping of ours
    CHECK(unused.find(10 * kSecond).empty());
    CHECK(unused.find(20 * kSecond).empty());
  }
  CHECK(unused.find(21 * kSecond).empty());  // too soon to look
  CHECK(unused.find(30 * kSecond).empty());
  CHECK(unused.find(40 * kSecond) == std::set<const UserFile *>{file.get(), again.get()});
  unused.forget({file.get()});
  CHECK(unused.find(50 * kSecond) == std::set<const UserFile *>{again.get()});
  unused.forget({again.get()});
  CHECK(unused.find(60 * kSecond).empty());
}

TEST_CASE("file users: a file that has a name is not deleted", "[file_users]") {
  SKIP_WITHOUT(kBpf);
  char path[] = "/tmp/dtrace-file-users.XXXXXX";
  auto file = std::make_shared<UserFile>();
  file->fd = Fd(mkstemp(path));
  REQUIRE(file->fd);
  REQUIRE(ftruncate(file->fd.get(), 4096) == 0);
  UnusedFiles unused;
  unused.add(file);
  for (const uint64_t seconds : {10, 20, 30}) CHECK(unused.find(seconds * 1'000'000'000).empty());
  unlink(path);
  CHECK(unused.find(40'000'000'000).empty());
  CHECK(unused.find(50'000'000'000) == std::set<const UserFile *>{file.get()});
}

namespace {

/// A file on the file system for shared memory, of which nobody executes anything.
class SharedMemoryFile {
 public:
  SharedMemoryFile() : file_(std::make_shared<UserFile>()) {
    file_->fd = Fd(mkstemp(path_));
    if (file_->fd) (void)!ftruncate(file_->fd.get(), 1 << 20);
  }
  ~SharedMemoryFile() { unlink(path_); }
  const std::shared_ptr<UserFile> &file() const { return file_; }

 private:
  char path_[32] = "/dev/shm/dtrace-users.XXXXXX";
  std::shared_ptr<UserFile> file_;
};

}  // namespace

TEST_CASE("file users: a file on a file system of which nobody executes anything loses its probes", "[file_users]") {
  SKIP_WITHOUT(kBpf);
  const SharedMemoryFile shared, other;
  struct stat own{}, memory{};
  if (!shared.file()->fd || fstat(shared.file()->fd.get(), &memory) != 0 || stat("/proc/self/exe", &own) != 0 ||
      own.st_dev == memory.st_dev || executed_devices().contains({major(memory.st_dev), minor(memory.st_dev)})) {
    WARN("skipped: /dev/shm is no file system of its own, or somebody executes files of it");
    return;
  }
  constexpr uint64_t kSecond = 1'000'000'000;
  UnusedFiles unused;
  unused.add(shared.file());
  CHECK(unused.find(10 * kSecond).empty());
  CHECK(unused.find(20 * kSecond) == std::set<const UserFile *>{shared.file().get()});
  unused.forget({shared.file().get()});
  CHECK_FALSE(shared.file()->fd);  // also for those who still refer to it
  const void *code = mmap(nullptr, 4096, PROT_READ | PROT_EXEC, MAP_PRIVATE, other.file()->fd.get(), 0);
  if (code == MAP_FAILED) {
    WARN("skipped: /dev/shm does not allow to execute files");
    return;
  }
  // Our own mapping counts: the file system is busy because of it, too.
  const SharedMemoryFile again;
  UnusedFiles kept;
  kept.add(again.file());
  for (const uint64_t seconds : {10, 20, 30, 40}) CHECK(kept.find(seconds * kSecond).empty());
  munmap(const_cast<void *>(code), 4096);
}
