// SPDX-License-Identifier: Apache-2.0
// Expressions: types of results, constants, operand checks.
#include <catch2/catch.hpp>

#include "test/unit/frontend/check_fixture.h"

using namespace dtrace;
using namespace dtrace::test;

namespace {
struct Row {
  const char *text;
  const char *expected;
};

/// The line of the value that `trace(text)` records.
std::string traced(std::string_view text) {
  const std::string body = body_in(fmt::format("trace({});", text));
  const std::string prefix = "action trace\n  ";
  if (!body.starts_with(prefix)) return body;
  const std::string rest = body.substr(prefix.size());
  return rest.substr(0, rest.find('\n'));
}
}  // namespace

TEST_CASE("expr: constants fold", "[check]") {
  const Row rows[] = {
      {"1", "int 1 : int"},
      {"2147483648", "int 2147483648 : long"},
      {"0x80000000", "int 2147483648 : unsigned int"},
      {"0xffffffffffffffff", "int 18446744073709551615 : unsigned long"},
      {"1u", "int 1 : unsigned int"},
      {"1l", "int 1 : long"},
      {"1ull", "int 1 : unsigned long long"},
      {"'ab'", "int 24930 : int"},
      {"1 + 2 * 3", "int 7 : int"},
      {"(char)100 + (char)100", "int -56 : char"},
      {"-7 / 2", "int -3 : int"},
      {"-7 % 2", "int -1 : int"},
      {"-7 >> 1", "int -4 : int"},
      {"1 << 33", "int 0 : int"},
      {"1LL << 33", "int 8589934592 : long long"},
      {"(int)(1 << 31)", "int -2147483648 : int"},
      {"(long)(60 * 60 * 1000000000)", "int 3600000000000 : long"},
      {"timestamp > 60 * 60 * 1000000000", "binary > : int"},
      {"~0u", "int 4294967295 : unsigned int"},
      {"-1 < 0u", "int 0 : int"},
      {"!3", "int 0 : int"},
      {"1 ^^ 2", "int 0 : int"},
      {"0 && pid", "int 0 : int"},
      {"3 || pid", "int 1 : int"},
      {"1 ? 2 : 3", "int 2 : int"},
      {"0 ? 2 : 3LL", "int 3 : long long"},
      {"1 == 1", "int 1 : int"},
      {"NULL", "int 0 : long"},
      {"STATE_BUSY", "int 5 : enum state"},
      {"STATE_BUSY + 1", "int 6 : int"},
      {"sizeof(int)", "int 4 : size_t"},
      {"sizeof(\"abc\")", "int 4 : size_t"},
      {"sizeof(string)", "int 256 : size_t"},
      {"sizeof(execname)", "int 256 : size_t"},
      {"sizeof(curthread->comm)", "int 16 : size_t"},
      {"sizeof(struct task_struct)", "int 64 : size_t"},
      {"sizeof(`init_task)", "int 64 : size_t"},
      {"offsetof(struct task_struct, comm)", "int 8 : int"},
      {"(void *)0", "int 0 : void *"},
  };
  for (const Row &row : rows) {
    CAPTURE(row.text);
    CHECK(traced(row.text) == row.expected);
  }
}

