// SPDX-License-Identifier: Apache-2.0
// Inlines and translators, in programs and D libraries.
#include <catch2/catch.hpp>

#include "test/unit/frontend/check_fixture.h"

using namespace dtrace;
using namespace dtrace::test;

namespace {
struct Row {
  const char *text;
  const char *expected;
};

constexpr const char *kInfo =
    "typedef struct info { int i_pid; string i_name; struct info *i_up; int i_none; } info_t;\n"
    "translator info_t < struct task_struct *T > {\n"
    "  i_pid = T->pid + 1;\n"
    "  i_name = T->comm;\n"
    "  i_up = xlate <info_t *> (T->parent);\n"
    "};\n";

std::string with_info(std::string_view clause) { return std::string(kInfo) + std::string(clause); }
}  // namespace

TEST_CASE("inline: scalars", "[check]") {
  CHECK(body_of("inline int two = 1 + 1; inline string who = execname; inline int four = two * 2;\n"
                "BEGIN { trace(two); trace(four); trace(who); }") ==
        "action trace\n  int 2 : int\naction trace\n  int 4 : int\naction trace\n  builtin execname : string(16)\n");
  CHECK(body_of("inline int64_t up = pid; BEGIN { trace(up); }") ==
        "action trace\n  convert integer : int64_t\n    builtin pid : pid_t\n");
}

TEST_CASE("inline: arrays bind their indexes", "[check]") {
  CHECK(body_of("inline int plus[int a, int b] = a + b + a; BEGIN { trace(plus[pid, 2]); trace(plus[1, 2]); }") ==
        "action trace\n"
        "  convert integer : int\n"
        "    binary + : int\n"
        "      binary + : int\n"
        "        builtin pid : pid_t\n"
        "        int 2 : int\n"
        "      builtin pid : pid_t\n"
        "action trace\n"
        "  int 4 : int\n");
  CHECK(body_of("inline string name[int s] = s == 0 ? \"idle\" : \"?\"; BEGIN { trace(name[0]); trace(name[pid]); }")
            .starts_with("action trace\n  string \"idle\" : string(5)\naction trace\n  conditional : string(5)\n"));
  CHECK(tag_of("int a; inline int f[string a] = strlen(a); BEGIN { trace(f[execname]); }") == "");
}

TEST_CASE("inline: errors", "[check]") {
  const Row rows[] = {
      {"inline int x = execname;", "D_OP_INCOMPAT"},
      {"inline string x = 1;", "D_OP_INCOMPAT"},
      {"inline int x = x + 1;", "D_IDENT_UNDEF"},
      {"inline int x = nosuch;", "D_IDENT_UNDEF"},
      {"inline void x = 1;", "D_DECL_VOIDOBJ"},
      {"inline int x(int a) = 1;", "D_DECL_IDENT"},
      {"inline int x[3] = 1;", "D_DECL_ARRNULL"},
      {"inline int x[int] = 1;", "D_DECL_PROTO_NAME"},
      {"inline int x[int a, int a] = 1;", "D_DECL_PROTO_FORM"},
      {"inline int x[int a, ...] = 1;", "D_DECL_PROTO_VARARGS"},
      {"inline self int x = 1;", "D_DECL_BADCLASS"},
      {"inline int pid = 1;", "D_DECL_IDRED"},
      {"inline int x = 1; inline int x = 1;", "D_DECL_IDRED"},
      {"inline int x = trace(1);", "D_CG_EXPR"},
      {"inline int x[int a] = a; BEGIN { trace(x); }", "D_IDENT_BADREF"},
      {"inline int x[int a] = a; BEGIN { trace(x[1, 2]); }", "D_PROTO_LEN"},
      {"inline int x[int a] = a; BEGIN { trace(x[execname]); }", "D_PROTO_ARG"},
      {"inline int x = 1; BEGIN { x = 2; }", "D_OP_LVAL"},
      {"inline int x = 1; BEGIN { trace(x[1]); }", "D_IDENT_BADREF"},
  };
  for (const Row &row : rows) {
    CAPTURE(row.text);
    CHECK(tag_of(row.text) == row.expected);
  }
}

