// SPDX-License-Identifier: Apache-2.0
// Each error that the lexer and the parser find, with its position; recovery; and that nothing makes them crash or
// hang.
#include <catch2/catch.hpp>
#include <string>

#include "test/unit/frontend/parser_fixture.h"

using namespace dtrace;
using test::Parse;

namespace {

std::string errors(std::string_view text) {
  Parse p;
  p.run(text);
  return p.errors();
}

std::string command_line_error(std::string_view text) {
  Parse p;
  p.command_line().run(text);
  return p.error();
}

}  // namespace

TEST_CASE("parse errors: tokens that are errors") {
  CHECK(errors("BEGIN { x = 08; }") == "D_INT_DIGIT 1:14+1 octal constant 08 contains invalid digit 8\n");
  CHECK(errors("BEGIN { x = 18446744073709551616; }") ==
        "D_INT_OFLOW 1:13+20 integer constant 18446744073709551616 overflows 64 bits\n");
  CHECK(errors("BEGIN { x = 9223372036854775808; }") ==
        "D_INT_OFLOW 1:13+19 integer constant 9223372036854775808 cannot be represented in any type\n");
  CHECK(errors("BEGIN { x = \"abc\n; }") == "D_STR_NL 1:13+4 newline in string literal\n");
  CHECK(errors("BEGIN { x = \"abc\\\n; }") == "D_STR_NL 1:13+5 newline in string literal\n");
  CHECK(errors("BEGIN { x = 'a\n; }") == "D_CHR_NL 1:13+2 newline in character constant\n");
  CHECK(errors("BEGIN { x = ''; }") == "D_CHR_NULL 1:13+2 empty character constant\n");
  CHECK(errors("BEGIN { x = '123456789'; }") ==
        "D_CHR_OFLOW 1:13+11 character constant is too long: it may hold 8 bytes at most\n");
  CHECK(errors("BEGIN { x = '12345678'; }") == "");
  CHECK(errors("BEGIN { x = a # b; }") == "D_SYNTAX 1:15+1 syntax error near \"#\"\n");
  CHECK(errors("BEGIN { x = $; }") == "D_SYNTAX 1:13+1 syntax error near \"$\"\n");
  CHECK(errors("BEGIN { x = \x01; }") == "D_SYNTAX 1:13+1 syntax error near \"\\001\"\n");
  CHECK(errors("BEGIN { x = \xc3\xa9; }") == "D_SYNTAX 1:13+2 syntax error near \"\xc3\xa9\"\n");
  CHECK(errors(std::string_view("BEGIN { \0 }", 11)) == "D_SYNTAX 1:9+1 syntax error near \"\\000\"\n");
  CHECK(errors("= BEGIN { }") == "D_SYNTAX 1:1+1 syntax error near \"=\"\n");
}

TEST_CASE("parse errors: comments that are errors") {
  CHECK(errors("BEGIN { } /* x") == "D_SYNTAX 1:11+2 syntax error near end of input: comment is not closed\n");
  CHECK(errors("/* a /* b */ BEGIN { }") == "D_SYNTAX 1:6+2 \"/*\" inside a comment\n");
}

TEST_CASE("parse errors: brackets that do not match") {
  CHECK(errors("BEGIN { x = a); }") == "D_SYNTAX 1:14+1 extra ) in input stream\n");
  CHECK(errors("BEGIN { x = a]; }") == "D_SYNTAX 1:14+1 extra ] in input stream\n");
  CHECK(errors("BEGIN { x = 1; }}\nEND { }") == "D_SYNTAX 1:17+1 extra } in input stream\n");
  CHECK(errors("BEGIN /(pid == 1/ { }") == "D_SYNTAX 1:17+1 closing ) expected in predicate before /\n");
  CHECK(errors("BEGIN /a[1/ { }") == "D_SYNTAX 1:11+1 closing ] expected in predicate before /\n");
  CHECK(errors("BEGIN { x = 1;") == "D_SYNTAX 1:15+0 syntax error near end of input\n");
  CHECK(errors("BEGIN { (((") == "D_SYNTAX 1:12+0 syntax error near end of input\n");
}