TEST_CASE("expr: types of results", "[check]") {
  const Row rows[] = {
      {"pid + 1LL", "binary + : long long"},
      {"pid + 1", "convert integer : pid_t"},
      {"pid == 1", "binary == : int"},
      {"-pid", "convert integer : pid_t"},
      {"~timestamp", "unary ~ : uint64_t"},
      {"!curthread", "unary ! : int"},
      {"pid << 1LL", "convert integer : pid_t"},
      {"curthread + 1", "binary + : struct task_struct *"},
      {"1 + curthread", "binary + : struct task_struct *"},
      {"curthread - curthread", "binary / : ptrdiff_t"},
      {"curthread == NULL", "binary == : int"},
      {"execname == \"a\"", "string-compare == : int"},
      {"execname == NULL", "binary == : int"},
      {"execname < curthread->path", "string-compare < : int"},
      {"curthread->path == curthread->path", "binary == : int"},
      {"pid && curthread", "logical && : int"},
      {"pid ? execname : \"a long name it is\"", "conditional : string(18)"},
      {"pid ? execname : NULL", "conditional : string(16)"},
      {"pid ? curthread : NULL", "conditional : struct task_struct *"},
      {"pid ? 1 : 2LL", "conditional : long long"},
      {"(pid, 3)", "comma : int"},
      {"execname[0]", "element of 256 : char"},
      {"*execname", "deref : char"},
      {"execname + 1", "binary + : char * scratch"},
      {"stringof(curthread->comm)", "convert to-string : string(17)"},
      {"stringof(curthread->path)", "convert to-string : string"},
      {"(string)curthread->path", "convert to-string : string"},
      {"stringof(arg0)", "convert to-string : string"},
      {"(char)pid", "convert integer : char"},
      {"(uintptr_t)curthread", "convert integer : uintptr_t"},
      {"(kernel_t)pid", "builtin pid : pid_t"},
      {"(struct request *)curthread", "convert integer : struct request *"},
      {"(enum state)pid", "convert integer : enum state"},
      {"stack()", "stack frames 20 : dt_stack_t"},
  };
  for (const Row &row : rows) {
    CAPTURE(row.text);
    CHECK(traced(row.text) == row.expected);
  }
}

TEST_CASE("expr: operands convert to the operation's type", "[check]") {
  CHECK(body_in("trace(pid < timestamp);") ==
        "action trace\n"
        "  binary < : int\n"
        "    convert integer : uint64_t\n"
        "      builtin pid : pid_t\n"
        "    builtin timestamp : uint64_t\n");
  CHECK(body_in("trace((char)pid + pid);") ==
        "action trace\n"
        "  convert integer : pid_t\n"
        "    binary + : pid_t\n"
        "      convert integer : char\n"
        "        builtin pid : pid_t\n"
        "      builtin pid : pid_t\n");
  CHECK(body_in("trace(timestamp > 60 * 60 * 1000000000);") ==
        "action trace\n"
        "  binary > : int\n"
        "    builtin timestamp : uint64_t\n"
        "    int 3600000000000 : uint64_t\n");
}

TEST_CASE("expr: pointer arithmetic is scaled", "[check]") {
  CHECK(body_in("trace(curthread + pid);") ==
        "action trace\n"
        "  binary + : struct task_struct *\n"
        "    builtin curthread : struct task_struct *\n"
        "    binary * : long\n"
        "      convert integer : long\n"
        "        builtin pid : pid_t\n"
        "      int 64 : long\n");
  CHECK(body_in("trace(curthread - 2);") ==
        "action trace\n"
        "  binary - : struct task_struct *\n"
        "    builtin curthread : struct task_struct *\n"
        "    int 128 : long\n");
  CHECK(body_in("trace(curthread->path - curthread->path);").find("binary / ") == std::string::npos);
}

TEST_CASE("expr: strings", "[check]") {
  CHECK(body_in("trace(curthread->comm == \"x\");") ==
        "action trace\n"
        "  string-compare == : int\n"
        "    convert to-string : string(17)\n"
        "      member at 8 : char [16]\n"
        "        deref : struct task_struct\n"
        "          builtin curthread : struct task_struct *\n"
        "    string \"x\" : string(2)\n");
  CHECK(body_in("trace(NULL != execname);") ==
        "action trace\n"
        "  binary != : int\n"
        "    builtin execname : string(16)\n"
        "    int 0 : void *\n");
  CHECK(body_in("trace(execname[2]);") ==
        "action trace\n"
        "  element of 256 : char\n"
        "    builtin execname : string(16)\n"
        "    int 2 : long\n");
}

TEST_CASE("expr: strsize", "[check]") {
  Check c;
  c.option("strsize", "8");
  REQUIRE(c.program(
      "BEGIN { trace(\"abcdefghijkl\"); trace(sizeof(string)); s = \"x\"; trace(sizeof(s)); trace(execname); }"));
  CHECK(c.body() ==
        "action trace\n  string \"abcdefg\" : string\n"
        "action trace\n  int 8 : size_t\n"
        "evaluate\n  assign : string\n    var s : string\n    string \"x\" : string(2)\n"
        "action trace\n  int 8 : size_t\n"
        "action trace\n  builtin execname : string\n");
}

