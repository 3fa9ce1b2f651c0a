// SPDX-License-Identifier: Apache-2.0
// Where arguments and results lie, by the System V ABI for x86-64, section 3.2.3.
#include "runtime/probes/providers/calling_convention.h"

#include <catch2/catch.hpp>
#include <string>

using namespace dtrace;
using namespace dtrace::runtime;

namespace {

const arch::CallingConvention &kCalls = arch::kX86_64.calls;

/// "w0 k1 s6 ...": w a word, k a struct in registers, s one on the stack, p one that is pointed to.
std::string text(const std::vector<ProbeArg> &args) {
  std::string result;
  for (const ProbeArg &arg : args) {
    result += result.empty() ? "" : " ";
    result += "wksp"[static_cast<size_t>(arg.place)];
    result += std::to_string(arg.source);
  }
  return result;
}

struct Types {
  TypeTable types;
  TypeId integer = types.int_type(), word = types.long_type(), pointer = types.pointer_to(types.char_type());
  TypeId small = record("small", 1), pair = record("pair", 2), large = record("large", 3);

  TypeId record(const char *name, unsigned words) {
    const TypeId tag = types.declare_tag(TagKind::kStruct, name);
    std::vector<TypeTable::NewMember> members;
    for (unsigned i = 0; i < words; i++) members.push_back({"m" + std::to_string(i), types.long_type()});
    types.complete_struct(tag, members);
    return tag;
  }
  std::string passed(TypeId result, std::vector<TypeId> params) const {
    return text(passed_values(kCalls, types, result, params));
  }
};

}  // namespace

TEST_CASE("calling convention: numbers and pointers take a word each", "[convention]") {
  Types t;
  CHECK(t.passed(t.integer, {}).empty());
  CHECK(t.passed(t.integer, {t.integer, t.pointer, t.word}) == "w0 w1 w2");
  CHECK(t.passed(t.types.void_type(), std::vector<TypeId>(9, t.integer)) == "w0 w1 w2 w3 w4 w5 w6 w7 w8");
}

TEST_CASE("calling convention: structs of up to two words are in registers", "[convention]") {
  Types t;
  CHECK(t.passed(t.integer, {t.pointer, t.small, t.integer}) == "w0 k1 w2");
  CHECK(t.passed(t.integer, {t.pointer, t.pair, t.integer}) == "w0 k1 w3");
}

TEST_CASE("calling convention: a struct is in registers as a whole or not at all", "[convention]") {
  Types t;
  const std::vector<TypeId> five(5, t.integer);
  std::vector<TypeId> params = five;
  params.insert(params.end(), {t.pair, t.integer, t.integer});
  CHECK(t.passed(t.integer, params) == "w0 w1 w2 w3 w4 s6 w5 w8");
}

TEST_CASE("calling convention: larger structs are on the stack", "[convention]") {
  Types t;
  CHECK(t.passed(t.integer, {t.pointer, t.large, t.integer, t.large}) == "w0 s6 w1 s9");
}

TEST_CASE("calling convention: results", "[convention]") {
  Types t;
  CHECK(text({returned_value(kCalls, t.types, t.integer, 1)}) == "w1");
  CHECK(text({returned_value(kCalls, t.types, t.small, 1)}) == "k1");
  CHECK(text({returned_value(kCalls, t.types, t.pair, 1)}) == "k1");
  CHECK(text({returned_value(kCalls, t.types, t.large, 1)}) == "p1");
  // The address of the result is the first argument.
  CHECK(t.passed(t.large, {t.integer, t.pair}) == "w1 k2");
  CHECK(t.passed(t.pair, {t.integer}) == "w0");
}
