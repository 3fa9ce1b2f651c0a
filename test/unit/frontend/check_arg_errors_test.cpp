// SPDX-License-Identifier: Apache-2.0
// Option argerrors=skip: which clauses are left, for which probes, and what is said of the others.
#include <catch2/catch.hpp>

#include "test/unit/frontend/check_fixture.h"

using namespace dtrace;
using namespace dtrace::test;

namespace {

/// "DESCRIPTION: PROBE PROBE", a line for each clause of the last program.
std::string clauses_of(Check &c) {
  std::string text;
  for (const tree::Clause &clause : c.unit.programs.back().clauses) {
    text += clause.desc.text() + ":";
    for (const ProbeId id : clause.probes) text += ' ' + c.probes.probe(id).name;
    text += '\n';
  }
  return text;
}

std::string warnings_of(const Check &c) {
  std::string text;
  for (const Diagnostic &warning : c.diags.warnings()) text += render(warning, c.front.sources(), {true, false}) + '\n';
  return text;
}

}  // namespace

TEST_CASE("argerrors=skip: the default refuses", "[check]") {
  CHECK(tag_of("BEGIN { }\nsdt:::lost { trace(arg1); }") == "D_ARGS_PLACE");
  Check c;
  c.option("argerrors", "refuse");
  CHECK_FALSE(c.program("BEGIN { }\nsdt:::lost { trace(arg1); }"));
}

TEST_CASE("argerrors=skip: a clause without its argument is left out", "[check]") {
  Check c;
  c.option("argerrors", "skip");
  REQUIRE(c.program("BEGIN { }\nsdt:::lost { trace(arg1); }\nEND { trace(1); }"));
  CHECK(clauses_of(c) == ":::BEGIN: BEGIN\n:::END: END\n");
  CHECK(c.unit.programs.back().matched == 2);
  CHECK(
      warnings_of(c) ==
      "[D_ARGS_PLACE] line 2: the clause of sdt:::lost is left out: the value of arg1 is not available in sdt:::lost: "
      "the compiler did not keep it\n");
}

TEST_CASE("argerrors=skip: probes that have the argument keep the clause", "[check]") {
  Check c;
  c.option("argerrors", "skip");
  REQUIRE(c.program("sdt::: { trace(arg1); }"));
  CHECK(clauses_of(c) == "sdt:::: untyped record thread\n");
  CHECK(warnings_of(c).starts_with("[D_ARGS_PLACE] line 1: the clause of sdt::: is left out for 1 of 4 probes: "));
  CHECK(c.unit.programs.back().matched == 3);
}

TEST_CASE("argerrors=skip: arguments of several types are as many clauses", "[check]") {
  Check c;
  c.option("argerrors", "skip");
  REQUIRE(c.program("syscall:::entry, syscall:::return { trace(args[2]); }\nsdt::: { trace(args[0]); }"));
  CHECK(clauses_of(c) ==
        "syscall:::entry: entry entry\n"
        "sdt:::: lost\n"
        "sdt:::: thread\n");
  CHECK(warnings_of(c) ==
        "[D_ARGS_IDX] line 1: the clause of syscall:::return is left out: index 2 is out of range for syscall:::return "
        "args[ ]\n"
        "[D_ARGS_TYPE] line 2: the clause of sdt::: is left out for 2 of 4 probes: failed to resolve native type for "
        "args[0]\n");
}

TEST_CASE("argerrors=skip: variables of programs", "[check]") {
  Check c;
  c.option("argerrors", "skip");
  REQUIRE(c.program("BEGIN, sdt:::lost, sdt:::thread { trace(locals->n); }\nsdt:::thread { trace(locals->gone); }"));
  CHECK(clauses_of(c) == "sdt:::lost: lost\nsdt:::thread: thread\n");
}

TEST_CASE("argerrors=skip: a key of another type than the first probes'", "[check]") {
  Check c;
  c.option("argerrors", "skip");
  REQUIRE(c.program("syscall::read: { @[args[1]] = count(); }\nsdt:::[lt]* { @b[args[0]] = count(); }"));
  CHECK(clauses_of(c) == "syscall::read:: entry\nsdt:::[lt]*: lost\n");
  CHECK(warnings_of(c).find("sdt:::[lt]* is left out for 1 of 2 probes") != std::string::npos);
}

TEST_CASE("argerrors=skip: a clause that uses what is assigned nowhere else is left out", "[check]") {
  Check c;
  c.option("argerrors", "skip");
  REQUIRE(
      c.program("sdt:::lost { self->x = arg1; @a[arg1] = count(); }\n"
                "BEGIN /self->x/ { trace(1); }\n"
                "END { printa(@a); }\n"
                "ERROR { trace(2); }"));
  CHECK(clauses_of(c) == ":::ERROR: ERROR\n");
  CHECK(warnings_of(c).find("line 2: the clause of :::BEGIN is left out: only clauses that are left out assign "
                            "self->x\n") != std::string::npos);
  CHECK(warnings_of(c).find("line 3: the clause of :::END is left out: only clauses that are left out assign @a\n") !=
        std::string::npos);
}

TEST_CASE("argerrors=skip: what a later clause assigns as well is used", "[check]") {
  Check c;
  c.option("argerrors", "skip");
  REQUIRE(
      c.program("sdt:::lost { @a[arg1] = count(); }\n"
                "BEGIN { printa(@a); }\n"
                "END { @a[1] = count(); }"));
  CHECK(clauses_of(c) == ":::BEGIN: BEGIN\n:::END: END\n");
  CHECK(c.diags.warnings().size() == 1);
}

TEST_CASE("argerrors=skip: other errors refuse the program", "[check]") {
  Check c;
  c.option("argerrors", "skip");
  CHECK_FALSE(c.program("BEGIN { }\nsdt:::lost { trace(arg1); trace(nosuch); }"));
  CHECK(c.messages().find("failed to resolve nosuch") != std::string::npos);
}

TEST_CASE("argerrors=skip: a program is refused if all its clauses would be left out", "[check]") {
  Check c;
  c.option("argerrors", "skip");
  CHECK_FALSE(c.program("sdt:::lost { trace(arg1); }"));
  CHECK(c.tag() == "D_ARGS_PLACE");
  CHECK(c.notes() == "all clauses would be left out");
}
