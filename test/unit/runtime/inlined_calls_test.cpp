// SPDX-License-Identifier: Apache-2.0
// Calls that were inlined in a program that this compiler has built: which there are, where their code is, and where it
// begins.

#include <algorithm>
#include <catch2/catch.hpp>
#include <map>
#include <string>
#include <vector>

#include "test/unit/runtime/debug_info_fixture.h"
#include "test/unit/runtime/kernel_lacks.h"

namespace dtrace::runtime {
namespace {

/// Its .dwo files are opened below the root of the process.
bool is_split(const std::string &program) { return program.ends_with("_split"); }

struct Inlined : DebugInfoFixture {
  explicit Inlined(const std::string &name) : DebugInfoFixture(name) {
    for (const InlinedCalls::Function &function : info->inlined().functions())
      functions[std::string(function.name)] = &function;
  }
  InlinedCalls &calls() { return info->inlined(); }
  UserFunction caller() { return function("caller"); }

  std::map<std::string, const InlinedCalls::Function *> functions;
};

}  // namespace

TEST_CASE("inlined calls are those of functions that the program has, by function", "[inlined]") {
  const std::string program = GENERATE("inlined_O0", "inlined_O2", "inlined_O2_split");
  if (is_split(program)) SKIP_WITHOUT(kOpenInRoot);
  INFO(program);
  Inlined p(program);
  REQUIRE(p.functions.size() == 4);
  CHECK(p.functions.at("once")->calls.size() == 1);
  CHECK(p.functions.at("in_loop")->calls.size() == 1);
  CHECK(p.functions.at("outer")->calls.size() == 1);
  CHECK(p.functions.at("inner")->calls.size() == 2);
  CHECK(p.calls().is_whole());
  CHECK(InlinedCalls::line_of(p.calls().call(p.functions.at("once")->calls[0])) == 26);
  CHECK(InlinedCalls::line_of(p.calls().call(p.functions.at("in_loop")->calls[0])) == 27);
}

TEST_CASE("an inlined call's code is in the function around it, ascending", "[inlined]") {
  const std::string program = GENERATE("inlined_O0", "inlined_O2", "inlined_O2_split");
  if (is_split(program)) SKIP_WITHOUT(kOpenInRoot);
  INFO(program);
  Inlined p(program);
  const UserFunction caller = p.caller();
  for (const auto &[name, function] : p.functions) {
    for (const uint32_t number : function->calls) {
      INFO(name);
      const InlinedCalls::Call &call = p.calls().call(number);
      const std::vector<InlinedCalls::Piece> pieces = p.calls().pieces(call);
      REQUIRE_FALSE(pieces.empty());
      CHECK(std::ranges::is_sorted(pieces));
      CHECK(pieces.front().first >= caller.address);
      CHECK(pieces.back().second <= caller.address + caller.size_bytes);
      // gcc's entry may be the end of an empty piece.
      if (const std::optional<uint64_t> entry = InlinedCalls::stated_entry(call)) {
        CHECK(*entry >= caller.address);
        CHECK(*entry < caller.address + caller.size_bytes);
      }
    }
  }
  // A call in a call has a part of its code.
  const std::vector<InlinedCalls::Piece> around = p.calls().pieces(p.calls().call(p.functions.at("outer")->calls[0]));
  for (const uint32_t number : p.functions.at("inner")->calls)
    for (const InlinedCalls::Piece &piece : p.calls().pieces(p.calls().call(number)))
      CHECK(std::ranges::any_of(
          around, [&](const auto &one) { return one.first <= piece.first && piece.second <= one.second; }));
}

TEST_CASE("gcc marks where each copy of an inlined call's code begins", "[inlined]") {
  const std::string program = GENERATE("inlined_O2", "inlined_O2_split");
  if (is_split(program)) SKIP_WITHOUT(kOpenInRoot);
  INFO(program);
  Inlined p(program);
  const InlinedCalls::Call &once = p.calls().call(p.functions.at("once")->calls[0]);
  if (p.calls().marks_of_copies(once) != InlinedCalls::Marks::kAll) {  // clang
    CHECK(p.calls().marks_of_copies(once) == InlinedCalls::Marks::kNone);
    CHECK(p.calls().marked_begins(std::vector{p.functions.at("once")}).empty());
    return;
  }
  for (const auto &[name, function] : p.functions) {
    INFO(name);
    const std::vector<InlinedCalls::Begin> begins = p.calls().marked_begins(std::vector{function});
    for (const uint32_t number : function->calls) {
      const auto own = std::ranges::find(begins, number, &InlinedCalls::Begin::call);
      REQUIRE(own != begins.end());
      CHECK_FALSE(own->is_shared);
      CHECK(own->address >= p.caller().address);
      CHECK(own->address < p.caller().address + p.caller().size_bytes);
    }
  }
  CHECK(p.calls().marked_begins({}).empty());
}

TEST_CASE("rows of the line and column that come least often bound the number of copies", "[inlined]") {
  Inlined p("inlined_O0");
  const InlinedCalls::Call &once = p.calls().call(p.functions.at("once")->calls[0]);
  const uint64_t begin = p.calls().pieces(once).front().first;
  CHECK(p.calls().repeated_rows(once, begin, [](uint64_t) { return true; }).size() == 1);
  CHECK(p.calls().repeated_rows(once, begin, [](uint64_t) { return false; }).empty());
}

}  // namespace dtrace::runtime
