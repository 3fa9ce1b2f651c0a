// SPDX-License-Identifier: Apache-2.0
// Columns of trace(), raw dumps, stacks and symbols.
#include "runtime/print/trace_value.h"

#include <catch2/catch.hpp>

#include "runtime/print/row.h"
#include "test/unit/runtime/print_support.h"

using namespace dtrace;
using namespace dtrace::runtime;
using namespace dtrace::runtime::test;

namespace {

std::string traced(const Value &value, TextContext context = {}) {
  std::string out;
  append_trace(out, value, context);
  return out;
}

std::string quiet(const Value &value) {
  TextContext context;
  context.quiet = true;
  return traced(value, context);
}

}  // namespace

TEST_CASE("control characters of traced strings are shown on a terminal, and sent elsewhere") {
  const std::string_view hostile = "a\033]0;x\007b\n\tc";
  TextContext context;
  context.quiet = true;
  CHECK(traced(Text{hostile, true}, context) == hostile);
  context.is_terminal = true;
  CHECK(traced(Text{hostile, true}, context) == "a\\033]0;x\\007b\n\tc");
  CHECK(traced(Text{hostile}, context) == hostile);  // a literal of the program
  CHECK(traced(Text{"gr\xc3\xb6\xc3\x9f"
                    "e",
                    true},
               context) ==
        "gr\xc3\xb6\xc3\x9f"
        "e");
}

TEST_CASE("integers stand in columns of their size and sign") {
  CHECK(traced(i64(-3)) == "                  -3");
  CHECK(traced(u64(~uint64_t{0})) == " 18446744073709551615");
  CHECK(traced(u64(7)) == "                    7");
  CHECK(traced(i64(7)) == "                   7");
  CHECK(traced(i32(-1)) == "         -1");
  CHECK(traced(u32(0xffffffff)) == " 4294967295");
  CHECK(traced(i16(-2)) == "    -2");
  CHECK(traced(u16(0xfffe)) == " 65534");
  CHECK(traced(i8(-1)) == "  -1");
  CHECK(traced(u8(0xff)) == " 255");
}

TEST_CASE("quiet integers are bare") {
  CHECK(quiet(i64(-3)) == "-3");
  CHECK(quiet(u64(~uint64_t{0})) == "18446744073709551615");
  CHECK(quiet(i32(-1)) == "-1");
  CHECK(quiet(u32(0xffffffff)) == "4294967295");
  CHECK(quiet(i8(0xff)) == "-1");
  CHECK(quiet(u8(0xff)) == "255");
}

TEST_CASE("bits above an integer's size are ignored") {
  CHECK(quiet(Integer{0xffffffff00000001, 4, true}) == "1");
  CHECK(quiet(Integer{0x1ff, 1, false}) == "255");
}

TEST_CASE("the reference's example row") {
  RowPrinter rows;
  std::string out;
  const RowSite site{0, 1, 0, "dtrace", "", "BEGIN"};
  rows.begin(out, site);
  out.clear();
  rows.begin(out, site);
  for (const Value &value : {i32(1), i8(65), i16(-2), i64(-3), text("abc")}) append_trace(out, value, {});
  rows.end(out);
  CHECK(out == "  0      1                           :BEGIN           1  65    -2                  -3  abc" +
                   std::string(30, ' ') + "\n");
}

TEST_CASE("strings end at their NUL") {
  CHECK(traced(text(std::string_view("hi\0junk", 7))) == "  hi" + std::string(31, ' '));
  CHECK(quiet(text(std::string_view("hi\0junk", 7))) == "hi");
  CHECK(traced(text("")) == std::string(35, ' '));
  const std::string wide(40, 'w');
  CHECK(traced(text(wide)) == "  " + wide);
}

