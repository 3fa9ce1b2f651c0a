// SPDX-License-Identifier: Apache-2.0
// Numbers of the BPF library: text, division, and which part substr() takes. Source: the D language
// reference, 2.7, 4.5.
#include <cstdlib>
#include <limits>

#include "test/unit/bpf/slot.h"

using namespace dtrace::test;

namespace {

constexpr __s64 kMin = std::numeric_limits<__s64>::min(), kMax = std::numeric_limits<__s64>::max();
constexpr __s64 kEdges[] = {0,    1,         -1,           7,         -7,   8,    10,      255,
                            -256, 1LL << 31, -(1LL << 31), 1LL << 32, kMax, kMin, kMin + 1};

std::string in_base(__s64 number, __u32 base) {
  Slot slot;
  return slot.text(dt_number_text(slot.get(), number, base, Slot::kOut));
}
__s64 number_of(std::string_view text, __u32 base) {
  Slot slot;
  return dt_text_number(slot.get(), slot.put(Slot::kA, text), Slot::kSpace, base);
}
std::string part(const std::string &text, __s64 index, __s64 count, bool has_count) {
  const auto length = static_cast<__s64>(text.size());
  const __s64 begin = dt_part_begin(length, index, count, has_count);
  const __s64 size = dt_part_length(length, index, count, has_count);
  REQUIRE(begin >= 0);
  REQUIRE(size >= 0);
  REQUIRE(begin + size <= length);
  return text.substr(static_cast<size_t>(begin), static_cast<size_t>(size));
}

}  // namespace

TEST_CASE("number: text of a number") {
  CHECK(in_base(0, 10) == "0");
  CHECK(in_base(kMin, 10) == "-9223372036854775808");
  CHECK(in_base(kMax, 10) == "9223372036854775807");
  CHECK(in_base(-1, 16) == "0xffffffffffffffff");
  CHECK(in_base(0, 16) == "0x0");
  CHECK(in_base(8, 8) == "010");
  CHECK(in_base(0, 8) == "0");
  CHECK(in_base(-1, 2) == std::string(64, '1'));
  CHECK(in_base(35, 36) == "z");
}

TEST_CASE("number: what is written is read") {
  for (const __s64 number : kEdges) {
    for (__u32 base = 2; base <= 36; ++base) {
      CAPTURE(number, base);
      const std::string text = in_base(number, base);
      CHECK(number_of(text, base) == number);
    }
  }
}

TEST_CASE("number: reading stops at what is no digit") {
  CHECK(number_of("12abc", 10) == 12);
  CHECK(number_of(" \t\n-12", 10) == -12);
  CHECK(number_of("+7", 10) == 7);
  CHECK(number_of("", 10) == 0);
  CHECK(number_of("-", 10) == 0);
  CHECK(number_of("- 5", 10) == 0);
  CHECK(number_of("0x1F", 16) == 31);
  CHECK(number_of("-0x1f", 16) == -31);
  CHECK(number_of("x1", 16) == 0);
  CHECK(number_of("00x1", 16) == 0);
  CHECK(number_of("0x", 16) == 0);
  CHECK(number_of("0779", 8) == 077);
  CHECK(number_of("zZ", 36) == 35 * 36 + 35);
}

TEST_CASE("number: division truncates toward zero and never traps") {
  for (const __s64 a : kEdges) {
    for (const __s64 b : kEdges) {
      if (b == 0) continue;
      CAPTURE(a, b);
      if (a == kMin && b == -1) {
        CHECK(dt_divide(a, b) == kMin);
        CHECK(dt_modulo(a, b) == 0);
      } else {
        CHECK(dt_divide(a, b) == a / b);
        CHECK(dt_modulo(a, b) == a % b);
      }
    }
  }
}

TEST_CASE("number: parts of a string") {
  const std::string text = "hello";
  CHECK(part(text, -2, 0, false) == "lo");
  CHECK(part(text, -10, 7, true) == "he");
  CHECK(part(text, -10, 0, false) == "hello");
  CHECK(part(text, 2, -1, true) == "ll");
  CHECK(part(text, 0, -2, true) == "hel");
  CHECK(part(text, 10, 0, false).empty());
  CHECK(part(text, 5, 1, true).empty());
  CHECK(part(text, 1, 100, true) == "ello");
  CHECK(part(text, 1, -100, true).empty());
  CHECK(part("", 0, 1, true).empty());
  for (const __s64 index : kEdges) {
    for (const __s64 count : kEdges) part(text, index, count, true);  // whatever it is, it lies within
  }
}
