// SPDX-License-Identifier: Apache-2.0
// The table of system calls that 32-bit x86 programs make.
#include <catch2/catch.hpp>

#include <set>
#include <string_view>

#include "arch/machine.h"

using namespace dtrace;

namespace {

const arch::NarrowCall *call(std::string_view name) {
  for (const arch::NarrowCall &row : arch::kX86_64.narrow_calls.calls)
    if (row.name == name) return &row;
  return nullptr;
}

/// How many registers the arguments are in, and whether the letters are those that the provider knows.
unsigned registers_of(std::string_view arguments) {
  if (arguments == "_") return 0;
  unsigned count = 0;
  for (const char letter : arguments) {
    if (letter >= '0' && letter <= '5') continue;
    CAPTURE(arguments);
    CHECK(std::string_view("iuhd").find(letter) != std::string_view::npos);
    count += letter == 'd' ? 2 : 1;
  }
  return count;
}

}  // namespace

TEST_CASE("narrow calls: each number and each name once, and no more than six registers", "[narrow]") {
  std::set<std::string_view> names;
  uint32_t last = 0;
  for (const arch::NarrowCall &row : arch::kX86_64.narrow_calls.calls) {
    CAPTURE(row.name);
    CHECK((row.number > last || row.number == 0));
    CHECK(names.insert(row.name).second);
    CHECK(registers_of(row.arguments) <= 6);
    last = row.number;
  }
  CHECK(arch::kX86_64.narrow_calls.arguments.size() == 6);
  CHECK(arch::kAarch64.narrow_calls.calls.empty());
}

TEST_CASE("narrow calls: numbers are those of 32-bit headers, and from 424 on the same as others", "[narrow]") {
  REQUIRE(call("open") != nullptr);
  CHECK(call("open")->number == 5);
  CHECK(call("getpid")->number == 20);
  CHECK(call("mmap2")->number == 192);
  CHECK(call("statx")->number == 383);
  CHECK(call("futex_time64")->number == 422);
  // Their arguments are in memory, so these names would mislead.
  CHECK(call("mmap") == nullptr);
  CHECK(call("select") == nullptr);
  for (const arch::SystemCall &wide : arch::kX86_64.system_calls) {
    if (wide.number < 424) continue;
    CAPTURE(wide.name);
    REQUIRE(call(wide.name) != nullptr);
    CHECK(call(wide.name)->number == wide.number);
  }
}
