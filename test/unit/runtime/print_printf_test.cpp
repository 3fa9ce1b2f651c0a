// SPDX-License-Identifier: Apache-2.0
// printf(): every conversion, flags, and values at their own size and sign. C's printf is the oracle where D means the
// same.
#include "runtime/print/printf.h"

#include <catch2/catch.hpp>
#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <limits>

#include "test/unit/runtime/print_support.h"

using namespace dtrace;
using namespace dtrace::runtime;
using namespace dtrace::runtime::test;

namespace {

std::string printf_text(const char *format_text, std::vector<Value> values, const FormatContext &context = {}) {
  std::string out;
  append_printf(out, format(format_text), values, context);
  return out;
}

template <typename... Args>
std::string c_printf(const std::string &format_text, Args... args) {
  char buffer[512];
  std::snprintf(buffer, sizeof(buffer), format_text.c_str(), args...);
  return buffer;
}

}  // namespace

TEST_CASE("printf adds nothing to its format") {
  CHECK(printf_text("a %d b\n", {i32(1)}) == "a 1 b\n");
  CHECK(printf_text("100%%", {}) == "100%");
  CHECK(printf_text("no newline", {}) == "no newline");
}

TEST_CASE("%d goes by the argument's type, %i and %u do not") {
  CHECK(printf_text("%d %i %u", {u32(4000000000), u32(4000000000), i32(-294967296)}) ==
        "4000000000 -294967296 4000000000");
  CHECK(printf_text("%d %d", {i8(-1), u8(255)}) == "-1 255");
  CHECK(printf_text("%d", {u64(~uint64_t{0})}) == "18446744073709551615");
  CHECK(printf_text("%d", {i64(std::numeric_limits<int64_t>::min())}) == "-9223372036854775808");
}

TEST_CASE("%x and %o print a value at its own size") {
  CHECK(printf_text("%x", {i8(-1)}) == "ff");
  CHECK(printf_text("%x", {i16(-1)}) == "ffff");
  CHECK(printf_text("%X", {i32(-1)}) == "FFFFFFFF");
  CHECK(printf_text("%llx", {i64(-1)}) == "ffffffffffffffff");
  CHECK(printf_text("%o", {i8(-1)}) == "377");
  CHECK(printf_text("%hx %lx %llX", {i16(-2), i64(255), u64(255)}) == "fffe ff FF");
  CHECK(printf_text("%hhd %hhX %hhx", {i8(-2), i8(-1), i8(10)}) == "-2 FF a");
  CHECK(printf_text("%hd %ld %lld %hu", {i16(-2), i64(-3), i64(-4), u16(65535)}) == "-2 -3 -4 65535");
}

TEST_CASE("%p is hexadecimal without prefix") {
  CHECK(printf_text("%p", {u64(0xffff888100c0de00)}) == "ffff888100c0de00");
  CHECK(printf_text("%?p|%?x", {u64(0xabc), u64(1)}) == "             abc|               1");
}

TEST_CASE("integer layout is C's for all flags") {
  const std::string flag_sets[] = {"", "-", "0", "+", " ", "#", "-0", "+0", "#0", "#-", "+-", " 0", "-+#0 "};
  const std::string widths[] = {"", "1", "5", "12"};
  const std::string precisions[] = {"", ".", ".0", ".1", ".3", ".9"};
  const int64_t numbers[] = {0, 1, -1, 7, -7, 123, -123, 65535, -65536, std::numeric_limits<int64_t>::max()};
  for (const std::string &flags : flag_sets) {
    for (const std::string &width : widths) {
      for (const std::string &precision : precisions) {
        const std::string spec = "%" + flags + width + precision;
        for (const int64_t number : numbers) {
          INFO(spec << " of " << number);
          const auto wide = static_cast<long long>(number);
          CHECK(printf_text((spec + "d").c_str(), {i64(number)}) == c_printf(spec + "lld", wide));
          for (const char *conversion : {"u", "x", "X", "o"}) {
            if (conversion[0] == 'u' && flags.find('#') != std::string::npos) continue;  // undefined in C
            CHECK(printf_text((spec + conversion).c_str(), {u64(static_cast<uint64_t>(number))}) ==
                  c_printf(spec + "ll" + conversion, static_cast<unsigned long long>(number)));
          }
        }
      }
    }
  }
}

TEST_CASE("stars take width and precision from the arguments") {
  CHECK(printf_text("[%*d]", {i32(5), i32(42)}) == "[   42]");
  CHECK(printf_text("[%*d]", {i32(-5), i32(42)}) == "[42   ]");
  CHECK(printf_text("[%.*s]", {i32(2), text("abcdef")}) == "[ab]");
  CHECK(printf_text("[%.*s]", {i32(-1), text("abcdef")}) == "[abcdef]");
  CHECK(printf_text("[%*.*d]", {i32(6), i32(3), i32(7)}) == "[   007]");
}

TEST_CASE("strings and character arrays end at their NUL") {
  CHECK(printf_text("%s|%s", {text("abc"), Bytes{{"de\0f", 4}, 1}}) == "abc|de");
  CHECK(printf_text("[%5s][%-5s][%.2s][%5.1s]", {text("abc"), text("abc"), text("abc"), text("abc")}) ==
        "[  abc][abc  ][ab][    a]");
  CHECK(printf_text("%s", {text("")}).empty());
  CHECK(printf_text("%2s", {text("abc")}) == "abc");
}

TEST_CASE("%S escapes and stops at the NUL") {
  CHECK(printf_text("%S", {text(std::string_view("a\tb\"c\0\0", 7))}) == "a\\tb\\\"c");
  CHECK(printf_text("%S", {text("\\ \n \x01 \xff")}) == "\\\\ \\n \\001 \\377");
}