TEST_CASE("parse errors: clauses without actions") {
  CHECK(errors("BEGIN") == "D_SYNTAX 1:1+5 predicate and/or actions expected after probe description\n");
  CHECK(errors("BEGIN,END\nint x;") == "D_SYNTAX 1:1+9 predicate and/or actions expected after probe description\n");
  CHECK(errors("BEGIN /pid/") == "D_SYNTAX 1:8+3 actions expected after predicate\n");
  CHECK(command_line_error("BEGIN /pid/") == "D_SYNTAX 1:8+3 actions expected after predicate");
  CHECK(errors("BEGIN, { }") == "D_SYNTAX 1:8+1 syntax error near \"{\"\n");
  CHECK(errors("{ }") == "D_SYNTAX 1:1+1 syntax error near \"{\"\n");
  CHECK(errors("BEGIN / / { }") == "D_SYNTAX 1:9+1 syntax error near \"/\"\n");
}

TEST_CASE("parse errors: command-line text") {
  CHECK(command_line_error("BEGIN{x=}") == "D_SYNTAX 1:9+1 syntax error near \"}\"");
  CHECK(command_line_error("BEGIN{trace(\"a") ==
        "D_SYNTAX 1:13+2 syntax error near end of input: string is not closed");
  CHECK(command_line_error("BEGIN{trace('a") ==
        "D_SYNTAX 1:13+2 syntax error near end of input: character constant is not closed");
}

TEST_CASE("parse errors: errors have no region: they are no part of a clause yet") {
  Parse p;
  p.command_line().run("BEGIN /x y/ { z w }");
  REQUIRE_FALSE(p.diags.ok());
  for (const Diagnostic &d : p.diags.list()) CHECK(d.region == Region::kNone);
  CHECK(render(p.diags.list()[0], p.sources, {true, false}) == "[D_SYNTAX] syntax error near \"y\"");
}

TEST_CASE("parse errors: later errors are found too, and what is good is kept") {
  Parse p;
  p.run(
      "int a = 1;\n"
      "struct s { int x y; int z; };\n"
      "BEGIN { a +; b; if (c d) { e; } f; }\n"
      "END /g h/ { i; }\n"
      "tick-1s { 08; if (j) { k l; m; } n; }\n"
      "good { o; }\n");
  CHECK(p.errors() ==
        "D_SYNTAX 1:7+1 syntax error near \"=\"\n"
        "D_DECL_IDENT 2:18+1 a declarator may hold one identifier only: y follows x\n"
        "D_SYNTAX 3:12+1 syntax error near \";\"\n"
        "D_SYNTAX 3:23+1 syntax error near \"d\"\n"
        "D_SYNTAX 4:8+1 syntax error near \"h\"\n"
        "D_INT_DIGIT 5:12+1 octal constant 08 contains invalid digit 8\n"
        "D_SYNTAX 5:26+1 syntax error near \"l\"\n");
  REQUIRE(p.tree->externals.size() == 3);
  CHECK(p.external<ast::Clause>(1)->body.size() == 2);
  CHECK(p.external<ast::Clause>(2)->body.size() == 1);
}

TEST_CASE("parse errors: errors end after a while") {
  std::string text;
  for (int i = 0; i < 1000; ++i) text += "BEGIN { +; }\n";
  Parse p;
  p.run(text);
  CHECK(p.diags.list().size() == 20);
}

TEST_CASE("parse errors: nesting has a limit, and reaching it is a syntax error") {
  auto repeat = [](std::string_view part, int count) {
    std::string out;
    for (int i = 0; i < count; ++i) out += part;
    return out;
  };
  constexpr int kMany = 20000;
  const std::string programs[] = {
      "BEGIN { x = " + repeat("(", kMany) + "1" + repeat(")", kMany) + "; }",
      "BEGIN { x = " + repeat("!", kMany) + "1; }",
      "BEGIN { x = " + repeat("(int)", kMany) + "1; }",
      "BEGIN { x = " + repeat("a + ", kMany) + "1; }",
      "BEGIN { x = " + repeat("a ? b : ", kMany) + "1; }",
      "BEGIN { " + repeat("a = ", kMany) + "1; }",
      "BEGIN { " + repeat("a, ", kMany) + "1; }",
      "BEGIN { x = a" + repeat("->b", kMany) + "; }",
      "BEGIN { x = a" + repeat("[1]", kMany) + "; }",
      "BEGIN { x = " + repeat("a[", kMany),
      "BEGIN { " + repeat("if (a) ", kMany) + "b; }",
      "BEGIN { " + repeat("if (a) { ", kMany),
      "BEGIN { if (a) b; " + repeat("else if (a) b; ", kMany) + "}",
      "BEGIN { x = " + repeat("sizeof ", kMany) + "1; }",
      "BEGIN { x = " + repeat("sizeof (int[", kMany),
      "int " + repeat("*", kMany) + "x;",
      "int " + repeat("(", kMany) + "x;",
      "int x" + repeat("[1]", kMany) + ";",
      "int x" + repeat("(int", kMany),
      repeat("struct { ", kMany),
      "BEGIN /" + repeat("(", kMany),
  };
  for (const std::string &program : programs) {
    INFO(program.substr(0, 40));
    Parse p;
    p.run(program);
    REQUIRE_FALSE(p.diags.ok());
    CHECK(p.diags.list()[0].tag == Tag::D_SYNTAX);
    ast::dump(*p.tree, p.sources);
  }
}

