// SPDX-License-Identifier: Apache-2.0
// Identifiers: name spaces, built-in variables, kernel symbols.
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

TEST_CASE("names: every built-in variable is known", "[check]") {
  for (const VariableRow &row : kVariables) {
    if (row.id == Variable::k_args || row.id == Variable::k_locals || row.id == Variable::k_uregs ||
        row.id == Variable::k_regs)
      continue;
    CAPTURE(row.name);
    CHECK(tag_in(fmt::format("trace({});", row.name)) == "");
  }
}

TEST_CASE("names: spaces are separate", "[check]") {
  Check c;
  REQUIRE(
      c.program("BEGIN { x = 1; self->x = \"s\"; this->x = curthread; @x = count(); trace(x); trace(self->x); "
                "trace(this->x); }"));
  CHECK(
      c.dump().starts_with("variable x : int\n"
                           "variable self->x : string\n"
                           "variable this->x : struct task_struct *\n"
                           "aggregation @x = count\n"));
}

TEST_CASE("names: shared by texts, but for this->", "[check]") {
  Check c;
  REQUIRE(c.program("BEGIN { g = 1; self->t = 2; this->l = 3; @a = count(); }"));
  REQUIRE(c.program("BEGIN { trace(g); trace(self->t); printa(@a); }"));
  CHECK_FALSE(c.program("BEGIN { trace(this->l); }"));
  CHECK(c.tag() == "D_VAR_UNDEF");
  CHECK(c.front.is_global("g"));
  CHECK(c.front.is_global("NULL"));
  CHECK(c.front.is_global("pid"));
  CHECK(c.front.is_global("strlen"));
  CHECK_FALSE(c.front.is_global("t"));
  CHECK_FALSE(c.front.is_global("nosuch"));
}

TEST_CASE("names: symbols", "[check]") {
  CHECK(body_in("trace(`jiffies); trace(vmlinux`jiffies);") ==
        "action trace\n  symbol vmlinux`jiffies : unsigned long\naction trace\n  symbol vmlinux`jiffies : unsigned "
        "long\n");
  CHECK(body_of("BEGIN { trace(`nr_here); }") == "action trace\n  symbol vmlinux`nr_here of this CPU : int\n");
  CHECK(body_of("extern int untyped; BEGIN { trace(`untyped); }") == "action trace\n  symbol vmlinux`untyped : int\n");
}

TEST_CASE("names: errors", "[check]") {
  const Row rows[] = {
      {"trace(nosuch);", "D_IDENT_UNDEF"},
      {"trace(self->nosuch);", "D_VAR_UNDEF"},
      {"trace(this->nosuch);", "D_VAR_UNDEF"},
      {"trace(nosuch[1]);", "D_VAR_UNDEF"},
      {"trace(self->nosuch[1]);", "D_VAR_UNDEF"},
      {"this->nosuch[1] = 2;", "D_ARR_LOCAL"},
      {"this->x = 1; this->x[1] = 2;", "D_ARR_LOCAL"},
      {"trace(`nosuch);", "D_IDENT_UNDEF"},
      {"trace(nomodule`jiffies);", "D_IDENT_UNDEF"},
      {"trace(``jiffies);", "D_SYM_BADREF"},
      {"trace(vmlinux``jiffies);", "D_SYM_BADREF"},
      {"trace(libc``nosuch);", "D_IDENT_UNDEF"},
      {"x[1] = 2; trace(x);", "D_IDENT_BADREF"},
      {"self->x[1] = 2; trace(self->x);", "D_IDENT_BADREF"},
      {"trace(strlen);", "D_IDENT_BADREF"},
      {"strlen = 1;", "D_IDENT_BADREF"},
      {"x = x + 1;", "D_IDENT_UNDEF"},
      {"printa(@nosuch);", "D_IDENT_UNDEF"},
  };
  for (const Row &row : rows) {
    CAPTURE(row.text);
    CHECK(tag_in(row.text) == row.expected);
  }
  CHECK(message_in("trace(nosuch);") == "failed to resolve nosuch: Unknown variable name");
  CHECK(message_in("trace(`nosuch);") == "failed to resolve `nosuch: Unknown symbol name");
  CHECK(message_in("trace(nomodule`jiffies);") == "failed to resolve nomodule`jiffies: Module is no longer loaded");
  CHECK(message_in("printa(@nosuch);") == "failed to resolve @nosuch: Unknown variable name");
  CHECK(message_in("trace(self->ts);") == "self->ts has not yet been declared or assigned");
  CHECK(tag_of("extern int nosuch; BEGIN { trace(`nosuch); }") == "D_ASRELO");
}

TEST_CASE("names: order of inference in a clause", "[check]") {
  CHECK(tag_of("BEGIN /x/ { x = 1; }") == "");
  CHECK(tag_of("BEGIN /x = 5/ { trace(x); }") == "");
  CHECK(tag_of("BEGIN /x/ { trace(x); }") == "D_IDENT_UNDEF");
  CHECK(tag_of("BEGIN { trace(x); } END { x = 1; }") == "D_IDENT_UNDEF");
}

TEST_CASE("names: regions of command-line texts", "[check]") {
  Check c;
  c.program("BEGIN { trace(nosuch); }", SourceKind::kString);
  CHECK(c.rendered() == "in action list: failed to resolve nosuch: Unknown variable name");
  Check p;
  p.program("BEGIN /nosuch/ { }", SourceKind::kString);
  CHECK(p.rendered() == "in predicate: failed to resolve nosuch: Unknown variable name");
  Check s;
  s.program("BEGIN\n{\n  trace(nosuch);\n}");
  CHECK(s.rendered() == "line 3: failed to resolve nosuch: Unknown variable name");
}

TEST_CASE("names: definitions win over the kernel's enumerators", "[check]") {
  CHECK(body_in("STATE_BUSY = 9; trace(STATE_BUSY);").ends_with("action trace\n  var STATE_BUSY : int\n"));
  CHECK(tag_of("int STATE_BUSY; BEGIN { STATE_BUSY++; }") == "");
  CHECK(tag_of("inline int STATE_BUSY = 3; BEGIN { trace(STATE_BUSY); }") == "");
}

TEST_CASE("names: as many variables as there are ids", "[check]") {
  std::string text = "int v0";
  for (unsigned i = 1; i < 65535 - 1280; ++i) text += fmt::format(", v{}", i);
  Check c;
  REQUIRE(c.program(text + ";"));
  CHECK_FALSE(c.program("BEGIN { self->x = 1; }"));
  CHECK(c.tag() == "D_ID_OFLOW");
}
