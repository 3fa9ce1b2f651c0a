// SPDX-License-Identifier: Apache-2.0
// json() of the BPF library. Source: the D language reference, 4.5.
#include "test/unit/bpf/slot.h"

using namespace dtrace::test;

namespace {

std::string element(std::string_view text, std::string_view path) {
  Slot slot;
  const __s64 length = dt_json(slot.get(), slot.put(Slot::kA, text), Slot::kSpace, slot.put(Slot::kB, path));
  if (length < 0) return "<none>";
  const __u64 at = slot.loop().i;
  REQUIRE(at >= Slot::kA);
  REQUIRE(at + static_cast<__u64>(length) < Slot::kA + Slot::kSpace);
  return slot.text(at, static_cast<size_t>(length));
}

constexpr const char *kText = R"({"a":{"b":[1,2,{"c":"z","d":null}],"ab":-1.5e3},"x":"q\"[{","y":true , "":7})";

}  // namespace

TEST_CASE("json: elements by path") {
  CHECK(element(kText, "a.b[0]") == "1");
  CHECK(element(kText, "a.b[2].c") == "z");
  CHECK(element(kText, "a.b[2].d") == "null");
  CHECK(element(kText, "a.b") == R"([1,2,{"c":"z","d":null}])");
  CHECK(element(kText, "a.b[2]") == R"({"c":"z","d":null})");
  CHECK(element(kText, "a.ab") == "-1.5e3");
  CHECK(element(kText, "x") == R"(q\"[{)");
  CHECK(element(kText, "y") == "true");
  CHECK(element(" [ [ 1 , 2 ] , [ 3 ] ] ", "[1][0]") == "3");
}

TEST_CASE("json: what is not there") {
  for (const char *path : {"b", "a.c", "a.b[3]", "a.b[2].e", "a.b.c", "x.y", "y[0]", "a.b[2].c.d", "ax"}) {
    CAPTURE(path);
    CHECK(element(kText, path) == "<none>");
  }
}

TEST_CASE("json: malformed texts end the search") {
  for (const char *text : {"", "{", "[", "{\"a\"", "{\"a\":", "{\"a\":\"", "{\"a\":\"x\\", "{a:1}", "}",
                           "{\"a\":{\"a\":", "{\"b\":[", "{\"b\":\"\\\"", ",", "{\"a\" 1}", "{,\"a\":1}"}) {
    CAPTURE(text);
    CHECK(element(text, "a") == "<none>");
  }
  for (const char *text : {"[,,5]", "[},5]", "[1,,5]"}) {
    CAPTURE(text);
    CHECK(element(text, "[2]") == "<none>");
  }
  // Whatever is cut off anywhere.
  const std::string whole = kText;
  for (size_t size = 0; size < whole.size(); ++size) {
    for (const char *path : {"a.b[2].d", "x", "", "[", "a[", "a.", ".a", "a.b[99999999999999999999]"}) {
      element(whole.substr(0, size), path);
    }
  }
}
