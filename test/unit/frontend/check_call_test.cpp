// SPDX-License-Identifier: Apache-2.0
// Functions: prototypes of every row, argument conversion, bounds of string results.
#include <catch2/catch.hpp>

#include "test/unit/frontend/check_fixture.h"

using namespace dtrace;
using namespace dtrace::test;

namespace {
struct Row {
  const char *text;
  const char *expected;
};
std::string first_line(std::string_view text) {
  const std::string body = body_in(fmt::format("trace({});", text));
  const std::string prefix = "action trace\n  ";
  return body.starts_with(prefix) ? body.substr(prefix.size(), body.find('\n', prefix.size()) - prefix.size()) : body;
}
}  // namespace

TEST_CASE("call: every prototype parses", "[check]") {
  Check c;
  for (const BuiltinRow &row : kBuiltins) {
    CAPTURE(row.name);
    const Prototype prototype = parse_prototype(row, c.types);
    if (row.kind != BuiltinKind::kAgg) CHECK(prototype.result);
    CHECK(prototype.required() <= prototype.params.size());
    for (const PrototypeParam &param : prototype.params) {
      CHECK(static_cast<bool>(param.type) == (param.kind == PrototypeParam::Kind::kTyped));
      CHECK_FALSE(param.text.empty());
    }
  }
}

TEST_CASE("call: type texts", "[check]") {
  Check c;
  const auto name = [&](std::string_view text) { return c.types.name(parse_type_text(text, c.types)); };
  CHECK(name("int") == "int");
  CHECK(name("const char *") == "const char *");
  CHECK(name("struct task_struct *") == "struct task_struct *");
  CHECK(name("void **") == "void **");
  CHECK(name("struct nosuch *") == "struct nosuch *");
  CHECK(name("nosuch_t *") == "void *");
  CHECK_FALSE(parse_type_text("nosuch_t", c.types));
}

TEST_CASE("call: results", "[check]") {
  const Row rows[] = {
      {"strlen(execname)", "call strlen : size_t"},
      {"strjoin(\"ab\", execname)", "call strjoin : string(18)"},
      {"strjoin(copyinstr(arg0), execname)", "call strjoin : string"},
      {"\"ab\" + execname", "call strjoin : string(18)"},
      {"execname + curthread->comm", "call strjoin : string(32)"},
      {"copyinstr(arg0)", "call copyinstr : string"},
      {"copyinstr(arg0, 31)", "call copyinstr : string(32)"},
      {"substr(execname, 1)", "call substr : string(16)"},
      {"basename(\"/a/b\")", "call basename : string(5)"},
      {"dirname(\"\")", "call dirname : string(2)"},
      {"lltostr(pid)", "call lltostr : string(21)"},
      {"lltostr(pid, 2)", "call lltostr : string"},
      {"inet_ntoa((ipaddr_t *)arg0)", "call inet_ntoa : string(16)"},
      {"inet_ntop(2, (void *)arg0)", "call inet_ntop : string(46)"},
      {"alloca(8)", "call alloca : void * scratch"},
      {"copyin(arg0, 8)", "call copyin : void * scratch"},
      {"mutex_owner((struct mutex *)arg0)", "call mutex_owner : struct task_struct *"},
      {"rand()", "call rand : int"},
      {"htons(1)", "call htons : uint16_t"},
      {"strtoll(\"12\")", "call strtoll : int64_t"},
      {"index(\"abc\", \"b\")", "call index : int"},
      {"speculation()", "call speculation : int"},
      {"progenyof(1)", "call progenyof : int"},
  };
  for (const Row &row : rows) {
    CAPTURE(row.text);
    CHECK(first_line(row.text) == row.expected);
  }
}

TEST_CASE("call: arguments convert to the prototype", "[check]") {
  CHECK(body_in("trace(strlen(curthread->comm)); trace(strtok(NULL, curthread->path)); trace(index(\"a\", \"b\", "
                "timestamp));") ==
        "action trace\n"
        "  call strlen : size_t\n"
        "    convert to-string : string(17)\n"
        "      member at 8 : char [16]\n"
        "        deref : struct task_struct\n"
        "          builtin curthread : struct task_struct *\n"
        "action trace\n"
        "  call strtok : string\n"
        "    int 0 : string\n"
        "    convert to-string : string\n"
        "      member at 40 : char *\n"
        "        deref : struct task_struct\n"
        "          builtin curthread : struct task_struct *\n"
        "action trace\n"
        "  call index : int\n"
        "    string \"a\" : string(2)\n"
        "    string \"b\" : string(2)\n"
        "    convert integer : int\n"
        "      builtin timestamp : uint64_t\n");
  CHECK(body_in("bcopy(execname, alloca(16), 16);") ==
        "evaluate\n"
        "  call bcopy : void\n"
        "    convert integer : void * scratch\n"
        "      convert string-address : char * scratch\n"
        "        builtin execname : string(16)\n"
        "    call alloca : void * scratch\n"
        "      int 16 : size_t\n"
        "    int 16 : size_t\n");
  CHECK(body_of("syscall::read:entry { bcopy(args[1], alloca(4), 4); trace(strlen(args[1])); }")
            .find("userland void *") != std::string::npos);
}

