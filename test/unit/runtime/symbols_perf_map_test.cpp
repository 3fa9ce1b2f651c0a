// SPDX-License-Identifier: Apache-2.0
#include "runtime/symbols/perf_map.h"

#include <catch2/catch.hpp>
#include <string>

namespace dtrace {
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

TEST_CASE("perf map: nothing but nonsense") {
  CHECK_FALSE(PerfMap::from_text("").by_address(0));
  CHECK_FALSE(PerfMap::from_text("\n\nffffffffffffffff ff overflow\n").by_address(~0ull));
  std::string nested;
  for (int i = 0; i < 2000; i++) nested += "0 ffffffff a\n";
  CHECK(PerfMap::from_text(nested).by_address(0x100));
}

}  // namespace
}  // namespace dtrace
