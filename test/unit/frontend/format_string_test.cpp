// SPDX-License-Identifier: Apache-2.0
// Parsing of D format strings.
#include "frontend/text/format_string.h"

#include <catch2/catch.hpp>

using namespace dtrace;

namespace {

FormatString parsed(std::string_view text) {
  FormatError error{};
  std::optional<FormatString> format = parse_format(text, error);
  INFO(text);
  REQUIRE(format);
  return *format;
}

FormatError refused(std::string_view text) {
  FormatError error{};
  INFO(text);
  REQUIRE_FALSE(parse_format(text, error));
  return error;
}

}  // namespace

TEST_CASE("a format is literals and conversions") {
  const FormatString format = parsed("a%d b%%c %-10s\n");
  REQUIRE(format.conversions.size() == 2);
  CHECK(format.conversions[0].literal == "a");
  CHECK(format.conversions[0].row->kind == Conversion::kDecimal);
  CHECK(format.conversions[0].offset == 1);
  CHECK(format.conversions[1].literal == " b%c ");
  CHECK(format.conversions[1].row->kind == Conversion::kString);
  CHECK(format.conversions[1].left);
  CHECK(format.conversions[1].width == 10);
  CHECK(format.conversions[1].precision == -1);
  CHECK(format.tail == "\n");
  CHECK(format.arguments() == 2);
}

TEST_CASE("a format without conversions is all tail") {
  CHECK(parsed("plain").tail == "plain");
  CHECK(parsed("100%%").tail == "100%");
}

TEST_CASE("all flags in any order") {
  const FormatConversion c = parsed("%+ #0'-@d").conversions[0];
  CHECK(c.plus);
  CHECK(c.blank);
  CHECK(c.alternate);
  CHECK(c.zero_pad);
  CHECK(c.group);
  CHECK(c.left);
  CHECK(c.aggregation);
  CHECK(parsed("%?x").conversions[0].width == 16);
  CHECK(parsed("%?8x").conversions[0].width == 8);
}

TEST_CASE("stars take integer arguments before the value") {
  const FormatConversion c = parsed("%*.*d").conversions[0];
  CHECK(c.dynamic_width);
  CHECK(c.dynamic_precision);
  CHECK(c.arguments() == 3);
  CHECK(parsed("%@*d").conversions[0].arguments() == 1);
  CHECK(parsed("%.d").conversions[0].precision == 0);
  CHECK(parsed("%.3s").conversions[0].precision == 3);
  CHECK(parsed("%08.3f").conversions[0].width == 8);
}

TEST_CASE("every conversion name of the table parses to its row") {
  for (const ConversionRow &row : conversion_table()) {
    const std::string precision = row.kind == Conversion::kQuantile ? ".5" : "";
    const FormatString format = parsed("%" + precision + std::string(row.name) + "d");
    REQUIRE(format.conversions.size() == 1);
    CHECK(format.conversions[0].row->name == row.name);
    CHECK(format.tail == "d");
    CHECK_FALSE(row.prototype.empty());
  }
}

TEST_CASE("size prefixes choose what is accepted") {
  CHECK(parsed("%hx").conversions[0].row->accepts == Accepts::kAnyShort);
  CHECK(parsed("%lld").conversions[0].row->accepts == Accepts::kLongLong);
  CHECK(parsed("%llx").conversions[0].row->accepts == Accepts::kAnyLongLong);
  CHECK(parsed("%Lf").conversions[0].row->accepts == Accepts::kLongDouble);
  CHECK(parsed("%ws").conversions[0].row->accepts == Accepts::kWideText);
}

TEST_CASE("malformed formats say what and where") {
  CHECK(refused("").kind == FormatErrorKind::kEmpty);
  CHECK(refused("%").kind == FormatErrorKind::kUnterminated);
  CHECK(refused("%-5").kind == FormatErrorKind::kUnterminated);
  CHECK(refused("%ll").kind == FormatErrorKind::kUnterminated);
  CHECK(refused("%**d").kind == FormatErrorKind::kManyStars);
  CHECK(refused("%.1.2d").kind == FormatErrorKind::kManyDots);
  CHECK(refused("%..d").kind == FormatErrorKind::kManyDots);
  CHECK(refused("%1$d").kind == FormatErrorKind::kPositional);
  CHECK(refused("%5%").kind == FormatErrorKind::kPercent);
  CHECK(refused("%D").kind == FormatErrorKind::kUndefined);
  CHECK(refused("%n").kind == FormatErrorKind::kUndefined);

  const FormatError error = refused("%d and %lls");
  CHECK(error.kind == FormatErrorKind::kUndefined);
  CHECK(error.conversion == 2);
  CHECK(error.offset == 7);
  CHECK(error.name == "lls");
  CHECK(error.text() == "format conversion #2 is undefined: %lls");
}

TEST_CASE("huge widths are clamped, not overflowed") { CHECK(parsed("%99999999999999d").conversions[0].width > 0); }

TEST_CASE("any bytes parse or are refused") {
  for (unsigned a = 0; a < 256; a++) {
    for (unsigned b = 0; b < 256; b++) {
      const char text[] = {'%', static_cast<char>(a), static_cast<char>(b)};
      FormatError error{};
      const auto format = parse_format({text, sizeof(text)}, error);
      if (!format) CHECK_FALSE(error.text().empty());
    }
  }
}