TEST_CASE("expr: an enum on the left names its enumerators", "[check]") {
  const char *text =
      "enum color { RED, GREEN = 7 }; enum color shade;\n"
      "BEGIN { shade = GREEN; trace(shade == GREEN); trace(((enum state)1) == STATE_BUSY); }";
  CHECK(body_of(text) ==
        "evaluate\n  assign : enum color\n    var shade : enum color\n    int 7 : enum color\n"
        "action trace\n  binary == : int\n    var shade : enum color\n    int 7 : int\n"
        "action trace\n  int 0 : int\n");
  CHECK(tag_of("int STATE_BUSY; BEGIN { trace((enum state)pid == STATE_BUSY); }") == "D_IDENT_AMBIG");
}

TEST_CASE("expr: errors", "[check]") {
  const Row rows[] = {
      {"trace(-execname);", "D_OP_ARITH"},
      {"trace(+curthread);", "D_OP_ARITH"},
      {"trace(~curthread);", "D_OP_INT"},
      {"trace(!execname);", "D_OP_SCALAR"},
      {"trace(execname && 1);", "D_OP_SCALAR"},
      {"trace(execname ? 1 : 2);", "D_OP_SCALAR"},
      {"trace(*curthread && 1);", "D_OP_SCALAR"},
      {"trace(curthread * 2);", "D_OP_ARITH"},
      {"trace(curthread / 2);", "D_OP_ARITH"},
      {"trace(curthread % 2);", "D_OP_INT"},
      {"trace(curthread & 2);", "D_OP_INT"},
      {"trace(2 | execname);", "D_OP_INT"},
      {"trace(curthread << 2);", "D_OP_INT"},
      {"trace(curthread + curthread);", "D_OP_INCOMPAT"},
      {"trace(1 - curthread);", "D_OP_INCOMPAT"},
      {"trace((void *)1 + 1);", "D_OP_INCOMPAT"},
      {"trace((void *)1 - (void *)2);", "D_OP_INCOMPAT"},
      {"trace(curthread == 1);", "D_OP_INCOMPAT"},
      {"trace(execname == 1);", "D_OP_INCOMPAT"},
      {"trace(execname < NULL);", "D_OP_INCOMPAT"},
      {"trace(curthread == (struct request *)0 + 1);", "D_OP_INCOMPAT"},
      {"trace(*curthread == *curthread);", "D_OP_INCOMPAT"},
      {"trace(pid ? execname : 1);", "D_OP_INCOMPAT"},
      {"trace(pid ? curthread : 1);", "D_OP_INCOMPAT"},
      {"x = pid ? trace(1) : 2;", "D_OP_ACT"},
      {"trace(1), trace(2);", "D_OP_ACT"},
      {"@a = count(); trace((@a, 1));", "D_OP_DYN"},
      {"@a = count(); trace(pid ? @a : 1);", "D_OP_DYN"},
      {"trace(1 / 0);", "D_DIV_ZERO"},
      {"trace(pid / 0);", "D_DIV_ZERO"},
      {"trace(pid % (1 - 1));", "D_DIV_ZERO"},
      {"trace(1 + trace(1));", "D_CG_EXPR"},
      {"x = trace(1);", "D_CG_EXPR"},
      {"x = count();", "D_CG_EXPR"},
      {"trace(sym(1));", "D_CG_EXPR"},
      {"trace((struct task_struct)1);", "D_CAST_INVAL"},
      {"trace((int)execname);", "D_CAST_INVAL"},
      {"trace((int)*curthread);", "D_CAST_INVAL"},
      {"trace((string)*curthread);", "D_CAST_INVAL"},
      {"trace(sizeof(void));", "D_SIZEOF_TYPE"},
      {"trace(sizeof(struct nosuch));", "D_SIZEOF_TYPE"},
      {"@a = count(); trace(sizeof(@a));", "D_SIZEOF_TYPE"},
      {"trace(sizeof(((struct request *)0)->low));", "D_SIZEOF_BITFIELD"},
      {"trace(offsetof(int, x));", "D_OFFSETOF_TYPE"},
      {"trace(offsetof(struct request, low));", "D_OFFSETOF_BITFIELD"},
      {"trace(offsetof(struct request, nosuch));", "D_UNKNOWN"},
      {"trace(stringof(*curthread));", "D_STRINGOF_TYPE"},
      {"trace(9223372036854775808);", "D_INT_OFLOW"},
      {"trace(`untyped);", "D_SYM_NOTYPES"},
      {"trace(`untyped + 1);", "D_SYM_NOTYPES"},
  };
  for (const Row &row : rows) {
    CAPTURE(row.text);
    CHECK(tag_in(row.text) == row.expected);
  }
}

