// SPDX-License-Identifier: Apache-2.0
// Clauses: probe matching, predicates, if, order of speculating statements.
#include <catch2/catch.hpp>

#include "test/unit/frontend/check_fixture.h"

using namespace dtrace;
using namespace dtrace::test;

namespace {
struct Row {
  const char *text;
  const char *expected;
};
}  // namespace

TEST_CASE("clause: one for each description", "[check]") {
  Check c;
  REQUIRE(c.program("BEGIN, syscall:::entry, 2 /pid/ { trace(1); }"));
  const tree::Program &program = c.unit.programs.back();
  REQUIRE(program.clauses.size() == 3);
  CHECK(program.matched == 4);
  CHECK(program.clauses[0].desc.text() == ":::BEGIN");
  CHECK(program.clauses[1].desc.text() == "syscall:::entry");
  CHECK(program.clauses[1].probes == std::vector<ProbeId>{{4}, {5}});
  CHECK(program.clauses[2].desc.text() == "dtrace:::END");
  CHECK(program.clauses[2].probes == std::vector<ProbeId>{{2}});
  CHECK(program.clauses[1].predicate != nullptr);
  CHECK(program.is_script);
  CHECK(program.name == "test.d");
}

TEST_CASE("clause: names of command-line programs", "[check]") {
  Check c;
  REQUIRE(c.program("BEGIN{exit(0);}", SourceKind::kString));
  CHECK(c.unit.programs.back().name == "BEGIN");
  CHECK_FALSE(c.unit.programs.back().is_script);
  REQUIRE(c.program("syscall:::entry", SourceKind::kString));
  CHECK(c.unit.programs.back().clauses[0].default_action);
}

TEST_CASE("clause: default action", "[check]") {
  Check c;
  REQUIRE(c.program("BEGIN { } END { ; } ERROR { x = 1; }"));
  const auto &clauses = c.unit.programs.back().clauses;
  CHECK(clauses[0].default_action);
  CHECK(clauses[1].default_action);
  CHECK_FALSE(clauses[2].default_action);
}

TEST_CASE("clause: no probes", "[check]") {
  Check c;
  CHECK_FALSE(c.program("a:b:c:d { trace(1); }"));
  CHECK(c.tag() == "D_PDESC_ZERO");
  CHECK(c.message() == "probe description a:b:c:d does not match any probes");
  Check z;
  z.option("zdefs");
  REQUIRE(z.program("a:b:c:d { trace(1); }"));
  CHECK(z.unit.programs.back().clauses[0].probes.empty());
  CHECK(z.unit.programs.back().matched == 0);
  CHECK(tag_of("99 { }") == "D_PDESC_INVAL");
  CHECK(message_of("x:::refused { }") == "invalid probe description \"x:::refused\": the provider refuses");
}

TEST_CASE("clause: predicates", "[check]") {
  CHECK(tag_of("BEGIN /execname/ { }") == "D_PRED_SCALAR");
  CHECK(tag_of("BEGIN / *(struct task_struct *)0/ { }") == "D_PRED_SCALAR");
  CHECK(tag_of("BEGIN /trace(1)/ { }") == "D_PRED_SCALAR");
  CHECK(tag_of("BEGIN /curthread/ { }") == "");
  CHECK(tag_of("BEGIN /execname == \"a\"/ { }") == "");
}

TEST_CASE("clause: if", "[check]") {
  CHECK(body_in("if (pid) { trace(1); } else if (x = 2) trace(2); else { }") ==
        "if\n"
        "  builtin pid : pid_t\n"
        "then\n"
        "  action trace\n"
        "    int 1 : int\n"
        "else\n"
        "  if\n"
        "    assign : int\n"
        "      var x : int\n"
        "      int 2 : int\n"
        "  then\n"
        "    action trace\n"
        "      int 2 : int\n");
  CHECK(tag_in("if (execname) { trace(1); }") == "D_PRED_SCALAR");
}

TEST_CASE("clause: order of speculating statements", "[check]") {
  const Row rows[] = {
      {"speculate(1); speculate(1);", "D_SPEC_SPEC"},
      {"commit(1); speculate(1);", "D_SPEC_COMM"},
      {"trace(1); speculate(1);", "D_SPEC_DREC"},
      {"@a = count(); speculate(1);", "D_SPEC_DREC"},
      {"commit(1); commit(2); discard(3); commit(4);", ""},
      {"speculate(1); panic();", "D_ACT_SPEC"},
      {"speculate(1); breakpoint();", "D_ACT_SPEC"},
      {"speculate(1); panic(1);", "D_PROTO_LEN"},
      {"speculate(1); msgsize(0);", "D_NOT_ON_LINUX"},
      {"trace(1); commit(1);", "D_COMM_DREC"},
      {"commit(1); trace(1);", "D_DREC_COMM"},
      {"speculate(1); @a = count();", "D_AGG_SPEC"},
      {"commit(1); @a = count();", "D_AGG_COMM"},
      {"speculate(1); raise(9);", "D_ACT_SPEC"},
      {"speculate(1); copyout(alloca(1), arg0, 1);", "D_ACT_SPEC"},
      {"speculate(1); exit(0);", "D_EXIT_SPEC"},
      {"x = 1; speculate(1); trace(2); printf(\"x\"); discard(1);", ""},
      {"discard(1); speculate(1); discard(1);", ""},
      {"commit(1); x = 1; raise(9);", ""},
      {"if (pid) { speculate(1); } else { trace(1); }", ""},
      {"if (pid) { speculate(1); } else { trace(1); } exit(0);", "D_EXIT_SPEC"},
      {"if (pid) { trace(1); } speculate(1);", "D_SPEC_DREC"},
  };
  for (const Row &row : rows) {
    CAPTURE(row.text);
    CHECK(tag_in(row.text) == row.expected);
  }
}
