// SPDX-License-Identifier: Apache-2.0
#include "runtime/symbols/java_lines.h"

#include <catch2/catch.hpp>
#include <cstdint>
#include <optional>
#include <vector>

namespace dtrace::runtime {
namespace {

std::optional<uint32_t> line(uint32_t bias, std::vector<uint8_t> table, uint32_t bytecode) {
  return java_line(bias, std::as_bytes(std::span(table)), bytecode);
}

}  // namespace

TEST_CASE("java lines: pairs of what is added to a bytecode and to a line", "[managed]") {
  // At 0 line 14, at 3 line 16, at 10 line 12 (-4, whose sign is the lowest bit); JDK 17 and JDK 21.
  const std::vector<uint8_t> before{0xff, 0, 28, 3 << 3 | 2, 0xff, 14, 7, 0, 99};
  const std::vector<uint8_t> since{0xff, 1, 29, 3 << 3 | 2, 0xff, 15, 8, 0, 99};
  for (const uint32_t bias : {0U, 1U}) {
    const std::vector<uint8_t> &table = bias == 0 ? before : since;
    CHECK(line(bias, table, 0) == 14);
    CHECK(line(bias, table, 2) == 14);
    CHECK(line(bias, table, 3) == 16);
    CHECK(line(bias, table, 9) == 16);
    CHECK(line(bias, table, 10) == 12);
    CHECK(line(bias, table, 60000) == 12);
  }
}

TEST_CASE("java lines: large numbers take more bytes", "[managed]") {
  // Line 1000 is 2000 with its sign: 192 + 16 in the first byte (JDK 17), 28 above it: 208 + 28 * 64 = 2000.
  CHECK(line(0, {0xff, 0, 208, 28, 0}, 5) == 1000);
  CHECK(line(1, {0xff, 1, 209, 29, 0}, 5) == 1000);
}

TEST_CASE("java lines: bytecodes need not be in order", "[managed]") {
  // At 8 line 20, at 2 line 30, at 12 line 40.
  const std::vector<uint8_t> table{0xff, 16, 40, 0xff, 11, 20, 0xff, 20, 20, 0};
  CHECK_FALSE(line(0, table, 1));
  CHECK(line(0, table, 2) == 30);
  CHECK(line(0, table, 7) == 30);
  CHECK(line(0, table, 8) == 20);
  CHECK(line(0, table, 11) == 20);
  CHECK(line(0, table, 12) == 40);
}

TEST_CASE("java lines: a table that has no end says nothing that it might have changed", "[managed]") {
  CHECK_FALSE(line(0, {}, 0));
  CHECK_FALSE(line(0, {0}, 0));
  CHECK_FALSE(line(0, {0xff}, 0));
  CHECK_FALSE(line(0, {0xff, 200, 200, 200}, 0));
  CHECK_FALSE(line(0, {0xff, 0, 28, 3 << 3 | 2}, 4));
  CHECK(line(0, {0xff, 0, 28, 3 << 3 | 2}, 3) == 16);  // it need not be read further
  CHECK_FALSE(line(0, {0xff, 0, 7, 0}, 0));            // a negative line
}

}  // namespace dtrace::runtime
