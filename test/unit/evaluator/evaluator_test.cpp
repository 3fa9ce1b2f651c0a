// SPDX-License-Identifier: Apache-2.0
// The evaluator on typed trees of the checker, over its made-up kernel. Each test says what a program in the kernel
// would do; that the two are the same the golden scripts show (test/agree).
#include "evaluator/evaluator.h"

#include <catch2/catch.hpp>
#include <cstring>
#include <map>

#include "test/unit/frontend/check_fixture.h"

using namespace dtrace;
using namespace dtrace::evaluator;

namespace {

/// A firing with some arguments, of a process whose memory holds a text at 0x1000.
class FakeFiring final : public Leaves {
 public:
  std::map<Variable, uint64_t> numbers{{Variable::k_pid, 42}, {Variable::k_arg0, ~uint64_t{0}}};

  uint64_t number(const tree::Expr &leaf) override {
    const auto *builtin = std::get_if<tree::BuiltinRef>(&leaf.node);
    if (builtin == nullptr || !numbers.contains(builtin->var)) throw NotTold{&leaf};
    return numbers.at(builtin->var);
  }
  MaybeText text(const tree::Expr &leaf) override {
    const auto *builtin = std::get_if<tree::BuiltinRef>(&leaf.node);
    if (builtin == nullptr || builtin->var != Variable::k_execname) throw NotTold{&leaf};
    return "cat";
  }
  std::vector<std::byte> bytes(const tree::Expr &leaf) override { throw NotTold{&leaf}; }
  std::string read_text(Space space, uint64_t address, uint64_t most) override {
    if (address != 0x1000) return Leaves::read_text(space, address, most);
    return std::string("hello").substr(0, most);
  }
};

/// One program over the checker's made-up kernel: `BEGIN { TEXT }`, whose statements are evaluated in order.
class Machine {
 public:
  explicit Machine(std::string_view text, std::string_view declarations = "") {
    INFO(text);
    if (!check_.program(fmt::format("{}\nBEGIN {{ {} }}", declarations, text))) FAIL(check_.message());
    variables_.emplace(check_.unit, check_.types);
    variables_->begin_firing(1);
    evaluator_.emplace(Evaluator::Parts{.unit = check_.unit,
                                        .types = check_.types,
                                        .variables = *variables_,
                                        .memory = memory_,
                                        .leaves = firing,
                                        .lose = [this](Cause cause) { lost[cause]++; },
                                        .start_speculation = [] { return uint64_t{1}; }});
    evaluator_->begin_firing();
    evaluator_->begin_clause();
  }
  /// Runs all statements; of trace(), what it would record.
  std::vector<std::string> run() {
    std::vector<std::string> traced;
    for (const tree::Stmt &stmt : check_.unit.programs.back().clauses.back().body) {
      if (const auto *expr = std::get_if<tree::Evaluate>(&stmt.node)) evaluator_->evaluate(*expr->expr);
      const auto *action = std::get_if<tree::Action>(&stmt.node);
      if (action == nullptr) continue;
      const tree::Expr &value = *action->values.front();
      if (check_.types.is_string(value.type))
        traced.push_back(evaluator_->text(value).value_or("NULL"));
      else
        traced.push_back(std::to_string(static_cast<int64_t>(evaluator_->number(value))));
    }
    return traced;
  }
  Fault fault() {
    try {
      run();
    } catch (const Fault &fault) {
      return fault;
    }
    return {};
  }

  FakeFiring firing;
  std::map<Cause, int> lost;

 private:
  test::Check check_;
  std::optional<Variables> variables_;
  Memory memory_{256};
  std::optional<Evaluator> evaluator_;
};

std::string value_of(std::string_view text, std::string_view declarations = "") {
  const std::vector<std::string> traced = Machine(text, declarations).run();
  std::string all;
  for (const std::string &value : traced) all += (all.empty() ? "" : " ") + value;
  return all;
}

}  // namespace

