// SPDX-License-Identifier: Apache-2.0
#include "runtime/foreign/perf_map.h"
#include "test/unit/runtime/kernel_lacks.h"

#include <sys/stat.h>
#include <unistd.h>

#include <catch2/catch.hpp>
#include <cstdio>
#include <fstream>
#include <optional>
#include <string>

namespace dtrace::runtime {
namespace {

TEST_CASE("perf map: lines, names with blanks, 0x or not") {
  const PerfMap map =
      PerfMap::from_text("7f00 10 LazyCompile:~f /a b.js:1\n0x8000 0x20 py::g:/x.py\nbad\n9000 0 empty\n");
  REQUIRE(map.by_address(0x7f0f));
  CHECK(map.by_address(0x7f0f)->name == "LazyCompile:~f /a b.js:1");
  CHECK(map.by_address(0x7f0f)->offset == 0xf);
  CHECK_FALSE(map.by_address(0x7f10));
  CHECK_FALSE(map.by_address(0x7eff));
  CHECK(map.by_address(0x8000)->name == "py::g:/x.py");
  CHECK_FALSE(map.by_address(0x9000));
}

TEST_CASE("perf map: the later of two lines is right") {
  const PerfMap map = PerfMap::from_text("1000 100 old\n1040 10 older_inner\n1000 80 new\n");
  CHECK(map.by_address(0x1000)->name == "new");
  CHECK(map.by_address(0x1045)->name == "new");
  CHECK(map.by_address(0x1090)->name == "old");
}

TEST_CASE("perf map: control bytes in names are shown") {
  const PerfMap map = PerfMap::from_text("1000 10 a\033]0;x\007b\n");
  REQUIRE(map.by_address(0x1000));
  CHECK(map.by_address(0x1000)->name == "a\\033]0;x\\007b");
}

/// The map of this process, in /tmp, written piece by piece.
class OwnPerfMap {
 public:
  OwnPerfMap() : path_("/tmp/perf-" + std::to_string(::getpid()) + ".map") { clear(); }
  ~OwnPerfMap() { ::unlink(path_.c_str()); }
  void clear() { std::ofstream(path_, std::ios::trunc); }
  void append(const std::string &text) { std::ofstream(path_, std::ios::app) << text; }
  const std::string &path() const { return path_; }

 private:
  std::string path_;
};

std::string line(unsigned number) {
  char text[64];
  std::snprintf(text, sizeof text, "%x 10 f%u\n", 0x100000 + number * 0x10, number);
  return text;
}

TEST_CASE("perf map: what is appended is read on, and moved seldom") {
  SKIP_WITHOUT(kOpenInRoot);
  OwnPerfMap file;
  std::optional<PerfMap> map = PerfMap::open(::getpid());
  REQUIRE(map);
  constexpr unsigned kLines = 4096;
  for (unsigned i = 0; i < kLines; i++) {
    file.append(line(kLines - i));
    CHECK(map->refresh());
    CHECK_FALSE(map->refresh());
  }
  CHECK(map->line_count() == kLines);
  CHECK(map->merged_lines() <= kLines * 24);  // reading all anew each time would be kLines * kLines / 2
  for (unsigned i = 1; i <= kLines; i++) {
    const auto hit = map->by_address(0x100000 + i * 0x10 + 4);
    REQUIRE(hit);
    CHECK(hit->name == "f" + std::to_string(i));
  }
  // The last of several lines for one address is right, in whichever run it is.
  file.append("100010 10 again\n");
  map->refresh();
  CHECK(map->by_address(0x100010)->name == "again");
}

TEST_CASE("perf map: a line is taken when its end is written") {
  SKIP_WITHOUT(kOpenInRoot);
  OwnPerfMap file;
  std::optional<PerfMap> map = PerfMap::open(::getpid());
  REQUIRE(map);
  file.append("1000 10 fir");
  CHECK_FALSE(map->refresh());
  CHECK_FALSE(map->by_address(0x1000));
  file.append("st\n2000 10 second\n");
  CHECK(map->refresh());
  CHECK(map->by_address(0x1000)->name == "first");
  CHECK(map->by_address(0x2000)->name == "second");
}

TEST_CASE("perf map: a file that is written anew is read anew") {
  SKIP_WITHOUT(kOpenInRoot);
  OwnPerfMap file;
  std::optional<PerfMap> map = PerfMap::open(::getpid());
  REQUIRE(map);
  file.append("1000 10 old\n");
  CHECK(map->refresh());
  file.clear();
  file.append("1000 10 new\n2000 10 more\n3000 10 than before\n");
  CHECK(map->refresh());
  CHECK(map->by_address(0x1000)->name == "new");
  CHECK(map->line_count() == 3);
}

TEST_CASE("perf map: a link, a line without end and a hole cost little") {
  SKIP_WITHOUT(kOpenInRoot);
  OwnPerfMap file;
  {
    std::optional<PerfMap> map = PerfMap::open(::getpid());
    REQUIRE(map);
    REQUIRE(::truncate(file.path().c_str(), off_t{1} << 40) == 0);
    CHECK_FALSE(map->refresh());
    CHECK(map->line_count() == 0);
  }
  ::unlink(file.path().c_str());
  REQUIRE(::symlink("/etc/passwd", file.path().c_str()) == 0);
  CHECK_FALSE(PerfMap::open(::getpid()));
  ::unlink(file.path().c_str());
  REQUIRE(::mkfifo(file.path().c_str(), 0600) == 0);
  CHECK_FALSE(PerfMap::open(::getpid()));
}

TEST_CASE("perf map: nothing but nonsense") {
  CHECK_FALSE(PerfMap::from_text("").by_address(0));
  CHECK_FALSE(PerfMap::from_text("\n\nffffffffffffffff ff overflow\n").by_address(~0ull));
  std::string nested;
  for (int i = 0; i < 2000; i++) nested += "0 ffffffff a\n";
  CHECK(PerfMap::from_text(nested).by_address(0x100));
}

}  // namespace
}  // namespace dtrace::runtime
