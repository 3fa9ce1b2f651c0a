// SPDX-License-Identifier: Apache-2.0
// Members, elements, pointers, addresses, args[].
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

TEST_CASE("place: members", "[check]") {
  CHECK(body_in("trace(curthread->parent->pid);") ==
        "action trace\n"
        "  member at 0 : int\n"
        "    deref : struct task_struct\n"
        "      member at 24 : struct task_struct *\n"
        "        deref : struct task_struct\n"
        "          builtin curthread : struct task_struct *\n");
  CHECK(body_in("trace(((struct request *)arg0)->high);") ==
        "action trace\n"
        "  member at bit 35 width 29 : unsigned int\n"
        "    deref : struct request\n"
        "      convert integer : struct request *\n"
        "        builtin arg0 : int64_t\n");
  CHECK(body_in("trace(`init_task.pid); trace((*curthread).pid);") ==
        "action trace\n"
        "  member at 0 : int\n"
        "    symbol vmlinux`init_task : struct task_struct\n"
        "action trace\n"
        "  member at 0 : int\n"
        "    deref : struct task_struct\n"
        "      builtin curthread : struct task_struct *\n");
}

TEST_CASE("place: elements", "[check]") {
  CHECK(body_in("trace(`table[3]); trace(`table[pid]); trace(*`table);") ==
        "action trace\n"
        "  element of 4 : int\n"
        "    symbol vmlinux`table : int [4]\n"
        "    int 3 : long\n"
        "action trace\n"
        "  element of 4 : int\n"
        "    symbol vmlinux`table : int [4]\n"
        "    convert integer : long\n"
        "      builtin pid : pid_t\n"
        "action trace\n"
        "  element of 4 : int\n"
        "    symbol vmlinux`table : int [4]\n"
        "    int 0 : long\n");
  CHECK(body_of("int m[3][5]; BEGIN { m[1][2] = 7; }") ==
        "evaluate\n"
        "  assign : int\n"
        "    element of 5 : int\n"
        "      element of 3 : int [5]\n"
        "        var m : int [3][5]\n"
        "        int 1 : long\n"
        "      int 2 : long\n"
        "    int 7 : int\n");
  CHECK(body_in("trace(curthread->path[1]);").starts_with("action trace\n  deref : char\n    binary + : char *\n"));
}

TEST_CASE("place: addresses", "[check]") {
  CHECK(body_in("trace(&`init_task.comm); trace(&curthread->pid); trace(&*curthread); trace(&`untyped); "
                "trace(&`vfs_read);") ==
        "action trace\n"
        "  address-of : char (*)[16]\n"
        "    member at 8 : char [16]\n"
        "      symbol vmlinux`init_task : struct task_struct\n"
        "action trace\n"
        "  address-of : int *\n"
        "    member at 0 : int\n"
        "      deref : struct task_struct\n"
        "        builtin curthread : struct task_struct *\n"
        "action trace\n"
        "  builtin curthread : struct task_struct *\n"
        "action trace\n"
        "  address-of : void *\n"
        "    symbol vmlinux`untyped : void\n"
        "action trace\n"
        "  address-of : long (*)()\n"
        "    symbol vmlinux`vfs_read : long ()\n");
  CHECK(body_in("trace((int)`untyped); trace((uintptr_t)`vfs_read);") ==
        "action trace\n"
        "  symbol vmlinux`untyped : int\n"
        "action trace\n"
        "  convert integer : uintptr_t\n"
        "    address-of : long (*)()\n"
        "      symbol vmlinux`vfs_read : long ()\n");
}

