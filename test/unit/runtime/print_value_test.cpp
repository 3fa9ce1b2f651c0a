// SPDX-License-Identifier: Apache-2.0
// Values and the order of keys.
#include "runtime/events/value.h"

#include <catch2/catch.hpp>

#include "test/unit/runtime/print_support.h"

using namespace dtrace;
using namespace dtrace::runtime;
using namespace dtrace::runtime::test;

TEST_CASE("integers keep their size and sign") {
  CHECK(Integer{0xff, 1, true}.as_signed() == -1);
  CHECK(Integer{0xff, 1, false}.as_unsigned() == 255);
  CHECK(Integer{0x1ffff, 2, true}.as_signed() == -1);
  CHECK(Integer{~uint64_t{0}, 4, false}.as_unsigned() == 0xffffffff);
  CHECK(Integer{~uint64_t{0}, 8, true}.as_signed() == -1);
}

TEST_CASE("values of each type are ordered, and their prefixes agree") {
  const uint64_t stack_a[] = {1, 9}, stack_b[] = {1, 10}, stack_c[] = {2};
  const std::vector<std::vector<Value>> ascending = {
      {i32(0), i32(1), i32(100), i32(-2), i32(-1)},
      {i8(1), i8(-1)},
      // One variable's: what does not fit its first type is shown in 64 bits.
      {i32(0), i32(7), Integer{0x80000000, 8, true}, Integer{uint64_t{1} << 40, 8, true},
       Integer{static_cast<uint64_t>(-(int64_t{1} << 40)), 8, true}, i32(-1)},
      {u64(0), u64(1), u64(~uint64_t{0})},
      {text(""), text("a"), text("a\0z"), text("ab"), text("abcdefgh"), text("abcdefghi"), text("b"), text("\xff")},
      {Bytes{{"\0", 1}, 1}, Bytes{{"\0\0", 2}, 1}, Bytes{"a", 1}},
      {KernelStack{}, KernelStack{std::span(stack_a).first(1)}, KernelStack{stack_a}, KernelStack{stack_b},
       KernelStack{stack_c}},
      {UserStack{1, stack_c}, UserStack{2, stack_a}, UserStack{2, stack_b}},
      {Symbol{SymbolKind::kUsym, 1, 9}, Symbol{SymbolKind::kUsym, 2, 3}, Symbol{SymbolKind::kUsym, 2, 4}},
      {Floating{-1}, Floating{0}, Floating{2}},
  };
  for (const std::vector<Value> &values : ascending) {
    for (size_t i = 0; i < values.size(); i++) {
      CHECK(compare_values(values[i], values[i]) == 0);
      for (size_t j = i + 1; j < values.size(); j++) {
        INFO("type " << values[i].index() << ": " << i << ", " << j);
        CHECK(compare_values(values[i], values[j]) <= 0);
        CHECK(compare_values(values[j], values[i]) >= 0);
        CHECK(order_prefix(values[i]) <= order_prefix(values[j]));
      }
    }
  }
}