TEST_CASE("evaluator: numbers have 64 bits until they are stored") {
  CHECK(value_of("x = 1; trace((x << 33) >> 33);") == "1");
  CHECK(value_of("c = 200; trace((char)c); trace((unsigned char)c);", "int c;") == "-56 200");
  CHECK(value_of("u = 0; trace(u - 1 > 0);", "unsigned int u;") == "1");
  CHECK(value_of("u = -1; trace(u); u++; trace(u);", "unsigned int u;") == "4294967295 0");
  CHECK(value_of("x = -7; trace(x / 2); trace(x % 2); trace(x >> 1);") == "-3 -1 -4");
  CHECK(value_of("x = 0; trace(x++ + ++x); trace(x);") == "2 2");
  CHECK(value_of("trace(pid); trace(arg0);") == "42 -1");
}

TEST_CASE("evaluator: logic does not evaluate more than it needs") {
  CHECK(value_of("x = 0; y = 0 && x++; z = 1 || x++; trace(x); trace(1 ^^ x);") == "0 1");
  CHECK(value_of("x = 2; trace(x > 1 ? x : 1 / x);") == "2");
}

TEST_CASE("evaluator: variables that were not assigned are zeros") {
  CHECK(value_of("trace(a[1]); a[1] = 5; trace(a[1]); a[1] = 0; trace(a[1]); a[2] += 3; trace(a[2]);", "int a[int];") ==
        "0 5 0 3");
  CHECK(value_of("trace(self->x); self->x = 3; self->x++; trace(self->x);", "self int x;") == "0 4");
  CHECK(value_of("trace(s[\"k\", 1] == NULL); s[\"k\", 1] = \"v\"; trace(s[\"k\", 1]);", "string s[string, int];") ==
        "1 v");
}

TEST_CASE("evaluator: strings") {
  CHECK(value_of("s = \"abc\"; s[1] = 'X'; trace(s); trace(s[2]);", "string s;") == "aXc 99");
  CHECK(value_of("trace(strjoin(\"ab\", \"cd\")); trace(execname == \"cat\"); trace(\"a\" < \"b\");") == "abcd 1 1");
  CHECK(value_of("trace(strtok(\"a b\", \" \")); trace(strtok(NULL, \" \")); trace(strtok(NULL, \" \") == NULL);") ==
        "a b 1");
  CHECK(value_of("trace(stringof((char *)0x1000));") == "hello");
}

TEST_CASE("evaluator: a string that is too long is cut, and counted") {
  Machine machine("s = strjoin(\"0123456789012345678901234567890123456789\", s); trace(strlen(s));", "string s;");
  Machine twice(
      "s = \"0123456789012345678901234567890123456789012345678901234567890123456789\"; s = strjoin(s, s); "
      "s = strjoin(s, s); trace(strlen(s));",
      "string s;");
  CHECK(machine.run() == std::vector<std::string>{"40"});
  CHECK(machine.lost.empty());
  CHECK(twice.run() == std::vector<std::string>{"255"});
  CHECK(twice.lost[Cause::kStringCut] == 1);
}

TEST_CASE("evaluator: structures, bit-fields and pointers") {
  const std::string_view types =
      "struct pair { int a; int low : 3; unsigned int high : 29; char name[8]; }; struct pair p;";
  CHECK(value_of("p.a = -5; p.low = 3; p.high = 0x1fffffff; trace(p.a); trace(p.low); trace(p.high);", types) ==
        "-5 3 536870911");
  CHECK(value_of("p.low = 5; p.high = 1; trace(p.low); trace(p.high);", types) == "-3 1");
  CHECK(value_of("p.name[0] = 'o'; p.name[1] = 'k'; trace(stringof(p.name));", types) == "ok");
  CHECK(value_of("this->q = (int *)alloca(8); this->q[1] = 7; trace(*(this->q + 1));") == "7");
}

TEST_CASE("evaluator: faults") {
  CHECK(Machine("x = 0; trace(1 / x);").fault().kind == DT_FAULT_DIVZERO);
  CHECK(Machine("trace(strlen(self->s));", "self string s;").fault().kind == DT_FAULT_BADADDR);
  CHECK(Machine("x = 300; this->p = alloca(x);").fault().kind == DT_FAULT_NOSCRATCH);
  CHECK(Machine("trace(*(int *)8);").fault().value == 8);
  const Fault beyond = Machine("x = 9; p.a[x] = 1;", "struct pair { int a[4]; }; struct pair p;").fault();
  CHECK(beyond.kind == DT_FAULT_BADINDEX);
  CHECK(beyond.value == 9);
}
