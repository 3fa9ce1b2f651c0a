// SPDX-License-Identifier: Apache-2.0
#include "base/printable.h"

#include <catch2/catch.hpp>

namespace dtrace {
namespace {

using namespace std::string_view_literals;

TEST_CASE("printable: what a terminal shows stays as it is") {
  for (const std::string_view text :
       {""sv, "main"sv, "operator<<(std::ostream&, a\\b)"sv, "größe"sv, "日本"sv, "😀"sv}) {
    INFO(text);
    CHECK(is_printable(text));
    CHECK(printable(text) == text);
  }
}

TEST_CASE("printable: control characters become octal digits") {
  CHECK(printable("a\033]0;x\007b") == "a\\033]0;x\\007b");
  CHECK(printable("\n\r\t\x7f\0"sv) == "\\012\\015\\011\\177\\000");
  CHECK(printable("\xc2\x9b[31m") == "\\302\\233[31m");  // CSI as one character of C1
  CHECK(printable("\xc2\xa0") == "\xc2\xa0");
  CHECK_FALSE(is_printable("\x7f"));
}

TEST_CASE("printable: characters that are not seen, or that turn text around, become octal digits") {
  CHECK(printable("txt.\u202egpj") == "txt.\\342\\200\\256gpj");  // right-to-left override
  for (const std::string_view text :
       {"\u00ad"sv, "\u034f"sv, "\u061c"sv, "\u200b"sv, "\u200d"sv,     "\u200e"sv,    "\u200f"sv,
        "\u2028"sv, "\u2029"sv, "\u202a"sv, "\u202e"sv, "\u2060"sv,     "\u2066"sv,    "\u2069"sv,
        "\u3164"sv, "\ufe0f"sv, "\ufeff"sv, "\ufffb"sv, "\U000e0001"sv, "\U000e0fff"sv}) {
    const std::string shown = printable(text);
    INFO(shown);
    CHECK_FALSE(is_printable(text));
    CHECK(shown.size() == 4 * text.size());
  }
  for (const std::string_view text : {"\u00ac"sv, "\u00ae"sv, "\u200a"sv, "\u2010"sv, "\u2027"sv, "\u202f"sv,
                                      "\u2070"sv, "\ufffd"sv, "\U000e1000"sv, "\U0010ffff"sv}) {
    INFO(text);
    CHECK(is_printable(text));
  }
}

TEST_CASE("printable: what is no UTF-8 becomes octal digits") {
  CHECK(printable("\xff") == "\\377");
  CHECK(printable("a\xc3") == "a\\303");                           // cut off
  CHECK(printable("\xc3(") == "\\303(");                           // no continuation
  CHECK(printable("\xc0\x9b") == "\\300\\233");                    // a control character, written too long
  CHECK(printable("\xe0\x80\x9b") == "\\340\\200\\233");           // the same
  CHECK(printable("\xed\xa0\x80") == "\\355\\240\\200");           // a surrogate
  CHECK(printable("\xf4\x90\x80\x80") == "\\364\\220\\200\\200");  // behind the last character
  CHECK(printable("\xf8\x88\x80\x80\x80") == "\\370\\210\\200\\200\\200");
}

}  // namespace
}  // namespace dtrace
