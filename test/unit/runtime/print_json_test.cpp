// SPDX-License-Identifier: Apache-2.0
// The JSON writer.
#include "runtime/print/json.h"

#include <catch2/catch.hpp>
#include <limits>

using namespace dtrace;
using namespace dtrace::runtime;

namespace {

std::string quoted(std::string_view text) {
  std::string out;
  append_json_string(out, text);
  return out;
}

}  // namespace

TEST_CASE("nested JSON gets its commas") {
  std::string out;
  JsonWriter json(out);
  json.begin_object().member("a", 1).member("b", "x");
  json.key("c").begin_array().value(true).null().begin_object().end_object().value(-2.5).end_array();
  json.key("d").begin_array().end_array().member("e", uint64_t{18446744073709551615u}).end_object();
  CHECK(out == R"({"a":1,"b":"x","c":[true,null,{},-2.5],"d":[],"e":18446744073709551615})");
}

TEST_CASE("JSON integers of all widths") {
  std::string out;
  JsonWriter json(out);
  json.begin_array().value(int8_t{-1}).value(uint16_t{65535}).value(std::numeric_limits<int64_t>::min());
  json.value(std::string("s")).value(std::string_view("v")).value(std::numeric_limits<double>::infinity()).end_array();
  CHECK(out == R"([-1,65535,-9223372036854775808,"s","v",null])");
}

TEST_CASE("JSON strings are escaped") {
  CHECK(quoted("a\"b\\c/\n\t\r\b\f") == R"("a\"b\\c/\n\t\r\b\f")");
  CHECK(quoted(std::string_view("\0\x1f\x7f", 3)) == R"("\u0000\u001f\u007f")");
  CHECK(quoted("h\u00e9\u20ac\U0001f600") == "\"h\u00e9\u20ac\U0001f600\"");
}

TEST_CASE("bytes that are no UTF-8 become replacement characters") {
  CHECK(quoted("a\xff"
               "b") == R"("a\ufffdb")");
  CHECK(quoted("\xc3") == R"("\ufffd")");
  CHECK(quoted("\xc0\x80") == R"("\ufffd\ufffd")");
  CHECK(quoted("\xed\xa0\x80") == R"("\ufffd\ufffd\ufffd")");
  CHECK(quoted("\xf4\x90\x80\x80") == R"("\ufffd\ufffd\ufffd\ufffd")");
}

TEST_CASE("letters that a terminal obeys or does not show are written by their number") {
  CHECK(quoted("a\u202eb") == R"("a\u202eb")");
  CHECK(quoted("\xc2\x9b") == R"("\u009b")");
  CHECK(quoted("\u2028\u200b") == R"("\u2028\u200b")");
  CHECK(quoted("\U000e0001") == R"("\udb40\udc01")");
  CHECK(quoted("ä日😀") == "\"ä日😀\"");
}