TEST_CASE("place: user memory", "[check]") {
  CHECK(body_of("syscall::read:entry { trace(*args[1]); trace(stringof(args[1])); }") ==
        "action trace\n"
        "  deref : char\n"
        "    arg 1 : userland char *\n"
        "action trace\n"
        "  convert to-string : string\n"
        "    arg 1 : userland char *\n");
  // A pointer found in user memory points into user memory.
  CHECK(body_in("trace(((userland struct task_struct *)arg0)->parent->pid);") ==
        "action trace\n"
        "  member at 0 : int\n"
        "    deref : struct task_struct\n"
        "      member at 24 : userland struct task_struct *\n"
        "        deref : struct task_struct\n"
        "          convert integer : userland struct task_struct *\n"
        "            builtin arg0 : int64_t\n");
  CHECK(tag_in("trace((userland char *)arg0 == curthread->path);") == "D_OP_INCOMPAT");
}

TEST_CASE("place: args", "[check]") {
  CHECK(body_of("syscall::read:entry { trace(args[0]); trace(args[2]); }") ==
        "action trace\n  arg 0 : int\naction trace\n  arg 2 : size_t\n");
  // Native and translated types that fit one another need no translator.
  CHECK(body_of("typedef struct { int b; } bufinfo_t; io:::start { trace(args[1]); }") ==
        "action trace\n  convert integer : int\n    arg 1 : long\n");
  CHECK(body_of("syscall::read:entry, syscall::write:entry { trace(args[0]); }") ==
        "action trace\n  arg 0 : int\naction trace\n  arg 0 : int\n");
  CHECK(body_of("syscall:::entry { trace(args[0]); }") == "action trace\n  arg 0 : int\n");
  Check c;
  c.probes.add("sdt", "m", "f", "swapped", {{"int", "int"}, {"long", "long"}}, true);
  REQUIRE(c.program("sdt:::swapped { trace(args[0]); }"));
  CHECK(c.body() == "action trace\n  arg 1 : int\n");
}

TEST_CASE("place: structs by value", "[check]") {
  CHECK(body_of("fbt::words:entry { trace(args[0].data); }") ==
        "action trace\n"
        "  member at 8 : unsigned long\n"
        "    arg 0 : struct request\n");
  CHECK(body_of("fbt::stack:entry { trace(args[0].data); }") ==
        "action trace\n"
        "  member at 8 : unsigned long\n"
        "    deref : struct request\n"
        "      arg 0 on stack : struct request *\n");
  CHECK(body_of("fbt::pointed:return { trace(args[0].data); }") ==
        "action trace\n"
        "  member at 8 : unsigned long\n"
        "    deref : struct request\n"
        "      arg 0 : struct request *\n");
}

TEST_CASE("place: errors of args", "[check]") {
  const Row rows[] = {
      {"syscall::: { trace(args[0]); }", "D_ARGS_MULTI"},
      {"syscall::read:entry { trace(args[3]); }", "D_ARGS_IDX"},
      {"syscall::read:entry { trace(args[-1]); }", "D_ARGS_IDX"},
      {"BEGIN { trace(args[0]); }", "D_ARGS_IDX"},
      {"syscall::read:entry { trace(args[pid]); }", "D_PROTO_ARG"},
      {"syscall::read:entry { trace(args[0, 1]); }", "D_PROTO_LEN"},
      {"syscall::read:entry { trace(args); }", "D_IDENT_BADREF"},
      {"inline int x = args[0]; BEGIN { }", "D_ARGS_NONE"},
      {"sdt:::untyped { trace(args[0]); }", "D_ARGS_TYPE"},
      {"sdt:::record { trace(args[0].len); }", "D_ARGS_TYPE"},
      {"fbt::words:entry { trace(&args[0]); }", "D_ADDROF_VAR"},
      {"fbt::pointed:return { trace(&args[0].len); }", "D_ADDROF_VAR"},
      {"fbt::pointed:return { args[0].len = 1; }", "D_OP_WRITE"},
      {"typedef struct { int b; } bufinfo_t; io:::start { trace(args[0]); }", "D_ARGS_XLATOR"},
      {"syscall::read:entry { args[0] = 1; }", "D_OP_WRITE"},
      {"BEGIN { trace(uregs[-1]); }", "D_REGS_IDX"},
      {"BEGIN { trace(regs[-1]); }", "D_REGS_IDX"},
      {"BEGIN { trace(regs); }", "D_IDENT_BADREF"},
      {"BEGIN { trace(uregs[execname]); }", "D_PROTO_ARG"},
      {"BEGIN { trace(uregs); }", "D_IDENT_BADREF"},
  };
  for (const Row &row : rows) {
    CAPTURE(row.text);
    CHECK(tag_of(row.text) == row.expected);
  }
  CHECK(message_of("syscall::read:entry { trace(args[3]); }") ==
        "index 3 is out of range for syscall::read:entry args[ ]");
  Check registers;
  registers.front.set_registers(26);
  CHECK_FALSE(registers.program("BEGIN { trace(uregs[42]); }"));
  CHECK(registers.tag() == "D_REGS_IDX");
  CHECK(registers.message() == "index 42 is out of range for array uregs");
  Check last_register;
  last_register.front.set_registers(26);
  CHECK(last_register.program("BEGIN { trace(uregs[25]); trace(uregs[pid]); }"));
  Check absent;
  CHECK_FALSE(absent.option("zdefs").program("sdt:::absent { trace(args[0]->len); }"));
  CHECK(absent.tag() == "D_ARGS_NONE");
  CHECK(absent.message() ==
        "args[ ] may not be referenced because probe description sdt:::absent does not match any probes");
  CHECK(body_in("trace(uregs[2]);") == "action trace\n  builtin uregs : uint64_t\n    int 2 : long\n");
}

