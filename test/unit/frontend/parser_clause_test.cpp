// SPDX-License-Identifier: Apache-2.0
// Probe descriptions, clauses and statements.
#include <catch2/catch.hpp>

#include "test/unit/frontend/parser_fixture.h"

using namespace dtrace;
using test::Parse;
using test::probes;

namespace {

std::string script(std::string_view text) {
  Parse p;
  return probes(p, text);
}

std::string argument(ProbeField field, std::string_view text) {
  Parse p;
  p.command_line();
  p.input.field = field;
  return probes(p, text);
}

/// The statements of the first clause, one a line: "text" or "if (...) { ... } else { ... }".
std::string body_text(const std::vector<const ast::Stmt *> &list) {
  std::string out;
  for (const ast::Stmt *stmt : list) {
    if (const auto *value = std::get_if<const ast::Expr *>(&stmt->node)) {
      out += ast::text(**value) + "; ";
      continue;
    }
    const auto &node = std::get<ast::If>(stmt->node);
    out += fmt::format("if ({}) {{ {}}} ", ast::text(*node.condition), body_text(node.then_body));
    if (!node.else_body.empty()) out += fmt::format("else {{ {}}} ", body_text(node.else_body));
  }
  return out;
}

std::string statements(std::string_view text) {
  Parse p;
  p.run(fmt::format("BEGIN {{ {} }}", text));
  return p.diags.ok() ? body_text(p.external<ast::Clause>(0)->body) : p.error();
}

}  // namespace

TEST_CASE("clauses: fields fill from the right") {
  CHECK(script("BEGIN {}") == ":::BEGIN");
  CHECK(script("read:entry {}") == "::read:entry");
  CHECK(script("vmlinux::entry {}") == ":vmlinux::entry");
  CHECK(script("syscall:vmlinux:read:entry {}") == "syscall:vmlinux:read:entry");
  CHECK(script(":::: {}") == "D_PDESC_INVAL 1:1+4 invalid probe description \"::::\": Overspecified probe description");
  CHECK(script("::: {}") == ":::");
  CHECK(script("a:b:c:d:e {}") ==
        "D_PDESC_INVAL 1:1+9 invalid probe description \"a:b:c:d:e\": Overspecified probe description");
  CHECK(script("syscall::*write*:entry,syscall::[r-t]ead?:return {}") ==
        "syscall::*write*:entry syscall::[r-t]ead?:return");
}

TEST_CASE("clauses: names of C++ functions hold pairs of colons") {
  CHECK(script("pid1:a.out:shop::Cart::add:entry {}") == "pid1:a.out:shop::Cart::add:entry");
  CHECK(script("pid1::shop::Cart::add:entry {}") == "pid1::shop::Cart::add:entry");
  CHECK(script("pid1::shop*::add*: {}") == "pid1::shop*::add*:");
  CHECK(script("pid1::a:b:entry {}") ==
        "D_PDESC_INVAL 1:1+15 invalid probe description \"pid1::a:b:entry\": Overspecified probe description");
  CHECK(script("pid1::a:::b:entry {}") ==
        "D_PDESC_INVAL 1:1+17 invalid probe description \"pid1::a:::b:entry\": Overspecified probe description");
}

TEST_CASE("clauses: the flag says which field the last component of the first description is") {
  CHECK(argument(ProbeField::kProvider, "io") == "io:::");
  CHECK(argument(ProbeField::kModule, "sched:vmlinux") == "sched:vmlinux::");
  CHECK(argument(ProbeField::kFunction, "a:b:c") == "a:b:c:");
  CHECK(argument(ProbeField::kFunction, "read,write") == "::read: :::write");
  CHECK(argument(ProbeField::kName, "a:b:c:d") == "a:b:c:d");
  CHECK(argument(ProbeField::kProvider, "a:b") ==
        "D_PDESC_INVAL 1:1+3 invalid probe description \"a:b\": Overspecified probe description");
  CHECK(argument(ProbeField::kModule, "a:b:c") ==
        "D_PDESC_INVAL 1:1+5 invalid probe description \"a:b:c\": Overspecified probe description");
  CHECK(argument(ProbeField::kModule, "int x; m {} BEGIN {}") == ":m:: :::BEGIN");
}

TEST_CASE("clauses: probe ids") {
  CHECK(argument(ProbeField::kName, "12{}") == "12");
  CHECK(script("12, BEGIN, 0x10 { }") == "12 :::BEGIN 16");
  CHECK(
      argument(ProbeField::kFunction, "12") ==
      "D_PDESC_INVAL 1:1+2 invalid probe description \"12\": Probe identifier not permitted when specifying functions");
  CHECK(script("4294967296 {}") ==
        "D_PDESC_INVAL 1:1+10 invalid probe description \"4294967296\": Probe identifier exceeds 32 bits");
  CHECK(script("4294967295 {}") == "4294967295");
}

