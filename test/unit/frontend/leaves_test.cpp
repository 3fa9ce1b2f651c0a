// SPDX-License-Identifier: Apache-2.0
// What of a clause a recording keeps.
#include "frontend/tree/leaves.h"

#include <catch2/catch.hpp>

#include "test/unit/frontend/check_fixture.h"

namespace dtrace::test {
namespace {

using Texts = std::vector<std::string>;

/// Leaves of the last program's only clause, as the text has them. One that depends on the program has a `!` before it.
Texts leaves(std::string_view text) {
  Check c;
  c.program(text);
  INFO(c.message());
  REQUIRE(c.diags.ok());
  Texts texts;
  for (const tree::LeafUse &use : tree::leaves_of(c.unit, c.types, c.unit.programs.back().clauses.back()))
    texts.push_back((use.depends_on_program ? "!" : "") + std::string(c.front.sources().text(use.span)));
  return texts;
}

std::string identity(std::string_view text) {
  Check c;
  c.program(text);
  INFO(c.message());
  REQUIRE(c.diags.ok());
  const std::vector<tree::LeafUse> uses = tree::leaves_of(c.unit, c.types, c.unit.programs.back().clauses.back());
  REQUIRE(uses.size() == 1);
  return uses.front().identity;
}

TEST_CASE("a leaf is the largest expression that reads the firing") {
  CHECK(leaves("syscall::read:entry { trace(arg0); }") == Texts{"arg0"});
  CHECK(leaves("syscall::read:entry { trace(copyinstr(arg1)); }") == Texts{"copyinstr(arg1)"});
  CHECK(leaves("syscall::read:entry { trace(copyinstr(arg1 + 4 * arg0)); }") == Texts{"copyinstr(arg1 + 4 * arg0)"});
  CHECK(leaves("sdt:::thread { trace(args[0]->pid); }") == Texts{"args[0]->pid"});
  CHECK(leaves("BEGIN { trace(curthread->pid); }") == Texts{"curthread->pid"});
  CHECK(leaves("BEGIN { trace(stack()); }") == Texts{"stack()"});
}

TEST_CASE("what is computed from leaves is none") {
  CHECK(leaves("syscall::read:entry { trace(arg0 + arg2 * 2); }") == Texts{"arg0", "arg2"});
  CHECK(leaves("syscall::read:entry { trace(strjoin(execname, \"x\")); }") == Texts{"execname"});
  CHECK(leaves("syscall::read:entry { trace(strlen(copyinstr(arg1))); }") == Texts{"copyinstr(arg1)"});
  CHECK(leaves("syscall::read:entry { trace(arg0 == 1 ? execname : \"\"); }") == Texts{"arg0", "execname"});
  CHECK(leaves("BEGIN { trace(1 + 2); }").empty());
}

TEST_CASE("every part of a clause is asked") {
  CHECK(leaves("syscall::read:entry /uid == 0/ { @[execname] = quantize(arg2); }") == Texts{"uid", "execname", "arg2"});
  CHECK(
      leaves("syscall::read:entry { self->n = arg2; if (arg0 > 2) { printf(\"%d\", arg1); } else { trace(uid); } }") ==
      Texts{"arg2", "arg0", "arg1", "uid"});
  CHECK(leaves("syscall::read:entry { for (this->i = 0; this->i < arg0; this->i++) { x = arg1; } }") ==
        Texts{"arg0", "arg1"});
}

TEST_CASE("what every row tells is no leaf") {
  CHECK(leaves("BEGIN { trace(timestamp); trace(pid); trace(tid); trace(cpu); trace(probefunc); trace(id); }").empty());
  CHECK(leaves("BEGIN { trace(vtimestamp); }") == Texts{"vtimestamp"});
}

TEST_CASE("memory that a variable points to depends on the program") {
  CHECK(leaves("syscall::read:entry { self->buffer = arg1; trace(copyinstr(self->buffer)); }") ==
        Texts{"arg1", "!copyinstr(self->buffer)"});
  CHECK(leaves("BEGIN { self->t = curthread; trace(self->t->pid); }") == Texts{"curthread", "!self->t->pid"});
  CHECK(leaves("BEGIN { trace(epid); }") == Texts{"!epid"});
}

TEST_CASE("memory that no expression reads depends on the program") {
  CHECK(leaves("syscall::read:entry { tracemem(arg1, 8); }") == Texts{"!arg1"});
  CHECK(leaves("sdt:::thread { print(args[0]); }") == Texts{"!args[0]"});
  CHECK(leaves("sdt:::thread { print(*args[0]); }").size() == 1);
  CHECK(leaves("syscall::read:entry { this->p = copyin(arg1, 8); }") == Texts{"!copyin(arg1, 8)"});
  CHECK(leaves("syscall::read:entry { trace(*(int *)copyin(arg1, 4)); }") == Texts{"*(int *)copyin(arg1, 4)"});
  CHECK(leaves("BEGIN { this->p = (char *)alloca(4); tracemem(this->p, 4); }").empty());
}

TEST_CASE("a program's own memory is none of the firing's") {
  CHECK(leaves("BEGIN { this->p = (int *)alloca(4); *this->p = 1; trace(*this->p); }").empty());
  CHECK(leaves("BEGIN { this->s = \"abc\"; trace(this->s[1]); }").empty());
}

TEST_CASE("an expression of a translator that keeps a variable of its own runs by itself") {
  constexpr std::string_view kLibrary =
      "this int __dt_x; typedef struct out { int member; } out_t; "
      "translator out_t < struct task_struct *t > { member = (this->__dt_x = t->pid) == 0 ? 7 : this->__dt_x; }; ";
  const std::string library(kLibrary);
  CHECK(leaves(library + "sdt:::thread { trace(xlate<out_t *>(args[0])->member); }") ==
        Texts{"this->__dt_x = t->pid) == 0 ? 7 : this->__dt_x"});  // where this program writes it
  CHECK(leaves(library + "sdt:::thread { trace(xlate<out_t *>(args[0])->member + 1); }").size() == 1);
  // Two parts share what the first has found.
  CHECK(leaves("this int __dt_x; sdt:::thread { trace(((this->__dt_x = args[0]->pid) == 0 ? 7 : this->__dt_x) | "
               "(this->__dt_x & 1)); }")
            .size() == 1);
}

TEST_CASE("identities do not know how a program writes it") {
  CHECK(identity("syscall::read:entry { trace(copyinstr(arg1)); }") ==
        identity("syscall::write:entry { @x = max(strlen(copyinstr( arg1 ))); }"));
  CHECK(identity("inline string path = copyinstr(arg1); syscall::read:entry { trace(path); }") ==
        identity("syscall::read:entry { trace(copyinstr(arg1)); }"));
  CHECK(identity("syscall::read:entry { trace(copyinstr(arg1)); }") !=
        identity("syscall::read:entry { trace(copyinstr(arg2)); }"));
}

TEST_CASE("a number among args[] is its raw argument") {
  CHECK(identity("syscall::read:entry { trace(args[2]); }") == identity("syscall::read:entry { trace(arg2); }"));
  CHECK(identity("syscall::read:entry { trace(args[0]); }") == identity("syscall::write:entry { trace(arg0); }"));
}

}  // namespace
}  // namespace dtrace::test
