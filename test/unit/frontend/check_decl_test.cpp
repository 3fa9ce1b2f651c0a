// SPDX-License-Identifier: Apache-2.0
// Declarations: types, variables, tags, externs.
#include <catch2/catch.hpp>

#include "test/unit/frontend/check_fixture.h"

using namespace dtrace;
using namespace dtrace::test;

namespace {
struct Row {
  const char *text;
  const char *expected;
};
std::string variables_of(std::string_view text) {
  Check c;
  if (!c.program(text)) return c.tag() + ": " + c.message();
  return c.dump().substr(0, c.dump().find("program"));
}
}  // namespace

TEST_CASE("decl: types", "[check]") {
  const Row rows[] = {
      {"int x;", "int"},
      {"unsigned x;", "unsigned int"},
      {"const x;", "int"},
      {"short int x;", "short"},
      {"unsigned short x;", "unsigned short"},
      {"long unsigned int x;", "unsigned long"},
      {"long long x;", "long long"},
      {"unsigned long long x;", "unsigned long long"},
      {"signed char x;", "signed char"},
      {"unsigned char x;", "unsigned char"},
      {"double x;", "double"},
      {"long double x;", "long double"},
      {"string x;", "string"},
      {"const char *x;", "const char *"},
      {"int *const x;", "int *"},
      {"userland char *x;", "userland char *"},
      {"int x[3];", "int [3]"},
      {"int *x[3];", "int *[3]"},
      {"int (*x)[3];", "int (*)[3]"},
      {"int (*x)(int, char);", "int (*)()"},
      {"uint64_t x;", "uint64_t"},
      {"kernel_t x;", "kernel_t"},
      {"struct task_struct *x;", "struct task_struct *"},
      {"struct vmlinux`task_struct *x;", "struct task_struct *"},
      {"struct nosuch *x;", "struct nosuch *"},
      {"struct { int a; } x;", "struct"},
      {"enum { A, B } x;", "enum"},
      {"int x[2 + 1];", "int [3]"},
  };
  for (const Row &row : rows) {
    CAPTURE(row.text);
    CHECK(variables_of(row.text) == fmt::format("variable x : {}\n", row.expected));
  }
}

TEST_CASE("decl: variables", "[check]") {
  CHECK(variables_of("int a, b; self string s; this int t; int m[int, string];") ==
        "variable a : int\nvariable b : int\nvariable self->s : string\nvariable this->t : int\n"
        "variable m[int, string] : int\n");
  CHECK(variables_of("self int x[int];") == "variable self->x[int] : int\n");
  CHECK(variables_of("int x; int x;") == "variable x : int\n");
  CHECK(variables_of("inline int N = 4; int x[N];") == "variable x : int [4]\n");
  CHECK(variables_of("enum { N = 4 }; int x[N];") == "variable x : int [4]\n");
}

TEST_CASE("decl: structs, unions, bit-fields", "[check]") {
  CHECK(body_of(
            "struct s { char c; int i; struct s *next; unsigned lo : 3, hi : 5; }; struct s v;\n"
            "BEGIN { v.i = 1; v.next = (struct s *)0; v.hi = 2; trace(sizeof(struct s)); trace(v.next->next->i); }") ==
        "evaluate\n"
        "  assign : int\n"
        "    member at 4 : int\n"
        "      var v : struct s\n"
        "    int 1 : int\n"
        "evaluate\n"
        "  assign : struct s *\n"
        "    member at 8 : struct s *\n"
        "      var v : struct s\n"
        "    int 0 : struct s *\n"
        "evaluate\n"
        "  assign : unsigned int\n"
        "    member at bit 131 width 5 : unsigned int\n"
        "      var v : struct s\n"
        "    int 2 : unsigned int\n"
        "action trace\n"
        "  int 24 : size_t\n"
        "action trace\n"
        "  member at 4 : int\n"
        "    deref : struct s\n"
        "      member at 8 : struct s *\n"
        "        deref : struct s\n"
        "          member at 8 : struct s *\n"
        "            var v : struct s\n");
  CHECK(
      tag_of(
          "struct s { union { int a; char b; }; struct { int c; } d; }; struct s v; BEGIN { v.b = 'x'; v.d.c = 1; }") ==
      "");
  CHECK(tag_of("struct task_struct { int mine; }; struct task_struct t; BEGIN { t.mine = 1; }") == "");
  CHECK(tag_of("struct request { struct request *up; int mine; }; BEGIN { trace(((struct request *)0)->up->mine); }") ==
        "");
  CHECK(tag_of("struct s { int a : 3; int : 0; int b : 3; }; BEGIN { trace(sizeof(struct s)); }") == "");
}

TEST_CASE("decl: enums", "[check]") {
  CHECK(body_of("enum e { A, B = A + 5, C }; BEGIN { trace(C); trace(sizeof(enum e)); }") ==
        "action trace\n  int 6 : enum e\naction trace\n  int 4 : size_t\n");
}

TEST_CASE("decl: typedefs", "[check]") {
  CHECK(variables_of("typedef int my_t; my_t x;") == "variable x : my_t\n");
  CHECK(variables_of("typedef int kernel_t; kernel_t x;") == "variable x : kernel_t\n");  // hides the kernel's
  CHECK(variables_of("typedef struct s { int a; } s_t; s_t x;") == "variable x : s_t\n");
}