TEST_CASE("translate: members expand where they are used", "[check]") {
  CHECK(body_of(with_info(
            "BEGIN { trace(xlate <info_t *> (curthread)->i_pid); trace(xlate <info_t> (curthread).i_name); }")) ==
        "action trace\n"
        "  convert integer : int\n"
        "    binary + : int\n"
        "      member at 0 : int\n"
        "        deref : struct task_struct\n"
        "          builtin curthread : struct task_struct *\n"
        "      int 1 : int\n"
        "action trace\n"
        "  convert to-string : string(17)\n"
        "    member at 8 : char [16]\n"
        "      deref : struct task_struct\n"
        "        builtin curthread : struct task_struct *\n");
  CHECK(body_of(with_info("BEGIN { trace(xlate <struct info *> (curthread)->i_up->i_pid); }")) ==
        "action trace\n"
        "  convert integer : int\n"
        "    binary + : int\n"
        "      member at 0 : int\n"
        "        deref : struct task_struct\n"
        "          member at 24 : struct task_struct *\n"
        "            deref : struct task_struct\n"
        "              builtin curthread : struct task_struct *\n"
        "      int 1 : int\n");
  CHECK(tag_of(with_info(
            "inline info_t *me = xlate <info_t *> (curthread); BEGIN { trace(me->i_pid); trace((*me).i_pid); }")) ==
        "");
}

TEST_CASE("translate: the parameter hides globals", "[check]") {
  CHECK(tag_of("int T; typedef struct { int a; } o_t; translator o_t < struct task_struct *T > { a = T->pid; };\n"
               "BEGIN { trace(xlate <o_t> (curthread).a); trace(T); }") == "");
}

TEST_CASE("translate: args", "[check]") {
  CHECK(body_of("typedef struct { int b_len; } bufinfo_t;\n"
                "translator bufinfo_t < struct request *R > { b_len = R->len; };\n"
                "io:::start { trace(args[0]->b_len); }") ==
        "action trace\n"
        "  member at 0 : int\n"
        "    deref : struct request\n"
        "      arg 0 : struct request *\n");
}

TEST_CASE("translate: lookup by the plain type", "[check]") {
  CHECK(tag_of("typedef struct task_struct *task_p; typedef struct { int a; } o_t;\n"
               "translator o_t < task_p T > { a = T->pid; }; BEGIN { trace(xlate <o_t> (curthread).a); }") == "");
  CHECK(tag_of("typedef struct { int a; } o_t; translator o_t < int N > { a = N; };\n"
               "BEGIN { trace(xlate <o_t> (pid).a); }") == "");
}