TEST_CASE("clauses: macros in descriptions are glued to the text around them") {
  Parse p;
  p.arguments({"read", "10", "a:b"});
  CHECK(probes(p, "pid$target:libc::entry,syscall::$1:entry,tick-$2ms,syscall::$$1:,profile-$$2 { $3 }") ==
        "pid1234:libc::entry syscall::read:entry :::tick-10ms syscall::read: :::profile-10");
  auto with = [](std::string_view text) {
    Parse q;
    q.arguments({"read", "a:b"});
    return probes(q, text);
  };
  CHECK(with("$2:entry {}") ==
        "D_PDESC_INVAL 1:1+8 invalid probe description \"$2:entry\": Macro value contains a colon");
  CHECK(with("pid$nosuch::: {}") ==
        "D_PDESC_INVAL 1:1+13 invalid probe description \"pid$nosuch:::\": Undefined macro variable in probe "
        "description");
  CHECK(with("pid$target-1::: {}") ==
        "D_PDESC_INVAL 1:1+15 invalid probe description \"pid$target-1:::\": Undefined macro variable in probe "
        "description");
  CHECK(with("a$9 {}") ==
        "D_PDESC_INVAL 1:1+3 invalid probe description \"a$9\": Undefined macro variable in probe description");
  CHECK(with("a$ {}") ==
        "D_PDESC_INVAL 1:1+2 invalid probe description \"a$\": Undefined macro variable in probe description");
  CHECK(with("$1$2 {}") ==
        "D_PDESC_INVAL 1:1+4 invalid probe description \"$1$2\": More than one macro variable in a field");
}

TEST_CASE("clauses: fields have lengths") {
  CHECK(script(std::string(63, 'n') + " {}") == ":::" + std::string(63, 'n'));
  CHECK(script(std::string(64, 'n') + " {}").find("File name too long") != std::string::npos);
  CHECK(script(std::string(127, 'f') + ": {}") == "::" + std::string(127, 'f') + ":");
  CHECK(script(std::string(128, 'f') + ": {}").find("File name too long") != std::string::npos);
  // A provider's own name has 63 characters, a process ID behind it 10.
  CHECK(script(std::string(73, 'p') + "::: {}").find("File name too long") == std::string::npos);
  CHECK(script(std::string(74, 'p') + "::: {}").find("File name too long") != std::string::npos);
}

TEST_CASE("clauses: predicate and body") {
  Parse p;
  p.run("BEGIN,END\n/ pid / 2 == 1 /\n{ x }\nBEGIN / a / { } tick-1s{}");
  CHECK(p.errors() == "");
  REQUIRE(p.tree->externals.size() == 3);
  const auto *clause = p.external<ast::Clause>(0);
  CHECK(clause->probes.size() == 2);
  CHECK(ast::text(*clause->predicate) == "((pid / 2) == 1)");
  CHECK(clause->has_body);
  CHECK(p.external<ast::Clause>(1)->body.empty());
}

TEST_CASE("clauses: command line: no body is the default action") {
  Parse p;
  p.command_line().run("BEGIN syscall::read:entry,END { x } tick-1s");
  CHECK(p.errors() == "");
  REQUIRE(p.tree->externals.size() == 3);
  CHECK_FALSE(p.external<ast::Clause>(0)->has_body);
  CHECK(p.external<ast::Clause>(1)->has_body);
  CHECK_FALSE(p.external<ast::Clause>(2)->has_body);
}

TEST_CASE("clauses: command line: a type's name is a description") {
  Parse p;
  p.command_line();
  CHECK(probes(p, "foo_t x") == ":::foo_t :::x");
  CHECK(script("foo_t x;").empty());
}

TEST_CASE("clauses: statements") {
  CHECK(statements("a; b;") == "a; b; ");
  CHECK(statements("a; b") == "a; b; ");
  CHECK(statements(";;") == "");
  CHECK(statements("") == "");
  CHECK(statements("if (a) b;") == "if (a) { b; } ");
  CHECK(statements("if (a) b") == "if (a) { b; } ");
  CHECK(statements("if (a) { b; c } else d; e") == "if (a) { b; c; } else { d; } e; ");
  CHECK(statements("if (a) b; else if (c) d; else { e; }") == "if (a) { b; } else { if (c) { d; } else { e; } } ");
  CHECK(statements("if (a) if (b) c; else d;") == "if (a) { if (b) { c; } else { d; } } ");
  CHECK(statements("if (a) ; else { }") == "if (a) { } ");
  CHECK(statements("if (a) { if (b) { c } } d") == "if (a) { if (b) { c; } } d; ");
}

TEST_CASE("clauses: statements that are none") {
  CHECK(statements("a b;") == "D_SYNTAX 1:11+1 syntax error near \"b\"");
  CHECK(statements("if a) b;") == "D_SYNTAX 1:12+1 syntax error near \"a\"");
  CHECK(statements("else b;") == "D_SYNTAX 1:9+4 syntax error near \"else\"");
  CHECK(statements("int x;") == "D_SYNTAX 1:9+3 syntax error near \"int\"");
  CHECK(statements("{ a; }") == "D_SYNTAX 1:9+1 syntax error near \"{\"");
  CHECK(statements("switch (1) a;") == "D_SYNTAX 1:9+6 syntax error near \"switch\"");
  CHECK(statements("for (a; b) c;") == "D_SYNTAX 1:18+1 syntax error near \")\"");
  CHECK(statements("while a;") == "D_SYNTAX 1:15+1 syntax error near \"a\"");
}

TEST_CASE("clauses: programs of no clauses") {
  CHECK(script("") == "D_EMPTY 1:1+0 empty D program translation unit");
  CHECK(script("/* nothing */\n#pragma D option quiet\n") == "D_EMPTY 3:1+0 empty D program translation unit");
  Parse p;
  p.input.allow_empty = true;
  CHECK(probes(p, "").empty());
}
