// SPDX-License-Identifier: Apache-2.0
#include "base/hexadecimal.h"

#include <catch2/catch.hpp>
#include <string>

namespace dtrace {
namespace {

TEST_CASE("a number is what its digits say, however many there are", "[hexadecimal]") {
  CHECK(hexadecimal("ffffffff81200014") == 0xffffffff81200014u);
  CHECK(hexadecimal("0123456789abcdef") == 0x0123456789abcdefu);
  CHECK(hexadecimal("0123456789ABCDEF") == 0x0123456789abcdefu);
  CHECK(hexadecimal("0x123456789abcde") == 0x123456789abcdeu);
  CHECK(hexadecimal("0x14") == 0x14u);
  CHECK(hexadecimal("0") == 0u);
  CHECK_FALSE(hexadecimal(""));
  CHECK_FALSE(hexadecimal("0x"));
  CHECK_FALSE(hexadecimal("1 "));
  CHECK_FALSE(hexadecimal("10000000000000000"));
}

TEST_CASE("of eight characters each must be a digit", "[hexadecimal]") {
  for (int place = 0; place < 8; place++) {
    for (int value = 0; value < 256; value++) {
      std::string text = "80f7a09e";
      text[static_cast<size_t>(place)] = static_cast<char>(value);
      const std::string one(1, static_cast<char>(value));
      const bool is_digit = one.find_first_of("0123456789abcdef") == 0;
      CAPTURE(text);
      REQUIRE(eight_digits(text.data()).has_value() == is_digit);
      if (is_digit) REQUIRE(*eight_digits(text.data()) == std::stoul(text, nullptr, 16));
    }
  }
}

}  // namespace
}  // namespace dtrace