TEST_CASE("expr: words of errors", "[check]") {
  CHECK(message_in("trace(curthread + curthread);") ==
        "operands have incompatible types: \"struct task_struct *\" + \"struct task_struct *\"");
  CHECK(message_in("trace(!execname);") == "operator ! requires an operand of scalar type, not \"string\"");
  CHECK(message_in("trace(1/0);") == "expression contains division by zero");
}

TEST_CASE("expr: one mistake, one message", "[check]") {
  Check c;
  c.program("BEGIN { trace(nosuch + 1 == 2 ? nosuch2 : 3); }");
  CHECK(c.diags.list().size() == 2);
}

TEST_CASE("expr: results keep 64 bits until they are narrowed", "[check]") {
  // Recorded, passed and cast: narrowed. Compared, assigned to what is wider, a condition: not.
  CHECK(body_of("int i; BEGIN { trace(i + 1); }") ==
        "action trace\n"
        "  convert integer : int\n"
        "    binary + : int\n"
        "      var i : int\n"
        "      int 1 : int\n");
  CHECK(body_of("int i; BEGIN { trace(i + 1 > i); }") ==
        "action trace\n"
        "  binary > : int\n"
        "    binary + : int\n"
        "      var i : int\n"
        "      int 1 : int\n"
        "    var i : int\n");
  CHECK(body_of("int i; BEGIN { trace((char)(i << 1)); }") ==
        "action trace\n"
        "  convert integer : char\n"
        "    binary << : int\n"
        "      var i : int\n"
        "      int 1 : int\n");
  // unsigned int wraps by itself.
  CHECK(body_of("unsigned int i; BEGIN { trace(i + 1); }") ==
        "action trace\n"
        "  binary + : unsigned int\n"
        "    var i : unsigned int\n"
        "    int 1 : unsigned int\n");
  CHECK(body_in("trace(1 << 33);") == "action trace\n  int 0 : int\n");
  CHECK(body_in("trace(1 << 33 == 1LL << 33);") == "action trace\n  int 1 : int\n");
  CHECK(body_in("trace(!(1 << 33));") == "action trace\n  int 0 : int\n");
  CHECK(body_in("trace((1 << 33) && 1);") == "action trace\n  int 1 : int\n");
  CHECK(body_in("trace((1 << 33) ? 5 : 6);") == "action trace\n  int 5 : int\n");
}

TEST_CASE("expr: types narrower than int compute as signed", "[check]") {
  CHECK(body_in("trace((unsigned char)200 + (unsigned char)100 > 255);") == "action trace\n  int 1 : int\n");
  CHECK(body_in("trace((unsigned char)1 - (unsigned char)2 < (unsigned char)0);") == "action trace\n  int 1 : int\n");
  CHECK(body_in("trace((unsigned char)200 + (unsigned char)100);") == "action trace\n  int 44 : unsigned char\n");
  CHECK(body_in("trace((char)-1 == (unsigned char)255);") == "action trace\n  int 0 : int\n");
  CHECK(body_in("trace(-1 == 4294967295U);") == "action trace\n  int 1 : int\n");
  CHECK(body_in("trace(4294967295U + 1 == 0);") == "action trace\n  int 1 : int\n");
}