TEST_CASE("decl: externs and prototypes", "[check]") {
  CHECK(tag_of("extern int untyped; extern int untyped; BEGIN { trace(`untyped + 1); }") == "");
  CHECK(tag_of("int f(int, ...); int f(int); BEGIN { }") == "");
  CHECK(tag_of("extern int untyped; extern long untyped;") == "D_DECL_IDRED");
}

TEST_CASE("decl: errors", "[check]") {
  const Row rows[] = {
      {"short char x;", "D_DECL_CHARATTR"},
      {"long char x;", "D_DECL_CHARATTR"},
      {"unsigned void *x;", "D_DECL_VOIDATTR"},
      {"signed float x;", "D_DECL_SIGNINT"},
      {"unsigned struct task_struct *x;", "D_DECL_SIGNINT"},
      {"unsigned string x;", "D_DECL_SIGNINT"},
      {"long struct task_struct *x;", "D_DECL_LONGINT"},
      {"long string x;", "D_DECL_LONGINT"},
      {"short double x;", "D_DECL_LONGINT"},
      {"int char x;", "D_DECL_COMBO"},
      {"struct task_struct int *x;", "D_DECL_COMBO"},
      {"float double x;", "D_DECL_COMBO"},
      {"signed unsigned x;", "D_DECL_COMBO"},
      {"self this int x;", "D_DECL_CLASS"},
      {"auto int x;", "D_DECL_BADCLASS"},
      {"register int x;", "D_DECL_BADCLASS"},
      {"static int x;", "D_DECL_BADCLASS"},
      {"int x[static int];", "D_DECL_PARMCLASS"},
      {"int x[-1];", "D_DECL_ARRSUB"},
      {"int x[0];", "D_DECL_ARRSUB"},
      {"int x[pid];", "D_DECL_ARRSUB"},
      {"int x[];", "D_DECL_ARRNULL"},
      {"int x[4294967296];", "D_DECL_ARRBIG"},
      {"int x[65536][65536];", "D_DECL_ARRBIG"},
      {"int x; string x;", "D_DECL_IDRED"},
      {"int x[int]; int x[string];", "D_DECL_IDRED"},
      {"int x; int x[int];", "D_DECL_IDRED"},
      {"int pid;", "D_DECL_IDRED"},
      {"int strlen;", "D_DECL_IDRED"},
      {"inline int x = 1; int x;", "D_DECL_IDRED"},
      {"typedef int x_t; typedef long x_t;", "D_DECL_IDRED"},
      {"int x; typedef int x;", "D_DECL_IDRED"},
      {"int A; enum { A };", "D_DECL_IDRED"},
      {"struct s { int a; }; struct s { int b; };", "D_DECL_TYPERED"},
      {"enum e { A }; enum e { B };", "D_DECL_TYPERED"},
      {"struct s { int; };", "D_DECL_MNAME"},
      {"int a`b;", "D_DECL_SCOPE"},
      {"struct s { int x : pid; };", "D_DECL_BFCONST"},
      {"struct s { int x : 0; };", "D_DECL_BFCONST"},
      {"struct s { int x : -1; };", "D_DECL_BFCONST"},
      {"struct s { int x : 33; };", "D_DECL_BFSIZE"},
      {"struct s { char x : 9; };", "D_DECL_BFSIZE"},
      {"struct s { float x : 3; };", "D_DECL_BFTYPE"},
      {"struct s { char *x : 3; };", "D_DECL_BFTYPE"},
      {"enum e { A = pid };", "D_DECL_ENCONST"},
      {"enum e { A = 2147483648 };", "D_DECL_ENOFLOW"},
      {"enum e { A = 2147483647, B };", "D_DECL_ENOFLOW"},
      {"int;", "D_DECL_USELESS"},
      {"this int x[int];", "D_DECL_LOCASSC"},
      {"void x;", "D_DECL_VOIDOBJ"},
      {"void x[3];", "D_DECL_VOIDOBJ"},
      {"struct s { void v; };", "D_DECL_VOIDOBJ"},
      {"struct s { int a[int]; };", "D_DECL_DYNOBJ"},
      {"int x[3][int];", "D_DECL_DYNOBJ"},
      {"struct nosuch x;", "D_DECL_INCOMPLETE"},
      {"struct s { struct nosuch x; };", "D_DECL_INCOMPLETE"},
      {"struct s { struct s x; };", "D_DECL_INCOMPLETE"},
      {"int x[int, ...];", "D_DECL_PROTO_VARARGS"},
      {"int x[void];", "D_DECL_PROTO_TYPE"},
      {"int f(int, void);", "D_DECL_PROTO_VOID"},
      {"int f(void x);", "D_DECL_PROTO_NAME"},
      {"int f(int a, int a);", "D_DECL_PROTO_FORM"},
      {"struct s { int a; int a; };", "D_UNKNOWN"},
      {"struct a`b`c *x;", "D_TYPE_ERR"},
      {"struct nomodule`task_struct *x;", "D_TYPE_ERR"},
  };
  for (const Row &row : rows) {
    CAPTURE(row.text);
    CHECK(tag_of(row.text) == row.expected);
  }
  CHECK(message_of("int x; string x;") == "identifier redeclared: x\n\t current: string\n\tprevious: int");
}
