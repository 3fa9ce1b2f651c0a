// SPDX-License-Identifier: Apache-2.0
// The cache of compiled programs as files: what is used, what is refused, and what is removed.
#include "runtime/store/object_files.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <catch2/catch.hpp>
#include <chrono>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <sstream>

using namespace dtrace;
using namespace dtrace::runtime;
namespace fs = std::filesystem;

namespace {

/// A folder for the test, below one that only root writes to; that is in one where others cannot rename it.
class Folder {
 public:
  Folder() {
    std::string name = (fs::temp_directory_path() / "dt_objects_XXXXXX").string();
    REQUIRE(::mkdtemp(name.data()) != nullptr);
    top_ = name;
  }
  ~Folder() { fs::remove_all(top_); }
  std::string path() const { return top_ + "/cache"; }
  const std::string &top() const { return top_; }
  std::unique_ptr<ObjectFiles> open(ObjectFiles::Bounds bounds = {}) const {
    Result<std::unique_ptr<ObjectFiles>> opened = ObjectFiles::open(path(), "test", bounds);
    CAPTURE(opened ? "" : opened.error().text());
    REQUIRE(opened);
    return std::move(*opened);
  }
  std::string why_not() const {
    const Result<std::unique_ptr<ObjectFiles>> opened = ObjectFiles::open(path(), "test");
    return opened ? "" : opened.error().text();
  }
  /// Time passes for all files in it. Their clock is coarse: what is written in one test has the same time otherwise.
  void age() const {
    for (const fs::path &file : files())
      fs::last_write_time(file, fs::last_write_time(file) - std::chrono::seconds(10));
  }
  std::vector<fs::path> files() const {
    std::vector<fs::path> all;
    for (const fs::directory_entry &entry : fs::directory_iterator(path())) all.push_back(entry.path());
    std::sort(all.begin(), all.end());
    return all;
  }