TEST_CASE("expr: unsigned comparisons, casts to _Bool, NULL on the left", "[check]") {
  for (const char *text : {"trace(5U >= 5U);", "trace(4294967295U >= 1);", "trace(-1 >= 4294967295U);",
                           "trace(0xffffffffffffffff >= 1);", "trace((_Bool)2);", "trace((_Bool)(char)-1);"}) {
    CAPTURE(text);
    CHECK(body_in(text).find("int 1 :") != std::string::npos);
  }
  CHECK(body_in("trace(4U >= 5U);") == "action trace\n  int 0 : int\n");
  CHECK(body_in("trace(1 >= 0xffffffffffffffff);") == "action trace\n  int 0 : int\n");
  CHECK(body_of("char c; BEGIN { trace((_Bool)c); }") ==
        "action trace\n"
        "  convert integer : _Bool\n"
        "    var c : char\n");
  CHECK(body_of("string s; BEGIN { trace((string)0 != s); }") ==
        "action trace\n"
        "  string-compare != : int\n"
        "    int 0 : string\n"
        "    var s : string\n");
}

TEST_CASE("expr: bytes of a string are bounded by strsize", "[check]") {
  CHECK(tag_in("trace(execname[255]);").empty());
  CHECK(tag_in("trace(execname[256]);") == "D_ARR_BOUNDS");
  CHECK(tag_in("trace(\"ab\"[-1]);") == "D_ARR_BOUNDS");
  CHECK(tag_in("s = \"ab\"; s[1] = 'x'; s[1]++; self->t = s; self->t[0] = 0; a[1] = s; a[1][0] = 1;").empty());
  CHECK(tag_in("s = \"ab\"; s[256] = 'x';") == "D_ARR_BOUNDS");
  CHECK(tag_in("execname[1] = 'x';") == "D_OP_WRITE");
  CHECK(tag_in("\"ab\"[1] = 'x';") == "D_OP_WRITE");
}

TEST_CASE("expr: what a constant condition excludes is not checked", "[check]") {
  for (const char *program :
       {"inline int A = 1; BEGIN { A ? @c[1] = count() : 1; !A ? @c[1, 2] = count() : 1; }",
        "BEGIN { 0 ? trace(nosuchvar) : trace(1); }", "BEGIN { if (1) trace(1); else nosuch(); }",
        "BEGIN { if (0) { nosuch(); } else if (0) { trace(nosuchvar); } }", "BEGIN { x = 1 ? 2 : nosuchvar; }",
        "BEGIN { if (0) { @n[1] = count(); } printa(@n); trunc(@n); }", "BEGIN { if (0) { x = 1; } trace(x); }",
        "BEGIN { if (1) { x = 1; } else { trace(1); } speculate(1); }", "BEGIN { x = 0 ? curthread->nosuch : \"a\"; }",
        "BEGIN /1 ? pid : nosuch()/ { trace(0 ? trace(1) : 2); }"}) {
    Check c;
    CHECK(std::tuple(program, c.program(program), c.diags.list().empty() ? "" : c.message()) ==
          std::tuple(program, true, ""));
  }
  for (const auto &[program, tag] : std::initializer_list<std::pair<const char *, const char *>>{
           {"BEGIN { 1 ? trace(nosuchvar) : trace(1); }", "D_IDENT_UNDEF"},
           {"BEGIN { x = 0 ? 1 : nosuchvar; }", "D_IDENT_UNDEF"},
           {"BEGIN { x = 1 ? trace(1) : nosuchvar; }", "D_OP_ACT"},
           {"BEGIN { pid ? trace(nosuchvar) : trace(1); }", "D_IDENT_UNDEF"},
       }) {
    Check c;
    CHECK_FALSE(c.program(program));
    CHECK(std::pair(program, c.tag()) == std::pair(program, std::string(tag)));
  }
  // The types of both count, as in C.
  CHECK(body_of("BEGIN { x = 1 ? 'a' : 1LL; }").find("long long") != std::string::npos);
}
