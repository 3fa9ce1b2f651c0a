// SPDX-License-Identifier: Apache-2.0
// Literals.
#include "frontend/text/lexer_literal.h"

#include <catch2/catch.hpp>

using namespace dtrace;
using Status = IntegerValue::Status;

TEST_CASE("literals: an integer token is its digits and a suffix in the order u, l, l") {
  CHECK(scan_integer("123") == 3);
  CHECK(scan_integer("0x1Fg") == 4);
  CHECK(scan_integer("0x") == 1);
  CHECK(scan_integer("0xg") == 1);
  CHECK(scan_integer("1ull") == 4);
  CHECK(scan_integer("1ULL") == 4);
  CHECK(scan_integer("1lu") == 2);
  CHECK(scan_integer("1uu") == 2);
  CHECK(scan_integer("1lll") == 3);
  CHECK(scan_integer("x") == 0);
  CHECK(scan_integer("") == 0);
}

TEST_CASE("literals: integer values and forms") {
  CHECK(parse_integer("0").literal.value == 0);
  CHECK(parse_integer("123").literal.value == 123);
  CHECK(parse_integer("123").literal.decimal);
  CHECK(parse_integer("0777").literal.value == 0777);
  CHECK_FALSE(parse_integer("0777").literal.decimal);
  CHECK(parse_integer("0xfF").literal.value == 255);
  CHECK_FALSE(parse_integer("0xfF").literal.decimal);
  CHECK(parse_integer("5u").literal.is_unsigned);
  CHECK(parse_integer("5l").literal.longs == 1);
  CHECK(parse_integer("5ULL").literal.longs == 2);
  CHECK(parse_integer("5ULL").literal.is_unsigned);
  CHECK(parse_integer("18446744073709551615u").literal.value == UINT64_MAX);
}

TEST_CASE("literals: integers that do not fit") {
  CHECK(parse_integer("18446744073709551616").status == Status::kOverflow);
  CHECK(parse_integer("0x10000000000000000").status == Status::kOverflow);
  CHECK(parse_integer("9223372036854775807").status == Status::kOk);
  CHECK(parse_integer("9223372036854775808").status == Status::kNoType);
  CHECK(parse_integer("9223372036854775808l").status == Status::kNoType);
  CHECK(parse_integer("9223372036854775808u").status == Status::kOk);
  CHECK(parse_integer("0x8000000000000000").status == Status::kOk);
  CHECK(parse_integer("01000000000000000000000").status == Status::kOk);
}

TEST_CASE("literals: an octal constant with 8 or 9 names the digit") {
  IntegerValue value = parse_integer("0189");
  CHECK(value.status == Status::kBadDigit);
  CHECK(value.bad_digit == 2);
}

TEST_CASE("literals: floating-point tokens") {
  CHECK(scan_float("1.5") == 3);
  CHECK(scan_float("1.") == 2);
  CHECK(scan_float(".5f") == 3);
  CHECK(scan_float("1e10") == 4);
  CHECK(scan_float("1E-3x") == 4);
  CHECK(scan_float("1e") == 0);
  CHECK(scan_float("15") == 0);
  CHECK(scan_float("0x1.5") == 0);
}

TEST_CASE("literals: escape sequences") {
  CHECK(unescape(R"(a\a\b\f\n\r\t\v)") == "a\a\b\f\n\r\t\v");
  CHECK(unescape(R"(\"\\\')") == "\"\\'");
  CHECK(unescape(R"(\101\60\1x)") == "A0\1x");
  CHECK(unescape(R"(\1234)") == "S4");
  CHECK(unescape(R"(\x41\x041\xg)") == "AA\\xg");
  CHECK(unescape(R"(\x1234)") == "4");
  CHECK(unescape(R"(\q\z)") == "\\q\\z");
  CHECK(unescape(R"(a\0b)") == std::string("a\0b", 3));
  CHECK(unescape("a\\") == "a\\");
}

TEST_CASE("literals: character constants put the first byte first") {
  CHECK(character_value("a") == 0x61);
  CHECK(character_value("ab") == 0x6162);
  CHECK(character_value("abcdefgh") == 0x6162636465666768);
  CHECK(static_cast<int64_t>(character_value("\xff")) == static_cast<signed char>(0xff));
}

TEST_CASE("literals: identifiers hold backquotes") {
  CHECK(is_identifier("a1_"));
  CHECK(is_identifier("mod`sym"));
  CHECK(is_identifier("`sym"));
  CHECK_FALSE(is_identifier("1a"));
  CHECK_FALSE(is_identifier("a-b"));
  CHECK_FALSE(is_identifier(""));
}