TEST_CASE("place: errors", "[check]") {
  const Row rows[] = {
      {"trace(pid->x);", "D_OP_PTR"},
      {"trace(`init_task->pid);", "D_OP_PTR"},
      {"trace(((int *)0)->x);", "D_OP_SOU"},
      {"trace(pid.x);", "D_OP_SOU"},
      {"trace(curthread.pid);", "D_OP_SOU"},
      {"trace(((struct nosuch *)0)->x);", "D_OP_INCOMPLETE"},
      {"trace(curthread->nosuch);", "D_TYPE_MEMBER"},
      {"trace(*pid);", "D_DEREF_NONPTR"},
      {"trace(*(void *)0);", "D_DEREF_VOID"},
      {"trace(*&`untyped);", "D_DEREF_VOID"},
      {"trace(*&`vfs_read);", "D_DEREF_FUNC"},
      {"trace(&1);", "D_ADDROF_LVAL"},
      {"trace(&(pid + 1));", "D_ADDROF_LVAL"},
      {"x = 1; trace(&x);", "D_ADDROF_VAR"},
      {"trace(&pid);", "D_ADDROF_VAR"},
      {"@a = count(); trace(&@a);", "D_ADDROF_VAR"},
      {"x = *curthread; trace(&x.pid);", "D_ADDROF_VAR"},
      {"trace(&((struct request *)0)->low);", "D_ADDROF_BITFIELD"},
      {"trace(`table[4]);", "D_ARR_BOUNDS"},
      {"trace(`table[-1]);", "D_ARR_BOUNDS"},
      {"trace(`table[1, 2]);", "D_ARR_BADREF"},
      {"trace(curthread->comm[16]);", "D_ARR_BOUNDS"},
      {"x = 1; trace(x[0]);", "D_IDENT_BADREF"},
      {"trace((pid + 1)[0]);", "D_DEREF_NONPTR"},
      {"trace(((void *)0)[0]);", "D_DEREF_VOID"},
      {"trace(curthread->comm[execname]);", "D_OP_INCOMPAT"},
  };
  for (const Row &row : rows) {
    CAPTURE(row.text);
    CHECK(tag_in(row.text) == row.expected);
  }
  CHECK(message_in("trace(curthread->nosuch);") == "nosuch is not a member of struct task_struct");
  CHECK(message_in("trace(`table[4]);") == "index outside array bounds: 4, max is 3");
}

TEST_CASE("place: attributes do not stop element of unknown dimension", "[check]") {
  CHECK(tag_of("struct flex { int n; char data[]; }; BEGIN { trace(((struct flex *)arg0)->data[7]); }") == "");
}