TEST_CASE("translate: errors", "[check]") {
  const Row rows[] = {
      {"BEGIN { trace(xlate <info_t> (pid).i_pid); }", "D_XLATE_NONE"},
      {"BEGIN { trace(xlate <struct task_struct *> (curthread)->pid); }", "D_XLATE_NONE"},
      {"BEGIN { trace(xlate <int> (curthread)); }", "D_XLATE_NONE"},
      {"BEGIN { trace(xlate <info_t *> (curthread)->i_none); }", "D_XLATE_NOCONV"},
      {"BEGIN { trace(xlate <info_t *> (curthread)->nosuch); }", "D_TYPE_MEMBER"},
      {"BEGIN { trace(xlate <info_t *> (curthread).i_pid); }", "D_OP_SOU"},
      {"BEGIN { trace(xlate <info_t> (curthread)->i_pid); }", "D_OP_PTR"},
      {"BEGIN { trace(xlate <info_t *> (curthread)); }", "D_TRACE_DYN"},
      {"BEGIN { print(xlate <info_t *> (curthread)); }", "D_PRINT_DYN"},
      {"BEGIN { xlate <info_t *> (curthread); }", "D_CG_DYN"},
      {"BEGIN { x = xlate <info_t *> (curthread); }", "D_CG_DYN"},
      {"BEGIN { trace(xlate <info_t *> (curthread) == NULL); }", "D_CG_DYN"},
      {"BEGIN { trace((xlate <info_t *> (curthread), 1)); }", "D_OP_DYN"},
      {"BEGIN { trace(pid ? xlate <info_t *> (curthread) : 0); }", "D_OP_DYN"},
      {"BEGIN { @a[xlate <info_t *> (curthread)] = count(); }", "D_KEY_TYPE"},
      {"BEGIN /xlate <info_t *> (curthread)/ { }", "D_PRED_SCALAR"},
      {"translator info_t < struct task_struct *T > { };", "D_XLATE_REDECL"},
      {"translator int < struct task_struct *T > { a = 1; };", "D_XLATE_SOU"},
      {"translator struct nosuch < struct task_struct *T > { a = 1; };", "D_XLATE_SOU"},
      {"translator info_t < int T > { nosuch = 1; };", "D_XLATE_MEMB"},
      {"translator info_t < int T > { i_pid = 1; i_pid = 2; };", ""},
      {"#pragma D option strict\ntranslator info_t < int T > { i_pid = 1; i_pid = 2; };", "D_XLATE_REDECL"},
      {"translator info_t < int T > { i_pid = execname; };", "D_XLATE_INCOMPAT"},
      {"translator info_t < int T > { i_name = T; };", "D_XLATE_INCOMPAT"},
      {"translator info_t < int T > { i_pid = nosuch; };", "D_IDENT_UNDEF"},
  };
  for (const Row &row : rows) {
    CAPTURE(row.text);
    CHECK(tag_of(with_info(row.text)) == row.expected);
  }
}

TEST_CASE("library: what does not fit harms only its users", "[check]") {
  Check c;
  REQUIRE(
      c.library("inline int good = 1;\n"
                "inline int bad = curthread->nosuch;\n"
                "struct wrong { struct nosuch inside; };\n"
                "typedef struct { int o_ok; int o_bad; } out_t;\n"
                "translator out_t < struct task_struct *T > { o_ok = T->pid; o_bad = T->gone; };\n"));
  REQUIRE(c.program("BEGIN { trace(good); trace(xlate <out_t> (curthread).o_ok); }"));
  CHECK_FALSE(c.program("BEGIN { trace(bad); }"));
  CHECK(c.rendered() == "\"test.d\", line 2: nosuch is not a member of struct task_struct");
  c.diags.clear();
  CHECK_FALSE(c.program("BEGIN { trace(xlate <out_t> (curthread).o_bad); }"));
  CHECK(c.rendered() == "\"test.d\", line 5: gone is not a member of struct task_struct");
  c.diags.clear();
  CHECK_FALSE(c.program("BEGIN { trace(((struct wrong *)0)->inside); }"));
  CHECK(c.tag() == "D_DECL_INCOMPLETE");
  CHECK(c.rendered().starts_with("\"test.d\", line 3: "));
}

TEST_CASE("library: failed translators", "[check]") {
  Check c;
  REQUIRE(c.library("translator struct absent < struct task_struct *T > { a = T->pid; };\n"));
  CHECK_FALSE(c.program("BEGIN { trace(xlate <struct absent *> (curthread)->a); }"));
  CHECK(c.tag() == "D_XLATE_SOU");
  CHECK(c.rendered().starts_with("\"test.d\", line 1: "));
}

TEST_CASE("library: on demand", "[check]") {
  Check c;
  c.lazy_library(std::string(kInfo) + "inline info_t *curinfo = xlate <info_t *> (curthread);\n");
  c.lazy_library("inline int EPERM = 1;\n");
  REQUIRE(c.program("BEGIN { trace(curinfo->i_pid); }"));
  CHECK(c.lazy_loads() == 1);
  REQUIRE(c.program("BEGIN { trace(errno == EPERM); trace(sizeof(info_t)); }"));
  CHECK(c.lazy_loads() == 2);
  Check t;
  t.lazy_library(kInfo);
  REQUIRE(t.program("BEGIN { trace(xlate <info_t *> (curthread)->i_pid); }"));
  CHECK(t.lazy_loads() == 1);
}

