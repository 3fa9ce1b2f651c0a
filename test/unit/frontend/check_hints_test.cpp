// SPDX-License-Identifier: Apache-2.0
// What is said after a mistake: suggestions, and the other mistakes of the program.
#include <catch2/catch.hpp>

#include "test/unit/frontend/check_fixture.h"

using namespace dtrace;
using namespace dtrace::test;

namespace {

struct Row {
  const char *text;
  const char *note;
};

std::string note_of(std::string_view text) {
  Check c;
  c.program(text, SourceKind::kString);
  return c.notes();
}

std::string messages_of(std::string_view text) {
  Check c;
  c.program(text);
  return c.messages();
}

}  // namespace

TEST_CASE("hints: what was meant by an expression", "[hints]") {
  const Row rows[] = {
      {"syscall::read:entry { printf(\"%s\", args[1]); }", "did you mean copyinstr(args[1])?"},
      {"syscall::read:entry { printf(\"%s\", arg1); }",
       "a string of the program is read by copyinstr(arg1), one of the kernel by stringof((char *)arg1)"},
      {"BEGIN { printf(\"%s\", curthread->path); }", "did you mean stringof(curthread->path)?"},
      {"BEGIN /execname == cat/ { }", "\"cat\" is a string: write execname == \"cat\""},
      {"BEGIN /execname == 'cat'/ { }", "\"cat\" is a string: write execname == \"cat\""},
      {"BEGIN /execname == pdi/ { }", "\"pdi\" is a string: write execname == \"pdi\""},
      {"BEGIN /pid == pdi/ { }", "did you mean pid?"},
      {"BEGIN { trace(strcmp(execname, \"a\")); }", "did you mean ==, which compares strings?"},
      {"BEGIN { @[execname]++; }", "did you mean @[execname] = count()?"},
      {"BEGIN { @x += pid; }", "did you mean @x = sum(pid)?"},
      {"BEGIN { @[ustack] = count(); }", "did you mean ustack()?"},
      {"BEGIN { self.t = 1; }", "did you mean self->t?"},
      {"BEGIN { trace(this.total); }", "did you mean this->total?"},
      {"BEGIN { trace(args); }", "arguments have numbers: args[0], args[1]; dtrace -lv shows them"},
      {"BEGIN { trace(curthread->commm); }", "did you mean comm?"},
      {"BEGIN { trace(*&`untyped); }", "nothing is known of the type of `untyped: cast its address, *(int *)&`untyped"},
      {"BEGIN { trace(Timestamp); }", "did you mean timestamp?"},
  };
  for (const Row &row : rows) {
    CAPTURE(row.text);
    CHECK(note_of(row.text) == row.note);
  }
  CHECK(note_of("BEGIN { do i++; while (i < 3); }") == "D has for and while");
  CHECK(note_of("BEGIN { for (i = 0; i < 3; i++) trace(i); }") ==
        "an aggregation or a variable can hold what a loop finds");
}

TEST_CASE("hints: variables of threads and clauses", "[hints]") {
  CHECK(note_of("BEGIN { self->start = 1; trace(self->strat); }") == "did you mean self->start?");
  CHECK(note_of("BEGIN { self->ts = 1; trace(this->ts); }") == "did you mean self->ts?");
  CHECK(note_of("BEGIN { last[1] = 1; trace(lats[1]); }") == "did you mean last?");
  CHECK(note_of("BEGIN { self->a = 1; trace(self->zz); }") == "");
}

TEST_CASE("hints: translated members", "[hints]") {
  Check c;
  c.library("typedef struct mine { int my_number; } mine_t; translator mine_t < int n > { my_number = n; };");
  c.program("BEGIN { trace(xlate<mine_t>((int)1).my_numbre); }");
  CHECK(c.tag() == "D_TYPE_MEMBER");
  CHECK(c.notes() == "did you mean my_number?");
}