namespace {

/// Programs in the style of those in the field; together they use every production of the grammar.
const std::string kPrograms[] = {
    R"(#!/usr/sbin/dtrace -s
#pragma D option quiet
#pragma D option switchrate=10hz

/* what every thread reads */
syscall::read:entry
/execname != "dtrace" && pid != $pid/
{
	self->start = timestamp;   // ns
	self->fd = arg0;
}

syscall::read:return
/self->start && (int)arg0 > 0/
{
	this->elapsed = timestamp - self->start;
	@time[execname, self->fd] = quantize(this->elapsed / 1000);
	@["total", probefunc] = lquantize(arg0, 0, 1 << 20, 4096);
	total[pid, "bytes"] += arg0;
	self->start = 0; self->fd = 0
}

dtrace:::END
{
	normalize(@time, 1000);
	printa("%-16s %4d %@d\n", @time);
	trunc(@time, 10); exit(0);
}
)",
    R"(
inline int DEBUG = 1;
inline string state_name[int s] = s == 0 ? "idle" : s == 1 ? "busy" : "?";
typedef struct req { int r_len:12, :4; const char *r_op; struct { uint_t lo, hi; } u[2][3]; } req_t;
enum colour { RED, GREEN = 2, BLUE = GREEN << 1, };
self string path; this uint_t n, *p; extern int `jiffies_ext; int (*handler)(int, char *, ...);
string names[int, char *];
union { int i; char c[sizeof (int)]; } both;
translator req_t < struct request *R > { r_len = R->__data_len; r_op = R->cmd_flags & 1 ? "write" : "read"; };
#pragma D attributes Evolving/Evolving/Common provider shop provider
#pragma D binding "1.0" DEBUG
provider shop { probe order__start(int id, char *who) : (char *who, int id); probe done(); };
BEGIN, tick-$1s, 42 /DEBUG ^^ !x/
{
	x = stringof(curthread->comm); y = offsetof(struct req, r_len) + sizeof req + sizeof (req_t *);
	if (x == "a") { printf("%s\n", xlate <req_t>(arg0).r_op); } else if (y & ~3) *p++ = -1; else { ; }
	z = 'a' + 0x1FuLL - 017 % 3 ^ 5 | 1; z <<= 1; z >>= 2; z ^= 3; z |= 4; z &= 5; z %= 6; z /= 7; z *= 8; z -= 9;
	++z; --z; z--; @ = count(); trace((z, `jiffies)); vmlinux`init_task.comm; a->b.c[1, "k"](d, e); &z; +z;
	t = z >= 1 || z <= 2 && z != 3; $$1; $target; return(1);
}
)",
    "# 1 \"<stdin>\"\n# 1 \"foo.h\" 1\nextern int f(const char *s, ...) __attribute__((x));\n# 2 \"<stdin>\" 2\nBEGIN "
    "{ }\n",
};

}  // namespace

TEST_CASE("parse errors: the sample programs are good") {
  for (const std::string &program : kPrograms) {
    Parse p;
    p.arguments({"10"});
    p.macros.allow_unused = true;
    p.run(program);
    CHECK(p.errors() == "");
  }
}

TEST_CASE("parse errors: every prefix of a good program is parsed or refused, and nothing worse") {
  for (const std::string &program : kPrograms) {
    for (size_t length = 0; length < program.size(); ++length) {
      for (bool command_line : {false, true}) {
        Parse p;
        p.input.command_line = command_line;
        p.run(std::string_view(program).substr(0, length));
        if (length % 16 == 0) ast::dump(*p.tree, p.sources);
        for (const Diagnostic &d : p.diags.list()) REQUIRE(d.span.end <= length);
      }
    }
  }
}

TEST_CASE("parse errors: every good program with one character left out or replaced") {
  for (const std::string &program : kPrograms) {
    for (size_t at = 0; at < program.size(); ++at) {
      constexpr std::string_view kOthers[] = {"", "{", "}", "(", "/", "\"", "#", "\n", "@", "$", "'"};
      Parse p;
      p.run(program.substr(0, at).append(kOthers[at % std::size(kOthers)]) + program.substr(at + 1));
    }
  }
}