TEST_CASE("library: may be found in the middle of any expression", "[check]") {
  Check c;
  c.lazy_library("inline int LIMIT = 7;");
  REQUIRE(c.program("this int mine; BEGIN /this->mine == LIMIT/ { this->mine = LIMIT + args_of; } int args_of;") ==
          false);
  CHECK(c.tag() == "D_IDENT_UNDEF");
  Check d;
  d.lazy_library("inline int LIMIT = 7;");
  REQUIRE(d.program("int x[LIMIT]; this int mine; BEGIN /this->mine == LIMIT/ { this->mine = LIMIT; }"));
  CHECK(d.dump().starts_with("variable x : int [7]\n"));
}

TEST_CASE("library: clauses are refused, dependencies skip", "[check]") {
  Check c;
  REQUIRE(c.library("#pragma D depends_on module nomodule\ninline int skipped = 1;\n"));
  CHECK_FALSE(c.program("BEGIN { trace(skipped); }"));
  CHECK(c.tag() == "D_IDENT_UNDEF");
  Check d;
  REQUIRE(d.library(
      "#pragma D depends_on module vmlinux\n#pragma D depends_on provider syscall\n#pragma D depends_on library x.d\n"
      "inline int kept = 1;\n"));
  CHECK(d.program("BEGIN { trace(kept); }"));
}

TEST_CASE("library: a text that does not parse is named by who uses it", "[check]") {
  Check c;
  c.lazy_library("inline int fine = 1;\ninline int broken = = 1;\n");
  CHECK(c.program("BEGIN { trace(fine); }"));
  Check d;
  d.lazy_library("inline int fine = 1;\ninline int broken = = 1;\n");
  CHECK_FALSE(d.program("BEGIN { trace(broken); }"));
  CHECK(d.tag() == "D_IDENT_UNDEF");
  REQUIRE(d.front.library_failures().size() == 1);
  CHECK(d.front.library_failures()[0].starts_with("failed to compile D library lazy0.d: \"lazy0.d\", line 2: "));
}

TEST_CASE("inline: expansion is bounded", "[check]") {
  std::string text = "inline int f0[int a] = a + a;\n";
  for (int i = 1; i < 40; ++i) text += fmt::format("inline int f{}[int a] = f{}[a] + f{}[a];\n", i, i - 1, i - 1);
  CHECK(tag_of(text + "BEGIN { trace(f39[pid]); }") == "D_UNKNOWN");
  CHECK(tag_of("typedef struct { int a; } o_t; translator o_t < struct task_struct *T > { a = xlate <o_t> "
               "(T->parent).a; };") == "D_UNKNOWN");
}

TEST_CASE("library: loaded in the middle of a definition", "[check]") {
  Check c;
  c.lazy_library(
      "inline int LATE = 7; inline int other[int a] = a;\n"
      "typedef struct { int a; } o_t; translator o_t < int N > { a = N; };\n");
  REQUIRE(c.program("inline int mine[int a] = a + LATE; BEGIN { trace(mine[1]); trace(other[2]); }"));
  CHECK(c.body() == "action trace\n  int 8 : int\naction trace\n  int 2 : int\n");
  Check e;
  e.lazy_library("enum { LATE = 7 };");
  REQUIRE(e.program("enum mine { FIRST = LATE, SECOND }; BEGIN { trace(SECOND); trace(LATE); }"));
  CHECK(e.body() == "action trace\n  int 8 : enum mine\naction trace\n  int 7 : enum\n");
  Check t;
  t.lazy_library("inline int LATE = 7; typedef struct { int a; } o_t; translator o_t < int N > { a = N; };\n");
  CHECK_FALSE(t.program("typedef struct { int b; } p_t; translator p_t < int N > { b = LATE; nosuch = 1; };"));
  t.diags.clear();
  CHECK(t.program("BEGIN { trace(xlate <o_t> (pid).a); }"));
  CHECK_FALSE(t.program("BEGIN { trace(xlate <p_t> (pid).b); }"));
  CHECK(t.tag() == "D_XLATE_NONE");
}