 private:
  std::string top_;
};

ObjectKey key(uint8_t first, uint8_t last = 0) {
  ObjectKey key{};
  key.front() = first;
  key.back() = last;
  return key;
}

std::string content(const fs::path &path) {
  std::ostringstream text;
  text << std::ifstream(path, std::ios::binary).rdbuf();
  return text.str();
}

/// qemu-user has the root folder of its libraries for "/", and ours for what that lacks.
bool sees_one_root() {
  const int root = open("/", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  const std::string folder = fs::temp_directory_path().relative_path().string();
  const bool is_there = faccessat(root, folder.c_str(), F_OK, 0) == 0;
  close(root);
  return is_there;
}

bool may_run() {
  if (geteuid() != 0) {
    WARN("skipped: needs root");
    return false;
  }
  if (!sees_one_root()) WARN("skipped: the temporary folder is not below the root folder, under qemu-user for one");
  return sees_one_root();
}

}  // namespace

TEST_CASE("an object is found as it was kept, by its key", "[store]") {
  if (!may_run()) return;
  const Folder folder;
  const std::string entry("one\0two", 7);
  folder.open()->keep(key(1), entry);
  const auto again = folder.open();
  CHECK(again->find(key(1)) == entry);
  CHECK(again->find(key(2)) == std::nullopt);
  struct stat status{};
  REQUIRE(stat(folder.path().c_str(), &status) == 0);
  CHECK((status.st_mode & 07777) == 0700);
  REQUIRE(folder.files().size() == 1);
  REQUIRE(stat(folder.files()[0].c_str(), &status) == 0);
  CHECK((status.st_mode & 07777) == 0600);
}

TEST_CASE("a file that is damaged, cut or foreign is not used", "[store]") {
  if (!may_run()) return;
  const Folder folder;
  const auto store = folder.open();
  const std::string entry(1000, 'e');
  store->keep(key(1), entry);
  const fs::path file = folder.files().at(0);
  const std::string good = content(file);
  const auto with = [&](const std::string &bytes) {
    std::ofstream(file, std::ios::binary | std::ios::trunc) << bytes;
    return store->find(key(1));
  };
  for (size_t at = 0; at < good.size(); at += 7) {
    std::string bad = good;
    bad[at] = static_cast<char>(bad[at] ^ 0x10);
    CAPTURE(at);
    CHECK(with(bad) == std::nullopt);
  }
  for (size_t size = 0; size < good.size(); size += 41) CHECK(with(good.substr(0, size)) == std::nullopt);
  CHECK(with(good + "more") == std::nullopt);
  CHECK(with(good) == entry);
  // Under another's name.
  store->keep(key(2), "other");
  fs::copy_file(file, folder.files().at(1), fs::copy_options::overwrite_existing);
  CHECK(store->find(key(2)) == std::nullopt);
}

TEST_CASE("what another user may have written is not used", "[store]") {
  if (!may_run()) return;
  const Folder folder;
  folder.open()->keep(key(1), "entry");
  const fs::path file = folder.files().at(0);
  SECTION("a file of another user") {
    REQUIRE(chown(file.c_str(), 65534, 0) == 0);
    CHECK(folder.open()->find(key(1)) == std::nullopt);
  }
  SECTION("a file that others may write to") {
    REQUIRE(chmod(file.c_str(), 0606) == 0);
    CHECK(folder.open()->find(key(1)) == std::nullopt);
    REQUIRE(chmod(file.c_str(), 0660) == 0);
    CHECK(folder.open()->find(key(1)) == std::nullopt);
  }
  SECTION("a link in place of a file") {
    fs::rename(file, folder.top() + "/elsewhere");
    fs::create_symlink(folder.top() + "/elsewhere", file);
    CHECK(folder.open()->find(key(1)) == std::nullopt);
  }
  SECTION("a folder of another user") {
    REQUIRE(chown(folder.path().c_str(), 65534, 0) == 0);
    CHECK(folder.why_not() == folder.path() + " can be written by others than root");
  }
  SECTION("a folder that others may write to") {
    REQUIRE(chmod(folder.path().c_str(), 0777) == 0);
    CHECK(folder.why_not() == folder.path() + " can be written by others than root");
    REQUIRE(chmod(folder.path().c_str(), 01777) == 0);
    CHECK(folder.why_not() == folder.path() + " can be written by others than root");
  }
  SECTION("a folder above it that others may write to") {
    REQUIRE(chmod(folder.top().c_str(), 0777) == 0);
    CHECK(folder.why_not() == folder.top() + " can be written by others than root");
    REQUIRE(chown(folder.top().c_str(), 65534, 0) == 0);
    REQUIRE(chmod(folder.top().c_str(), 0700) == 0);
    CHECK(folder.why_not() == folder.top() + " can be written by others than root");
  }
  SECTION("a link in place of the folder") {
    fs::rename(folder.path(), folder.top() + "/elsewhere");
    fs::create_directory_symlink(folder.top() + "/elsewhere", folder.path());
    CHECK_FALSE(folder.why_not().empty());
  }
}

TEST_CASE("only root keeps objects, in an absolute path, for a build that has an ID", "[store]") {
  if (!may_run()) return;
  const Folder folder;
  CHECK(ObjectFiles::open("cache", "test").error().text() == "cache is not an absolute path");
  CHECK(ObjectFiles::open(folder.path(), "").error().text() == "this dtrace was linked without a build ID");
  const pid_t child = fork();
  if (child == 0) {
    if (setuid(65534) != 0) _exit(2);
    _exit(folder.why_not() == "only root keeps compiled programs" ? 0 : 1);
  }
  int status = 0;
  REQUIRE(waitpid(child, &status, 0) == child);
  CHECK(status == 0);
}

TEST_CASE("what was not used for longest is removed", "[store]") {
  if (!may_run()) return;
  const Folder folder;
  const auto store = folder.open({.files = 3, .total_bytes = 1 << 20, .entry_bytes = 1 << 16});
  for (uint8_t i = 1; i <= 3; ++i) {
    store->keep(key(i), "entry");
    folder.age();
  }
  CHECK(store->find(key(1)));  // used now
  folder.age();
  store->keep(key(4), "entry");
  CHECK(store->find(key(1)));
  CHECK_FALSE(store->find(key(2)));
  CHECK(store->find(key(3)));
  CHECK(store->find(key(4)));
  CHECK(folder.files().size() == 3);

  const auto small = folder.open({.files = 10, .total_bytes = 3000, .entry_bytes = 2000});
  folder.age();
  small->keep(key(5), std::string(2001, 'x'));
  CHECK_FALSE(small->find(key(5)));
  small->keep(key(6), std::string(2000, 'x'));
  folder.age();
  small->keep(key(7), std::string(2000, 'x'));
  CHECK_FALSE(small->find(key(6)));
  CHECK(small->find(key(7)));
}

TEST_CASE("what is not the cache's stays in its folder", "[store]") {
  if (!may_run()) return;
  const Folder folder;
  const auto store = folder.open({.files = 1, .total_bytes = 1000, .entry_bytes = 1 << 16});
  const std::string digits(64, 'a');
  const std::string others[] = {"notes.txt", ".profile", digits + "0", "A" + digits.substr(1), digits.substr(1)};
  for (const std::string &name : others) std::ofstream(folder.path() + "/" + name) << std::string(2000, 'x');
  std::ofstream(folder.path() + "/." + digits + ".1.0.1") << "a draft that was left";
  folder.age();
  store->keep(key(1), "entry");
  store->keep(key(2), "entry");
  for (const std::string &name : others) CHECK(fs::exists(folder.path() + "/" + name));
  CHECK(folder.files().size() == std::size(others) + 1);
}

TEST_CASE("two that write at once leave a whole object, and no drafts", "[store]") {
  if (!may_run()) return;
  const Folder folder;
  (void)folder.open();
  constexpr int kWriters = 4, kRounds = 300;
  for (int writer = 0; writer < kWriters; ++writer) {
    if (fork() != 0) continue;
    Result<std::unique_ptr<ObjectFiles>> store = ObjectFiles::open(folder.path(), "test");
    bool good = bool(store);
    for (int round = 0; good && round < kRounds; ++round) {
      (*store)->keep(key(1), std::string(5000 + static_cast<size_t>(writer), static_cast<char>('a' + writer)));
      const std::optional<std::string> found = (*store)->find(key(1));
      good = found && found->size() == 5000 + static_cast<size_t>(found->front() - 'a') &&
             found->find_first_not_of(found->front()) == std::string::npos;
    }
    _exit(good ? 0 : 1);
  }
  for (int writer = 0; writer < kWriters; ++writer) {
    int status = 0;
    REQUIRE(wait(&status) > 0);
    CHECK(status == 0);
  }
  CHECK(folder.files().size() == 1);
}

TEST_CASE("the build and the kernel have a name", "[store]") { CHECK(build_and_kernel() == build_and_kernel()); }