TEST_CASE("%c and %C") {
  CHECK(printf_text("%c%c", {i8('h'), i32('i')}) == "hi");
  CHECK(printf_text("%c", {i8(0)}) == std::string(1, '\0'));
  CHECK(printf_text("[%3c][%-3c]", {i8('x'), i8('x')}) == "[  x][x  ]");
  CHECK(printf_text("%C%C%C%C", {i8('a'), i8('\n'), i8(0), i8(1)}) == "a\\n\\0\\001");
  CHECK(printf_text("%C", {i8('"')}) == "\"");
}

TEST_CASE("wide characters print as UTF-8") {
  const uint32_t characters[] = {'h', 0xe9, 0x20ac, 0x1f600, 0, 'x'};
  const std::string_view bytes(reinterpret_cast<const char *>(characters), sizeof(characters));
  CHECK(printf_text("%ws|%ls", {Bytes{bytes}, Bytes{bytes.substr(0, 16)}}) ==
        "h\u00e9\u20ac\U0001f600|h\u00e9\u20ac\U0001f600");
  CHECK(printf_text("%wc%lc", {i32(0x41), i32(0x20ac)}) == "A\u20ac");
  CHECK(printf_text("%wc", {i32(0xd800)}) == "\ufffd");
}

TEST_CASE("%a and %A name addresses") {
  FixedSymbols symbols;
  FormatContext context;
  context.text.symbolizer = &symbols;
  CHECK(printf_text("%a|%a|%a", {u64(0x101c), u64(0x1000), u64(0x42)}, context) ==
        "module`function+0x1c|module`function|0x42");
  CHECK(printf_text("[%25a]", {u64(0x101c)}, context) == "[     module`function+0x1c]");
  CHECK(printf_text("%A", {u64(0x404)}, context) == "0x404");
  context.target_pid = 99;
  CHECK(printf_text("%A", {u64(0x404)}, context) == "a.out`main+0x4");
  CHECK(printf_text("%A", {Symbol{SymbolKind::kUsym, 7, 0x404}}, context) == "a.out`main");
  CHECK(printf_text("%a", {Symbol{SymbolKind::kSym, 0, 0x101c}}, context) == "module`function");
}

TEST_CASE("%k prints a stack indented by its left-aligned width") {
  FixedSymbols symbols;
  FormatContext context;
  context.text.symbolizer = &symbols;
  const uint64_t frames[] = {0x101c, 0x2085};
  CHECK(printf_text("%k", {KernelStack{frames}}, context) == "\nmodule`function+0x1c\nmodule`caller+0x85\n");
  CHECK(printf_text("%-4k", {KernelStack{frames}}, context) == "\n    module`function+0x1c\n    module`caller+0x85\n");
  CHECK(printf_text("%4k", {KernelStack{frames}}, context) == "\nmodule`function+0x1c\nmodule`caller+0x85\n");
  const uint64_t user[] = {0x404};
  CHECK(printf_text("%*k", {i32(-2), UserStack{1, user}}, context) == "\n  a.out`main+0x4\n");
}

TEST_CASE("%Y and %T print wall time") {
  ::setenv("TZ", "UTC", 1);
  ::tzset();
  const int64_t ns = int64_t{1700000000} * 1'000'000'000 + 999;  // 14 November 2023, 22:13:20
  CHECK(printf_text("%Y", {i64(ns)}) == "2023 Nov 14 22:13:20");
  CHECK(printf_text("%T", {u64(static_cast<uint64_t>(ns))}) == "Tue, 14 Nov 2023 22:13:20 UTC");
  CHECK(printf_text("%Y", {i64(0)}) == "1970 Jan  1 00:00:00");
  CHECK(printf_text("[%22Y]", {i64(0)}) == "[  1970 Jan  1 00:00:00]");
}

TEST_CASE("%P and %I look names up, or print what they got") {
  class Names : public NameLookup {
   public:
    std::string service(uint16_t port) override { return port == 22 ? "ssh" : ""; }
    std::string host(std::string_view address) override { return address == "10.0.0.1" ? "gateway" : ""; }
  } names;
  FormatContext context;
  CHECK(printf_text("%P %I", {u16(22), text("10.0.0.1")}, context) == "22 10.0.0.1");
  context.names = &names;
  CHECK(printf_text("%P %P %I %I", {u16(22), u16(9), text("10.0.0.1"), text("10.0.0.2")}, context) ==
        "ssh 9 gateway 10.0.0.2");
}

TEST_CASE("floating point as C prints it") {
  CHECK(printf_text("%f %.2f %8.3f", {Floating{1.5}, Floating{2.0L / 3}, Floating{-1}}) == "1.500000 0.67   -1.000");
  CHECK(printf_text("%e %E %g %G", {Floating{1.5}, Floating{1.5}, Floating{1e-10L}, Floating{1e-10L}}) ==
        "1.500000e+00 1.500000E+00 1e-10 1E-10");
  CHECK(printf_text("%Lf", {Floating{0.25L}}) == "0.250000");
  CHECK(printf_text("[%-10.1f][%+d]", {Floating{2.25}, i32(3)}) == "[2.2       ][+3]");
}

TEST_CASE("the grouping flag follows the locale, which is C here") {
  CHECK(printf_text("%'d", {i32(1234567)}) == "1234567");
}

TEST_CASE("values that do not fit print as best they can") {
  CHECK(printf_text("%s", {i32(-5)}) == "-5");
  CHECK(printf_text("%d", {text("x")}) == "0");
  CHECK(printf_text("%d %d", {i32(1)}) == "1 0");
}
