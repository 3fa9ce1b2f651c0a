// SPDX-License-Identifier: Apache-2.0
// The ways through a function, on functions that are drawn as lists of instructions of one byte each.
#include <catch2/catch.hpp>

#include <cstdint>
#include <set>
#include <vector>

#include "runtime/user/function_flow.h"

namespace dtrace::runtime {
namespace {

using Kind = Instruction::Kind;
using Addresses = std::vector<uint64_t>;

constexpr uint64_t kStart = 0x1000;

/// An instruction, and where it jumps to, by index.
struct Line {
  Kind kind = Kind::kOther;
  int to = -1;
};

constexpr Line kOn{Kind::kOther}, kNop{Kind::kNop}, kReturn{Kind::kReturn}, kCases{Kind::kIndirectJump};
Line jump(int to) { return {Kind::kJump, to}; }
Line branch(int to) { return {Kind::kBranch, to}; }

class Drawn {
 public:
  explicit Drawn(const std::vector<Line> &lines) : code_(of(lines)), flow_(code_, kStart) {}
  const FunctionFlow &operator*() const { return flow_; }
  const FunctionFlow *operator->() const { return &flow_; }

 private:
  static std::vector<Instruction> of(const std::vector<Line> &lines) {
    std::vector<Instruction> code;
    for (const Line &line : lines) {
      Instruction one;
      one.offset = static_cast<uint32_t>(code.size());
      one.size_bytes = 1;
      one.kind = line.kind;
      if (line.to >= 0) one.target = kStart + static_cast<uint64_t>(line.to);
      code.push_back(one);
    }
    return code;
  }
  std::vector<Instruction> code_;
  FunctionFlow flow_;
};

/// The part that has these instructions.
FunctionFlow::IsInside part(std::set<uint64_t> indexes) {
  return [indexes = std::move(indexes)](uint64_t address) { return indexes.contains(address - kStart); };
}

Addresses at(std::initializer_list<uint64_t> indexes) {
  Addresses result;
  for (const uint64_t index : indexes) result.push_back(kStart + index);
  return result;
}

}  // namespace

TEST_CASE("a part of straight code begins once, however often it is left", "[flow]") {
  const Drawn flow({kOn, kOn, kOn, kOn, kOn, kReturn});
  CHECK(flow->first_of(part({1, 2, 4})) == at({1}));
  CHECK(flow->first_of(part({0})) == at({0}));
  CHECK(flow->first_of(part({})).empty());
}

TEST_CASE("a part that two ways lead to begins on each", "[flow]") {
  const Drawn flow({branch(3), kOn, jump(4), kOn, kReturn});
  CHECK(flow->first_of(part({1, 3})) == at({1, 3}));
  CHECK(flow->first_of(part({4})) == at({4}));
}

TEST_CASE("code that only a table of cases leads to is reached", "[flow]") {
  const Drawn flow({kOn, kCases, kOn, kReturn, kOn, kReturn});
  CHECK(flow->first_of(part({3, 5})) == at({3, 5}));
  CHECK(flow->first_of(part({4})) == at({4}));
}

TEST_CASE("padding behind a jump leads nowhere", "[flow]") {
  const Drawn flow({jump(3), kNop, kOn, branch(2), kReturn});
  CHECK(flow->first_of(part({2, 3})) == at({3}));
}

TEST_CASE("a loop of the part is entered where something leads into it", "[flow]") {
  // 1: for (;;) { 2; 3 } 4
  const Drawn flow({kOn, jump(2), kOn, branch(2), kReturn});
  const Result<Addresses> before = flow->before_loop(kStart + 2, part({2, 3}));
  REQUIRE(before);
  CHECK(*before == at({1}));
  // The loop is the caller's when it leaves the part.
  const Result<Addresses> callers = flow->before_loop(kStart + 2, part({2}));
  REQUIRE(callers);
  CHECK(*callers == at({2}));
}

TEST_CASE("of loops in each other the outermost of the part counts", "[flow]") {
  //                0    1    2    3          4          5
  const Drawn flow({kOn, kOn, kOn, branch(2), branch(1), kReturn});
  const Result<Addresses> whole = flow->before_loop(kStart + 1, part({1, 2, 3, 4}));
  REQUIRE(whole);
  CHECK(*whole == at({0}));
  const Result<Addresses> inner = flow->before_loop(kStart + 2, part({2, 3}));
  REQUIRE(inner);
  CHECK(*inner == at({1}));
}

TEST_CASE("a loop that a conditional jump leads into has no place before it", "[flow]") {
  const Drawn flow({branch(3), kOn, jump(5), kOn, branch(3), kReturn});
  const Result<Addresses> before = flow->before_loop(kStart + 3, part({3, 4}));
  REQUIRE_FALSE(before);
  CHECK(before.error().text().find("a conditional jump leads into it") != std::string::npos);
  const Drawn closed({jump(3), kOn, branch(1), kReturn});
  const Result<Addresses> nothing = closed->before_loop(kStart + 1, part({1, 2}));
  REQUIRE_FALSE(nothing);
  CHECK(nothing.error().text().find("nothing is known of what leads into it") != std::string::npos);
}

TEST_CASE("what leads to an instruction and to nothing else", "[flow]") {
  const Drawn flow({branch(3), kOn, jump(4), kNop, kReturn});
  CHECK(flow->only_sources(kStart + 4) == at({2, 3}));
  CHECK(flow->only_sources(kStart + 3).empty());      // a conditional jump
  CHECK(flow->only_sources(kStart + 0x100).empty());  // not in the function
  CHECK(flow->only_sources(kStart - 1).empty());
}

TEST_CASE("addresses that no way inside the part leads to from another", "[flow]") {
  //                0    1    2    3          4    5    6          7
  const Drawn flow({kOn, kOn, kOn, branch(2), kOn, kOn, branch(1), kReturn});
  CHECK(flow->apart(at({1, 5}), part({1, 2, 3, 5})) == at({1, 5}));  // 4 is outside
  CHECK(flow->apart(at({1, 5}), part({1, 2, 3, 4, 5})) == at({1}));
  CHECK(flow->apart(at({2, 3}), part({2, 3})) == at({2}));  // they lead to each other
  CHECK(flow->apart(at({1, 2}), part({2, 5, 6, 1})) == at({1}));
  CHECK(flow->apart(at({2, 5}), part({5, 6, 1, 2})) == at({5}));  // the later one leads to the first
  CHECK(flow->apart({}, part({1})).empty());
  CHECK(flow->apart(at({0, 9}), part({0})) == at({0, 9}));
}

TEST_CASE("instructions that are reached as often as one before them", "[flow]") {
  //                0    1     2          3    4            5    6
  const Drawn flow({kOn, kNop, branch(5), kOn, {Kind::kCall}, kOn, kReturn});
  CHECK(flow->straight_from(kStart) == at({0, 1, 2}));
  CHECK(flow->straight_from(kStart + 3) == at({3, 4}));
  CHECK(flow->straight_from(kStart + 5) == at({5, 6}));
  CHECK(flow->straight_from(kStart + 9) == at({9}));
}

TEST_CASE("jumps from the part, and padding", "[flow]") {
  const Drawn flow({kOn, branch(4), kOn, kNop, kOn, kReturn});
  CHECK(flow->is_jumped_to(kStart + 4, part({1, 4})));
  CHECK_FALSE(flow->is_jumped_to(kStart + 4, part({3, 4})));  // it only goes on there
  CHECK_FALSE(flow->is_jumped_to(kStart + 9, part({1, 4})));
  CHECK(flow->has_jumps(part({0, 1})));
  CHECK_FALSE(flow->has_jumps(part({0, 2, 3, 4, 5})));
  CHECK_FALSE(flow->has_computed_jumps(part({0, 1})));
  const Drawn cases({kOn, kCases, kOn});
  CHECK(cases->has_jumps(part({1})));
  CHECK(cases->has_computed_jumps(part({1})));
  CHECK_FALSE(cases->has_computed_jumps(part({0, 2})));
  CHECK(flow->is_padding(kStart + 3));
  CHECK_FALSE(flow->is_padding(kStart + 4));
  CHECK_FALSE(flow->is_padding(kStart + 9));
}

TEST_CASE("a function without instructions has no ways", "[flow]") {
  const Drawn flow({});
  CHECK(flow->first_of(part({0})).empty());
  CHECK(flow->apart(at({0}), part({0})) == at({0}));
  const Result<Addresses> before = flow->before_loop(kStart, part({0}));
  REQUIRE(before);
  CHECK(*before == at({0}));
}

}  // namespace dtrace::runtime