TEST_CASE("byte data of alignment 1 may be text") {
  CHECK(traced(Bytes{{"ab\0\0", 4}, 1}) == "  ab" + std::string(31, ' '));
  CHECK(traced(Bytes{"abcd", 1}) == "  abcd" + std::string(29, ' '));
  CHECK(quiet(Bytes{{"ab\0\0", 4}, 1}) == "ab");
  CHECK(quiet(Bytes{"a\tb\n\a\b", 1}) == "a\tb\n\a\b");
  CHECK(traced(Bytes{{"ab\0c", 4}, 1}).starts_with("\n"));
  CHECK(traced(Bytes{{"\0ab", 3}, 1}).starts_with("\n"));
  CHECK(traced(Bytes{"ab\x01", 1}).starts_with("\n"));
  CHECK(traced(Bytes{{"ab\0\0", 4}, 4}).starts_with("\n"));
}

TEST_CASE("the raw dump of the reference") {
  const std::string bytes = std::string(8, '\0') + "Hi" + std::string(10, '\0');
  const std::string expected =
      "\n"
      "             0  1  2  3  4  5  6  7  8  9  a  b  c  d  e  f  0123456789abcdef\n"
      "         0: 00 00 00 00 00 00 00 00 48 69 00 00 00 00 00 00  ........Hi......\n"
      "        10: 00 00 00 00                                      ....\n";
  CHECK(traced(Bytes{bytes, 8}) == expected);
  CHECK(quiet(Bytes{bytes, 8}) == expected);
  std::string out;
  append_dump(out, bytes);
  CHECK(out == expected);
}

TEST_CASE("an empty dump prints nothing") { CHECK(traced(Bytes{"", 1}).empty()); }

TEST_CASE("rawbytes dumps everything but scalars") {
  TextContext context;
  context.raw_bytes = true;
  CHECK(traced(text("abc"), context) ==
        "\n             0  1  2  3  4  5  6  7  8  9  a  b  c  d  e  f  0123456789abcdef\n"
        "         0: 61 62 63                                         abc\n");
  CHECK(traced(i32(5), context) == "          5");
}

TEST_CASE("kernel stacks print indented, ending at a zero frame") {
  FixedSymbols symbols;
  TextContext context;
  context.symbolizer = &symbols;
  const uint64_t frames[] = {0x101c, 0x2085, 0x2000, 0x8001, 0x42, 0, 0x1000};
  CHECK(traced(KernelStack{frames}, context) ==
        "\n"
        "              module`function+0x1c\n"
        "              module`caller+0x85\n"
        "              module`caller\n"
        "              module`0x8001\n"
        "              0x42\n");
  context.stack_indent = 2;
  context.quiet = true;
  CHECK(traced(KernelStack{std::span(frames).first(1)}, context) == "\n  module`function+0x1c\n");
}

TEST_CASE("user stacks resolve in their process") {
  FixedSymbols symbols;
  TextContext context;
  context.symbolizer = &symbols;
  const uint64_t frames[] = {0x404, 0x9ff, 0x1};
  CHECK(traced(UserStack{7, frames}, context) ==
        "\n              a.out`main+0x4\n              libc.so.6`0x9ff\n              0x1\n");
  CHECK(traced(UserStack{7, frames}) == "\n              0x404\n              0x9ff\n              0x1\n");
}

TEST_CASE("symbol values by kind") {
  FixedSymbols symbols;
  TextContext context;
  context.symbolizer = &symbols;
  const auto column = [&](SymbolKind kind, uint64_t address) { return traced(Symbol{kind, 7, address}, context); };
  CHECK(column(SymbolKind::kSym, 0x101c) == "  " + padded("module`function", 50));
  CHECK(column(SymbolKind::kFunc, 0x101c) == "  " + padded("module`function", 50));
  CHECK(column(SymbolKind::kMod, 0x101c) == "  " + padded("module", 50));
  CHECK(column(SymbolKind::kUsym, 0x404) == "  " + padded("a.out`main", 50));
  CHECK(column(SymbolKind::kUfunc, 0x404) == "  " + padded("a.out`main", 50));
  CHECK(column(SymbolKind::kUmod, 0x404) == "  " + padded("a.out", 50));
  CHECK(column(SymbolKind::kUaddr, 0x404) == "  " + padded("a.out`main+0x4", 50));
  CHECK(column(SymbolKind::kSym, 0x42) == "  " + padded("0x42", 50));
}