TEST_CASE("call: stacks and symbols", "[check]") {
  CHECK(body_in("stack(); stack(5); ustack(); ustack(7, 100); sym(arg0); usym(arg0);") ==
        "action stack\n  stack frames 20 : dt_stack_t\n"
        "action stack\n  stack frames 5 : dt_stack_t\n"
        "action ustack\n  ustack frames 100 : dt_stack_t\n"
        "action ustack\n  ustack frames 7 strsize 100 : dt_stack_t\n"
        "action sym\n  sym : _symaddr\n    convert integer : uintptr_t\n      builtin arg0 : int64_t\n"
        "action usym\n  usym : _usymaddr\n    convert integer : uintptr_t\n      builtin arg0 : int64_t\n");
  Check c;
  c.option("stackframes", "3").option("maxframes", "50");
  REQUIRE(c.program("BEGIN { stack(); stack(99); jstack(); }"));
  CHECK(c.body() ==
        "action stack\n  stack frames 3 : dt_stack_t\naction stack\n  stack frames 50 : dt_stack_t\n"
        "action jstack\n  jstack frames 50 strsize 512 : dt_stack_t\n");
}

TEST_CASE("call: errors", "[check]") {
  const Row rows[] = {
      {"trace(nosuch(1));", "D_FUNC_UNDEF"},
      {"nosuch();", "D_FUNC_UNDEF"},
      {"trace(pid(1));", "D_FUNC_IDKIND"},
      {"x = 1; x();", "D_FUNC_IDKIND"},
      {"trace(`vfs_read(1));", "D_FUNC_IDKIND"},
      {"trace((pid + 1)(1));", "D_FUNC_IDENT"},
      {"panic();", "D_NOT_ON_LINUX"},
      {"trace(msgsize((void *)0));", "D_NOT_ON_LINUX"},
      {"trace(strlen());", "D_PROTO_LEN"},
      {"trace(strlen(\"a\", 1));", "D_PROTO_LEN"},
      {"trace(copyinstr());", "D_PROTO_LEN"},
      {"trace(strlen(1));", "D_PROTO_ARG"},
      {"trace(strlen(curthread));", "D_PROTO_ARG"},
      {"trace(copyinstr(curthread));", "D_PROTO_ARG"},
      {"trace(strlen(trace(1)));", "D_PROTO_ARG"},
      {"@a = count(); trace(strlen(@a));", "D_PROTO_ARG"},
      {"trace(mutex_owner(curthread));", "D_PROTO_ARG"},
      {"trace(rand(1));", "D_PROTO_LEN"},
      {"trace(alloca(257));", "D_ALLOCA_SIZE"},
      {"bcopy(execname, &`init_task, 4);", "D_PROTO_ARG"},
      {"bcopy(execname, `init_task.comm, 4);", "D_PROTO_ARG"},
      {"bcopy(execname, (char *)&`untyped + 1, 4);", "D_PROTO_ARG"},
      {"bcopy(execname, \"text\", 4);", "D_PROTO_ARG"},
      {"copyinto(arg0, 4, &`untyped);", "D_PROTO_ARG"},
      {"stack(1, 2);", "D_PROTO_LEN"},
      {"stack(pid);", "D_STACK_SIZE"},
      {"stack(0);", "D_STACK_SIZE"},
      {"stack(-1);", "D_STACK_SIZE"},
      {"stack(execname);", "D_PROTO_ARG"},
      {"ustack(execname);", "D_PROTO_ARG"},
      {"ustack(0, execname);", "D_PROTO_ARG"},
      {"jstack(execname);", "D_PROTO_ARG"},
      {"ustack(pid);", "D_USTACK_FRAMES"},
      {"printa();", "D_PROTO_LEN"},
      {"x = trace();", "D_PROTO_LEN"},
      {"x = exit(execname);", "D_PROTO_ARG"},
      {"x = raise();", "D_PROTO_LEN"},
      {"x = count(1, 2);", "D_PROTO_LEN"},
      {"x = stack(execname);", "D_PROTO_ARG"},
      {"x = exit(0);", "D_CG_EXPR"},
      {"ustack(0);", "D_USTACK_FRAMES"},
      {"ustack(5, -1);", "D_USTACK_STRSIZE"},
      {"ustack(5, pid);", "D_USTACK_STRSIZE"},
      {"ustack(1, 2, 3);", "D_PROTO_LEN"},
      {"sym(execname);", "D_PROTO_ARG"},
      {"sym();", "D_PROTO_LEN"},
  };
  for (const Row &row : rows) {
    CAPTURE(row.text);
    CHECK(tag_in(row.text) == row.expected);
  }
  CHECK(message_in("trace(strlen());") == "strlen( ) prototype mismatch: 0 args passed, 1 expected");
  CHECK(message_in("trace(copyinstr());") == "copyinstr( ) prototype mismatch: 0 args passed, at least 1 expected");
  CHECK(message_in("trace(strlen(1));") ==
        "strlen( ) argument #1 is incompatible with prototype:\n\tprototype: const char *\n\t argument: int");
  CHECK(message_in("trace(copyinstr(1, 2, 3));") ==
        "copyinstr( ) prototype mismatch: 3 args passed, at most 2 expected");
  CHECK(message_in("trace(strlen(1, 2));") == "strlen( ) prototype mismatch: 2 args passed, 1 expected");
  CHECK(message_in("trace(msgsize((void *)0));") == "msgsize( ) cannot run on Linux: there are no STREAMS messages");
  CHECK(message_in("nosuch();") == "undefined function name: nosuch");
}
