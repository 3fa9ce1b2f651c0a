// SPDX-License-Identifier: Apache-2.0
// Assignment and what it brings into being.
#include <catch2/catch.hpp>

#include "test/unit/frontend/check_fixture.h"

using namespace dtrace;
using namespace dtrace::test;

namespace {
struct Row {
  const char *text;
  const char *expected;
};
std::string variables_in(std::string_view text) {
  Check c;
  if (!c.program(fmt::format("BEGIN {{ {} }}", text))) return c.tag() + ": " + c.message();
  const std::string dump = c.dump();
  return dump.substr(0, dump.find("program"));
}
}  // namespace

TEST_CASE("assign: first assignment makes a variable", "[check]") {
  CHECK(variables_in("x = 1;") == "variable x : int\n");
  CHECK(variables_in("x = 1LL;") == "variable x : long long\n");
  CHECK(variables_in("x = pid;") == "variable x : pid_t\n");
  CHECK(variables_in("x = \"abc\";") == "variable x : string\n");
  CHECK(variables_in("x = execname;") == "variable x : string\n");
  CHECK(variables_in("x = curthread;") == "variable x : struct task_struct *\n");
  CHECK(variables_in("x = *curthread;") == "variable x : struct task_struct\n");
  CHECK(variables_in("x = stack();") == "variable x : dt_stack_t\n");
  CHECK(variables_in("x++;") == "variable x : int64_t\n");
  CHECK(variables_in("x += 1;") == "variable x : int64_t\n");
  CHECK(variables_in("self->x = 1; this->y = 2;") == "variable self->x : int\nvariable this->y : int\n");
  CHECK(variables_in("x[pid, execname] = 1;") == "variable x[pid_t, string(16)] : int\n");
  CHECK(variables_in("self->x[1] = \"a\";") == "variable self->x[int] : string\n");
  CHECK(variables_in("x[\"a\"]++;") == "variable x[string(2)] : int64_t\n");
}

TEST_CASE("assign: an operator may read what only a later clause assigns, as of that type", "[check]") {
  const auto variables_of = [](std::string_view program) {
    Check c;
    if (!c.program(program)) return c.tag() + ": " + c.message();
    const std::string dump = c.dump();
    return dump.substr(0, dump.find("program"));
  };
  for (const auto &[text, expected] : std::initializer_list<Row>{
           {"BEGIN /!p[execname]/ { p[execname]++; }", "variable p[string(16)] : int64_t\n"},
           {"BEGIN { trace(-x); } END { x = 2LL; }", "variable x : long long\n"},
           {"BEGIN { trace(1 / ~self->x); } END { self->x = pid; }", "variable self->x : pid_t\n"},
           {"BEGIN { trace(+self->k[1]); } END { self->k[2] = 3; }", "variable self->k[int] : int\n"},
           {"BEGIN { trace(!x ? !y : 1); } END { y = 1; } END { x = curthread; }",
            "variable y : int\nvariable x : struct task_struct *\n"},
           // Nobody assigns them.
           {"BEGIN { trace(!self->x); trace(!this->t); trace(-p[1]); }",
            "variable self->x : int64_t\nvariable this->t : int64_t\nvariable p[int] : int64_t\n"},
           {"BEGIN { trace(!x); }", "D_IDENT_UNDEF: failed to resolve x: Unknown variable name"},
           {"BEGIN { trace(-x); } END { x = \"a\"; }",
            "D_OP_ARITH: operator - requires an operand of arithmetic type, not \"string\""},
           // Not under an operator.
           {"BEGIN { trace(self->x); } END { self->x = 1; }",
            "D_VAR_UNDEF: self->x has not yet been declared or assigned"},
       })
    CHECK(std::string(text) + "\n" + variables_of(text) == std::string(text) + "\n" + expected);
}

TEST_CASE("assign: keys of a signature grow to hold longer strings", "[check]") {
  CHECK(variables_in("x[\"a\"] = 1; x[\"abcdef\"] = 1; x[curthread->comm] = 1;") == "variable x[string(17)] : int\n");
  CHECK(variables_in("x[\"a\"] = 1; x[curthread->path] = 1;") == "variable x[string] : int\n");
}

TEST_CASE("assign: conversions", "[check]") {
  CHECK(body_of("char c; BEGIN { c = pid; c = 300; }") ==
        "evaluate\n"
        "  assign : char\n"
        "    var c : char\n"
        "    convert integer : char\n"
        "      builtin pid : pid_t\n"
        "evaluate\n"
        "  assign : char\n"
        "    var c : char\n"
        "    int 44 : char\n");
  CHECK(body_of("string s; BEGIN { s = curthread->comm; s = NULL; }") ==
        "evaluate\n"
        "  assign : string\n"
        "    var s : string\n"
        "    convert to-string : string(17)\n"
        "      member at 8 : char [16]\n"
        "        deref : struct task_struct\n"
        "          builtin curthread : struct task_struct *\n"
        "evaluate\n"
        "  assign : string\n"
        "    var s : string\n"
        "    int 0 : string\n");
  CHECK(body_in("x[1] = 2; trace(x[pid]);")
            .ends_with("action trace\n"
                       "  element-of x : int\n"
                       "    builtin pid : pid_t\n"));
}