TEST_CASE("hints: what was meant by a probe description", "[hints]") {
  const Row rows[] = {
      {"syscall:read:entry", "did you mean syscall::read:entry?"},
      {"io:start", "did you mean io:::start?"},
      {"sycall::read:entry", "did you mean syscall::read:entry?"},
      {"syscall::raed:entry", "did you mean syscall::read:entry?"},
      {"syscall::read:enter", "did you mean syscall::read:entry?"},
      {"syscall::read:exit", "did you mean syscall::read:return?"},
      {"begin", "did you mean BEGIN?"},
      {"write", "did you mean write:entry?"},
      {"io:::sta", "did you mean io:::start?"},
      {"uprobe:/bin/bash:readline", "did you mean pid*:/bin/bash:readline:entry?"},
      {"kprobe:vfs_read", ""},  // there is no fbt
      {"tracepoint:syscalls:sys_enter_read", "did you mean syscall::read:entry?"},
      {"interval:s:1", "did you mean tick-1s?"},
      {"nothing:like:this:here", ""},
  };
  for (const Row &row : rows) {
    CAPTURE(row.text);
    CHECK(note_of(row.text) == row.note);
  }
}

TEST_CASE("hints: several names begin as written", "[hints]") {
  Check c;
  for (const char *name : {"connect-request", "connect-established", "connect-refused", "send"})
    c.probes.add("tcp", "vmlinux", "", name);
  c.program("tcp:::connect", SourceKind::kString);
  CHECK(c.notes() == "did you mean tcp:::connect-established, tcp:::connect-refused or tcp:::connect-request?");
}

TEST_CASE("mistakes: independent ones are all reported", "[hints]") {
  CHECK(messages_of("BEGIN { trace(one); } END { trace(two); }") ==
        "failed to resolve one: Unknown variable name\nfailed to resolve two: Unknown variable name\n");
  CHECK(messages_of("BEGIN /one/ { trace(two); }") ==
        "failed to resolve one: Unknown variable name\nfailed to resolve two: Unknown variable name\n");
  // The clause of an unknown probe is checked too, except for the arguments of the probe.
  CHECK(messages_of("syscall::nosuch:entry { self->t = args[0]; x = two; } BEGIN { trace(self->t); trace(x); }") ==
        "probe description syscall::nosuch:entry does not match any probes\n"
        "failed to resolve two: Unknown variable name\n");
}

TEST_CASE("mistakes: what follows from one is not reported", "[hints]") {
  const std::string once = "failed to resolve one: Unknown variable name\n";
  CHECK(messages_of("BEGIN { x = one; trace(x); y = x + 1; trace(y); }") == once);
  CHECK(messages_of("BEGIN { self->x = one; } END /self->x/ { trace(self->x); self->x = 0; }") == once);
  CHECK(messages_of("BEGIN { a[1] = one; trace(a[1]); }") == once);
  CHECK(messages_of("BEGIN { @a = sum(one); } END { printa(@a); clear(@a); }") == once);
  CHECK(messages_of("inline int twice = one; BEGIN { trace(twice); }") == once);
  // A clause is checked once for each of its probes.
  CHECK(messages_of("BEGIN, END, tick-1s { trace(one); }") == once);
}

TEST_CASE("mistakes: a name that failed in an order of inference that was given up", "[hints]") {
  // The statements are checked first, and again after the predicate: then `t` is known.
  Check c;
  CHECK(c.program("BEGIN /(t = 1)/ { x = t; trace(x); }"));
  CHECK(c.messages().empty());
}

TEST_CASE("mistakes: in a declaration, with an aggregation that a later clause assigns", "[hints]") {
  CHECK(messages_of("int x; char x; BEGIN { printa(@a); } END { @a = count(); }") ==
        "identifier redeclared: x\n\t current: char\n\tprevious: int\n");
}

TEST_CASE("messages: what is missing for a '*', and keys that are no arguments", "[hints]") {
  CHECK(message_in("printf(\"%*d\");") ==
        "printf( ) prototype mismatch: no argument is left for the '*' of conversion #1 (%d)");
  CHECK(message_of("BEGIN { @[\"a\"] = count(); printa(\"%d %@d\", @); }") ==
        "printa( ) key #1 is incompatible with conversion #1 prototype:\n\tconversion: %d\n\t prototype: any integer\n"
        "\t       key: string");
}

TEST_CASE("messages: a second definition shows the first", "[hints]") {
  Check c;
  c.program("inline int x = 1;\ninline int x = 2;\nBEGIN { }");
  CHECK(c.message() == "identifier redefined: x");
  CHECK(c.notes() == "defined here before");
  CHECK(note_of("inline int pid = 1; BEGIN { }") == "pid is a name of D itself");
  CHECK(note_of("int x; char x; BEGIN { }") == "declared here before");
}

TEST_CASE("mistakes: an argument of an action used as a value", "[hints]") {
  CHECK(messages_of("BEGIN { x = trace(nosuch); }") == "failed to resolve nosuch: Unknown variable name\n");
}
