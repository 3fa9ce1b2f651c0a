// SPDX-License-Identifier: Apache-2.0
#include "runtime/symbols/object_cache.h"

#include <elf.h>
#include <sys/stat.h>
#include <unistd.h>

#include <catch2/catch.hpp>
#include <filesystem>
#include <fstream>
#include <optional>
#include <string>
#include <vector>

#include "test/unit/runtime/fixture_process.h"
#include "test/unit/runtime/kernel_lacks.h"

namespace dtrace::runtime {
namespace {

/// Copies of a program under names of their own, as if this process had them mapped.
class Copies {
 public:
  Copies() {
    char folder[] = "/tmp/dtrace-cache-XXXXXX";
    REQUIRE(::mkdtemp(folder) != nullptr);
    folder_ = folder;
  }
  ~Copies() { std::filesystem::remove_all(folder_); }

  MapEntry make(const std::string &name) {
    MapEntry map;
    map.path = folder_ + "/" + name;
    std::filesystem::copy_file(fixture_path("addresses_pie"), map.path);
    struct stat st{};
    REQUIRE(::stat(map.path.c_str(), &st) == 0);
    map.inode = st.st_ino;
    map.executable = true;
    return map;
  }

 private:
  std::string folder_;
};

/// Makes the first loaded segment of a 64-bit ELF file a byte shorter.
void shorten_first_segment(const std::string &path) {
  std::fstream file(path, std::ios::in | std::ios::out | std::ios::binary);
  Elf64_Ehdr header{};
  REQUIRE(file.read(reinterpret_cast<char *>(&header), sizeof header));
  for (Elf64_Half i = 0; i < header.e_phnum; i++) {
    const auto at = static_cast<std::streamoff>(header.e_phoff + i * sizeof(Elf64_Phdr));
    Elf64_Phdr segment{};
    REQUIRE(file.seekg(at).read(reinterpret_cast<char *>(&segment), sizeof segment));
    if (segment.p_type != PT_LOAD) continue;
    segment.p_filesz--;
    REQUIRE(file.seekp(at).write(reinterpret_cast<const char *>(&segment), sizeof segment));
    return;
  }
}

/// Asks for the symbols of each, three times.
void check_by_turns(ObjectCache &cache, const ObjectRef &first, const ObjectRef &second) {
  for (int i = 0; i < 3; i++) {
    for (const ObjectRef &object : {first, second}) {
      const ElfSymbols *symbols = cache.symbols(object);
      REQUIRE(symbols != nullptr);
      CHECK_FALSE(symbols->lacks_memory());
      CHECK(symbols->by_name("fixture_function").size() == 1);
    }
  }
}

TEST_CASE("object cache: files come and go, what is kept of them does not grow") {
  SKIP_WITHOUT(kOpenInRoot);
  Copies copies;
  ObjectCacheLimits limits;
  limits.held_files = 3;
  limits.objects = 8;
  limits.symbol_bytes = 64 << 10;
  ObjectCache cache({""}, limits);
  size_t most = 0;
  for (int i = 0; i < 200; i++) {
    const MapEntry map = copies.make("file" + std::to_string(i));
    const ObjectRef object = cache.add(::getpid(), map, true);
    CHECK(cache.held_count() <= limits.held_files);
    if (i % 2 == 0) {
      REQUIRE(cache.symbols(object) != nullptr);
      CHECK(cache.symbol_bytes() <= limits.symbol_bytes);
    }
    (void)cache.add_name("/name" + std::to_string(i));
    most = std::max(most, cache.object_count());
  }
  CHECK(most <= 128);
}

TEST_CASE("object cache: symbols of files that nobody refers to are dropped, those of others stay") {
  SKIP_WITHOUT(kOpenInRoot);
  Copies copies;
  ObjectCacheLimits limits;
  limits.objects = 8;
  ObjectCache cache({""}, limits);
  const MapEntry map = copies.make("stays");
  const ObjectRef stays = cache.add(::getpid(), map, true);
  REQUIRE(cache.symbols(stays) != nullptr);
  const uint64_t bytes = cache.symbol_bytes();
  ::unlink(map.path.c_str());
  for (int i = 0; i < 100; i++) {
    REQUIRE(cache.symbols(cache.add(::getpid(), copies.make("file" + std::to_string(i)), true)) != nullptr);
    CHECK(cache.symbol_bytes() <= 4 * limits.objects * bytes);
  }
  CHECK(cache.symbols(stays) != nullptr);
  CHECK(cache.take_refused() == 0);
}

TEST_CASE("object cache: a file that is gone has names, though many others are opened in advance") {
  SKIP_WITHOUT(kOpenInRoot);
  Copies copies;
  ObjectCacheLimits limits;
  limits.held_files = 3;
  ObjectCache cache({""}, limits);
  const MapEntry map = copies.make("gone");
  const ObjectRef gone = cache.add(::getpid(), map, true);
  ::unlink(map.path.c_str());
  cache.may_close_others(false);
  for (int i = 0; i < 8; i++) (void)cache.add(::getpid(), copies.make("ahead" + std::to_string(i)), true);
  CHECK(cache.held_count() == limits.held_files);
  cache.may_close_others(true);
  CHECK(cache.symbols(gone) != nullptr);
}

TEST_CASE("object cache: a deleted file that no process has any more is read and closed, and has its names") {
  SKIP_WITHOUT(kOpenInRoot);
  Copies copies;
  ObjectCache cache({""});
  const MapEntry gone_map = copies.make("gone"), used_map = copies.make("used");
  const ObjectRef gone = cache.add(::getpid(), gone_map, true);
  const ObjectRef used = cache.add(::getpid(), used_map, true);
  const ObjectRef stays = cache.add(::getpid(), copies.make("stays"), true);
  ::unlink(gone_map.path.c_str());
  ::unlink(used_map.path.c_str());
  cache.close_unless([&](const CachedObject &object) { return &object == used.get(); });
  // One that has its path, on our own file system, may be deleted later: its names would be lost.
  CHECK(cache.held_count() == 2);
  for (const ObjectRef &object : {gone, used, stays}) CHECK(cache.symbols(object) != nullptr);
}

TEST_CASE("object cache: symbols that were dropped are read again") {
  SKIP_WITHOUT(kOpenInRoot);
  Copies copies;
  ObjectCacheLimits limits;
  limits.symbol_bytes = 1;
  ObjectCache cache({""}, limits);
  const ObjectRef first = cache.add(::getpid(), copies.make("first"), true);
  const ObjectRef second = cache.add(::getpid(), copies.make("second"), true);
  check_by_turns(cache, first, second);
}

TEST_CASE("object cache: without memory, a file has no symbols, and is counted once") {
  SKIP_WITHOUT(kOpenInRoot);
  Copies copies;
  uint64_t left = 0;
  MemoryBudget budget([&left] { return left; });
  ObjectCacheLimits limits;
  limits.budget = &budget;
  ObjectCache cache({""}, limits);
  const ObjectRef object = cache.add(::getpid(), copies.make("file"), true);
  for (int i = 0; i < 3; i++) {
    const ElfSymbols *symbols = cache.symbols(object);
    REQUIRE(symbols != nullptr);
    CHECK(symbols->lacks_memory());
    CHECK(symbols->size() == 0);
  }
  CHECK(cache.take_refused() == 1);
  CHECK(cache.take_refused() == 0);
}

TEST_CASE("object cache: symbols give way to those of another file") {
  SKIP_WITHOUT(kOpenInRoot);
  Copies copies;
  // As if each file had as much as there is.
  const ObjectCache *whose = nullptr;
  MemoryBudget budget([&whose] { return whose->symbol_bytes() == 0 ? uint64_t{1} << 30 : 0; });
  ObjectCacheLimits limits;
  limits.budget = &budget;
  ObjectCache cache({""}, limits);
  whose = &cache;
  budget.add_cache([&cache](uint64_t bytes) { return cache.give_up(bytes); });
  const ObjectRef first = cache.add(::getpid(), copies.make("first"), true);
  const ObjectRef second = cache.add(::getpid(), copies.make("second"), true);
  check_by_turns(cache, first, second);
  CHECK(cache.take_refused() == 0);
}

TEST_CASE("object cache: symbols that gave way are counted if their file is gone by then") {
  SKIP_WITHOUT(kOpenInRoot);
  Copies copies;
  ObjectCache cache({""});
  const MapEntry map = copies.make("file");
  const ObjectRef object = cache.add(::getpid(), map, true);
  REQUIRE(cache.symbols(object) != nullptr);
  CHECK(cache.give_up(1) > 0);
  ::unlink(map.path.c_str());
  for (int i = 0; i < 3; i++) CHECK(cache.symbols(object) == nullptr);
  CHECK(cache.take_refused() == 1);
}

TEST_CASE("object cache: equal files have one identity, whether their symbols are read or not") {
  SKIP_WITHOUT(kOpenInRoot);
  Copies copies, others;
  ObjectCache cache({""});
  const MapEntry map = copies.make("file");
  const ObjectRef first = cache.add(::getpid(), map, true);
  const ObjectRef copy = cache.add(::getpid(), others.make("file"), true);
  const std::optional<std::string> identity = cache.identity_text(first);
  REQUIRE(identity);
  CHECK(cache.identity_text(copy) == identity);
  REQUIRE(cache.symbols(first) != nullptr);
  CHECK(cache.identity_text(first) == identity);
  CHECK(cache.give_up(1) > 0);
  CHECK(cache.identity_text(first) == identity);
  // patchelf(1) keeps the build ID.
  Copies moved;
  const MapEntry changed = moved.make("file");
  shorten_first_segment(changed.path);
  CHECK(cache.identity_text(cache.add(::getpid(), changed, true)) != identity);
}

TEST_CASE("object cache: what is no ELF file, or only a name, has no identity") {
  SKIP_WITHOUT(kOpenInRoot);
  Copies copies;
  ObjectCache cache({""});
  const MapEntry map = copies.make("file");
  std::ofstream(map.path, std::ios::in) << "code of a JIT compiler";
  CHECK_FALSE(cache.identity_text(cache.add(::getpid(), map, true)));
  CHECK_FALSE(cache.identity_text(cache.add_name("[vsyscall]")));
}

TEST_CASE("object cache: an object that somebody has stays the same one") {
  Copies copies;
  ObjectCacheLimits limits;
  limits.objects = 2;
  ObjectCache cache({""}, limits);
  const MapEntry map = copies.make("kept");
  const ObjectRef kept = cache.add(::getpid(), map, true);
  for (int i = 0; i < 100; i++) (void)cache.add(::getpid(), copies.make("other" + std::to_string(i)), true);
  CHECK(cache.add(::getpid(), map, true) == kept);
}

TEST_CASE("object cache: names are printable") {
  Copies copies;
  ObjectCache cache({""});
  CHECK(cache.add(::getpid(), copies.make("a\033b"), true)->name() == "a\\033b");
}

TEST_CASE("object cache: only a regular file is read, wherever the path leads") {
  Copies copies;
  ObjectCache cache({""});
  MapEntry map = copies.make("file");
  std::filesystem::remove(map.path);
  REQUIRE(::mkfifo(map.path.c_str(), 0600) == 0);
  struct stat st{};
  REQUIRE(::stat(map.path.c_str(), &st) == 0);
  map.inode = st.st_ino;
  const ObjectRef object = cache.add(::getpid(), map, true);
  CHECK(cache.symbols(object) == nullptr);
  std::filesystem::remove(map.path);
  std::filesystem::create_symlink("/proc/self/exe", map.path);  // a link of /proc leads out of any root
  const ObjectRef link = cache.add(::getpid(), map, true);
  CHECK(cache.symbols(link) == nullptr);
}

}  // namespace
}  // namespace dtrace::runtime