TEST_CASE("assign: storing 0 frees", "[check]") {
  CHECK(body_in("self->s = \"a\"; self->s = 0;")
            .ends_with("  assign : string\n    var self->s : string\n    int 0 : string\n"));
  CHECK(
      body_in("self->t = *curthread; self->t = 0;")
          .ends_with(
              "  assign : struct task_struct\n    var self->t : struct task_struct\n    int 0 : struct task_struct\n"));
  CHECK(body_in("x[1] = stack(); x[1] = 0;").ends_with("    int 0 : dt_stack_t\n"));
  CHECK(tag_in("t = *curthread; t = 0;") == "D_OP_INCOMPAT");
}

TEST_CASE("assign: compound", "[check]") {
  CHECK(body_of("short s; BEGIN { s += 2LL; s <<= 3; s /= 4; }") ==
        "evaluate\n"
        "  assign += in long long : short\n"
        "    var s : short\n"
        "    int 2 : long long\n"
        "evaluate\n"
        "  assign <<= in short : short\n"
        "    var s : short\n"
        "    int 3 : int\n"
        "evaluate\n"
        "  assign /= in int : short\n"
        "    var s : short\n"
        "    int 4 : int\n");
  CHECK(body_in("p = curthread; p += 2; p++; --p;")
            .ends_with("evaluate\n"
                       "  assign += in struct task_struct * : struct task_struct *\n"
                       "    var p : struct task_struct *\n"
                       "    int 128 : long\n"
                       "evaluate\n"
                       "  post-increment by 64 : struct task_struct *\n"
                       "    var p : struct task_struct *\n"
                       "evaluate\n"
                       "  pre-decrement by 64 : struct task_struct *\n"
                       "    var p : struct task_struct *\n"));
}

TEST_CASE("assign: scratch pointers", "[check]") {
  CHECK(body_in("this->p = (int *)alloca(16); this->p[1] = 3;") ==
        "evaluate\n"
        "  assign : int * scratch\n"
        "    var this->p : int * scratch\n"
        "    convert integer : int * scratch\n"
        "      call alloca : void * scratch\n"
        "        int 16 : size_t\n"
        "evaluate\n"
        "  assign : int\n"
        "    deref : int\n"
        "      binary + : int * scratch\n"
        "        var this->p : int * scratch\n"
        "        int 4 : long\n"
        "    int 3 : int\n");
  // A declared pointer that is given scratch memory anywhere holds it everywhere.
  Check c;
  REQUIRE(c.program(
      "this char *p; BEGIN { this->p = curthread->path; trace(*this->p); } BEGIN { this->p = copyin(1, 2); }"));
  CHECK(c.dump().starts_with("variable this->p : char * scratch\n"));
  CHECK(c.body().find("var this->p : char *\n") == std::string::npos);
  CHECK(c.unit.programs.back().clauses.size() == 2);
  CHECK(body_in("trace(pid ? (char *)alloca(1) : curthread->path);")
            .starts_with("action trace\n  conditional : char * scratch\n"));
}

TEST_CASE("assign: stores through pointers and members", "[check]") {
  CHECK(tag_in("*(int *)arg0 = 1;") == "");
  CHECK(tag_in("((struct task_struct *)curthread)->pid = 1; x = curthread; x->pid = 1;") == "");
  CHECK(tag_in("x = *curthread; x.pid = 1; x.comm[2] = 'a';") == "");
  CHECK(body_in("this->r = (struct request *)alloca(16); this->r->low = 5;")
            .ends_with("  assign : unsigned int\n"
                       "    member at bit 32 width 3 : unsigned int\n"
                       "      deref : struct request\n"
                       "        var this->r : struct request * scratch\n"
                       "    int 5 : unsigned int\n"));
}

TEST_CASE("assign: errors", "[check]") {
  const Row rows[] = {
      {"1 = 2;", "D_OP_LVAL"},
      {"pid = 2;", "D_OP_WRITE"},
      {"`jiffies = 2;", "D_OP_WRITE"},
      {"`init_task.pid = 2;", "D_OP_WRITE"},
      {"curthread->pid = 1;", "D_OP_WRITE"},
      {"curthread->parent->comm[1]++;", "D_OP_WRITE"},
      {"(pid + 1) = 2;", "D_OP_LVAL"},
      {"NULL = 2;", "D_OP_LVAL"},
      {"NULL++;", "D_OP_LVAL"},
      {"pid++;", "D_OP_WRITE"},
      {"pid += 1;", "D_OP_WRITE"},
      {"x = 1; x = \"a\";", "D_OP_INCOMPAT"},
      {"x = \"a\"; x = 1;", "D_OP_INCOMPAT"},
      {"x = 1; x = curthread;", "D_OP_INCOMPAT"},
      {"x = curthread; x = (struct request *)arg0;", "D_OP_INCOMPAT"},
      {"x = curthread; x = (userland struct task_struct *)arg0;", "D_OP_INCOMPAT"},
      {"x = curthread->comm;", "D_OP_ARRFUN"},
      {"x = `vfs_read;", "D_OP_ARRFUN"},
      {"x = *curthread; x.comm = \"a\";", "D_OP_ARRFUN"},
      {"x = \"a\"; x -= \"b\";", "D_OP_INCOMPAT"},
      {"x = \"a\"; x *= 2;", "D_OP_ARITH"},
      {"x = curthread; x %= 2;", "D_OP_INT"},
      {"x = curthread; x <<= 2;", "D_OP_INT"},
      {"x = 1; x &= execname;", "D_OP_INT"},
      {"x = 1; x += execname;", "D_OP_INCOMPAT"},
      {"x = 1; x /= 0;", "D_DIV_ZERO"},
      {"x = (void *)arg0; x += 1;", "D_OP_VFPTR"},
      {"x = (void *)arg0; x++;", "D_OP_VFPTR"},
      {"x = \"a\"; x++;", "D_OP_SCALAR"},
      {"@a = count(); x = @a;", "D_OP_DYN"},
      {"@a = count(); @a++;", "D_OP_SCALAR"},
      {"x = (@a = count());", "D_AGG_FUNC"},
      {"x[1] = 1; x[1, 2] = 1;", "D_PROTO_LEN"},
      {"x[1] = 1; x[\"a\"] = 1;", "D_PROTO_ARG"},
      {"x[trace(1)] = 1;", "D_KEY_TYPE"},
      {"@a = count(); x[@a] = 1;", "D_KEY_TYPE"},
      {"x[sym(1)] = 1;", "D_CG_EXPR"},
      {"x[(void)1] = 1;", "D_KEY_TYPE"},
  };
  for (const Row &row : rows) {
    CAPTURE(row.text);
    CHECK(tag_in(row.text) == row.expected);
  }
  CHECK(message_in("x = 1; x = \"a\";") == "operands have incompatible types: \"int\" = \"string\"");
  CHECK(message_in("x[1] = 1; x[1, 2] = 1;") == "x[ ] prototype mismatch: 2 keys passed, 1 expected");
  CHECK(message_in("x[1] = 1; x[\"a\"] = 1;") ==
        "x[ ] key #1 is incompatible with prototype:\n\tprototype: int\n\t argument: string");
}

TEST_CASE("assign: a variable that nobody declared holds 64 bits", "[check]") {
  Check c;
  REQUIRE(
      c.program("int declared; BEGIN { declared = 1; x = 1; self->x = 'c'; this->x = (unsigned char)1; a[1] = 1U; "
                "y = STATE_BUSY; z = 1LL; p = curthread; b = (short)1; }"));
  for (const tree::VariableInfo &info : c.unit.variables) {
    CAPTURE(info.name);
    CHECK(c.types.size_bytes(info.type) == (info.name == "declared" ? 4 : 8));
  }
  CHECK(c.types.name(c.unit.variables[1].type) == "int");
  CHECK(c.types.is_signed(c.unit.variables[1].type));
  CHECK(c.types.name(c.unit.variables[4].type) == "unsigned int");
  CHECK_FALSE(c.types.is_signed(c.unit.variables[4].type));
  CHECK(c.types.name(c.unit.variables[5].type) == "enum state");
  // Its checks are those of its first type.
  CHECK(tag_in("x = 1; printf(\"%d %ld\", x, x);").empty());
  CHECK(tag_in("x = 1; printf(\"%hd\", x);") == "D_PRINTF_ARG_TYPE");
  CHECK(body_in("x = 1; trace(sizeof (x));").find("int 4 : size_t") != std::string::npos);
}

TEST_CASE("assign: keys that nobody declared widen", "[check]") {
  Check c;
  REQUIRE(
      c.program("int declared[int]; BEGIN { a[1] = 1; a[arg0] = 1; b[1] = 1; b[2LL] = 1; declared[arg0] = 1; "
                "@c[1] = count(); @c[arg0] = count(); }"));
  auto key_bytes = [&](size_t i) { return c.types.size_bytes(c.unit.variables[i].keys[0]); };
  CHECK(key_bytes(0) == 4);
  CHECK(key_bytes(1) == 8);
  CHECK(key_bytes(2) == 4);
  CHECK(c.types.size_bytes(c.unit.aggregations[0].keys[0]) == 8);
}
