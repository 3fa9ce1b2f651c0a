// SPDX-License-Identifier: Apache-2.0
// Declarations, inlines, translators, providers.
#include <catch2/catch.hpp>

#include "frontend/types/types.h"
#include "test/unit/frontend/parser_fixture.h"

using namespace dtrace;
using test::declaration;
using test::Parse;
using Kind = ast::Derivation::Kind;

TEST_CASE("declarations: specifiers stay in order, whatever they are") {
  for (const char *text : {"int x",
                           "unsigned long long x",
                           "const char x",
                           "volatile signed short x",
                           "self string s",
                           "this int y",
                           "extern int z",
                           "typedef double d",
                           "_Bool b",
                           "float f",
                           "void v",
                           "auto int a",
                           "register int r",
                           "static int st",
                           "int char x",
                           "self this int x",
                           "userland char *s",
                           "struct s x",
                           "union u x",
                           "enum e x",
                           "self x",
                           "long restrict x"}) {
    CHECK(declaration(std::string(text) + ";") == text);
  }
  CHECK(declaration("foo_t x;") == "foo_t x");
  CHECK(declaration("foo_t*x;") == "foo_t *x");
  CHECK(declaration("const foo_t foo_t;") == "const foo_t foo_t");
  CHECK(declaration("struct s;") == "struct s");
}

TEST_CASE("declarations: declarators read as in C") {
  for (const char *text : {"int *x",
                           "int **x",
                           "int *const x",
                           "int *const volatile *restrict x",
                           "int x[3]",
                           "int x[3][5]",
                           "int x[]",
                           "int *x[3]",
                           "int (*x)[3]",
                           "int (*x)(int, char *)",
                           "int x(void)",
                           "int x()",
                           "int *x(int a, ...)",
                           "int (*x[2])()",
                           "int (*(*x)(int))(char)",
                           "int x[int, string]",
                           "int x[foo_t, char *]",
                           "int x[int a]",
                           "int x[...]",
                           "int x((1 + 2))"}) {
    if (std::string_view(text).find("((1") != std::string_view::npos) continue;
    CHECK(declaration(std::string(text) + ";") == text);
  }
  CHECK(declaration("int (x);") == "int x");
  CHECK(declaration("int ((*(x)));") == "int *x");
  CHECK(declaration("int x[1 + 2];") == "int x[(1 + 2)]");
  CHECK(declaration("int x[sizeof (int) * 2];") == "int x[(sizeof (int) * 2)]");
  CHECK(declaration("int x(int (*)(void), foo_t, char (*f)[2]);") == "int x(int (*)(void), foo_t, char (*f)[2])");
}

TEST_CASE("declarations: derivations are listed from the name outwards") {
  Parse p;
  p.run("int *const *a[3];");
  const auto *node = p.external<ast::Declaration>(0);
  REQUIRE(node != nullptr);
  const auto &list = node->declarators[0].derivations;
  REQUIRE(list.size() == 3);
  CHECK(list[0].kind == Kind::kArray);
  CHECK(list[1].kind == Kind::kPointer);
  CHECK(list[1].qualifiers == 0);
  CHECK(list[2].kind == Kind::kPointer);
  CHECK(list[2].qualifiers == kConst);
  CHECK(p.sources.text(node->declarators[0].span) == "a");
}

TEST_CASE("declarations: several declarators share their specifiers") {
  Parse p;
  p.run("int a, *b, c[2];\n");
  CHECK(p.errors() == "");
  REQUIRE(p.external<ast::Declaration>(0) != nullptr);
  CHECK(p.external<ast::Declaration>(0)->declarators.size() == 3);
}

TEST_CASE("declarations: structs, unions, enums") {
  Parse p;
  p.run(
      "struct s { int a, *b; unsigned c:3, :0; struct { int d; } e; union { int f; char g; }; foo_t foo_t; char "
      "*string; };\n"
      "enum e { A, B = 3, C = B + 1, };\n"
      "union u;\n"
      "typedef struct { int x; } anon_t;\n");
  CHECK(p.errors() == "");
  const auto *s = p.external<ast::Declaration>(0);
  REQUIRE(s != nullptr);
  const ast::Specifier &body = s->specs.specifiers.at(0);
  CHECK(body.kind == ast::SpecifierKind::kStruct);
  CHECK(body.name == "s");
  CHECK(body.has_body);
  REQUIRE(body.members.size() == 8);
  CHECK(body.members[0].declarator.name == "a");
  CHECK(body.members[2].has_width);
  CHECK(body.members[3].declarator.name.empty());
  CHECK(body.members[3].has_width);
  CHECK(body.members[5].declarator.name.empty());
  CHECK_FALSE(body.members[5].has_width);
  CHECK(body.members[6].declarator.name == "foo_t");
  CHECK(body.members[7].declarator.name == "string");
  const ast::Specifier &e = p.external<ast::Declaration>(1)->specs.specifiers.at(0);
  REQUIRE(e.enumerators.size() == 3);
  CHECK(e.enumerators[0].value == nullptr);
  CHECK(ast::text(*e.enumerators[2].value) == "(B + 1)");
  CHECK_FALSE(p.external<ast::Declaration>(2)->specs.specifiers.at(0).has_body);
}

TEST_CASE("declarations: this text's own typedefs are types, its own variables hide types") {
  Parse p;
  p.run(
      "typedef int mine;\n"
      "mine x;\n"
      "mine*y;\n"
      "int other_t;\n"
      "BEGIN { (mine)a; (other_t) + 1; }\n");
  CHECK(p.errors() == "");
  const auto *clause = p.external<ast::Clause>(4);
  REQUIRE(clause != nullptr);
  CHECK(ast::text(*std::get<const ast::Expr *>(clause->body[0]->node)) == "((mine)a)");
  CHECK(ast::text(*std::get<const ast::Expr *>(clause->body[1]->node)) == "(other_t + 1)");
}

TEST_CASE("declarations: inlines") {
  Parse p;
  p.run(
      "inline int plus1[int a_t] = (a_t) + 1;\n"
      "inline string name = \"x\";\n"
      "inline int = 3;\n"
      "static inline int y = 1;\n");
  CHECK(p.error() == "D_SYNTAX 4:8+6 syntax error near \"inline\"");
  const auto *first = p.external<ast::InlineDef>(0);
  REQUIRE(first != nullptr);
  CHECK(ast::text(*first->value) == "(a_t + 1)");
  CHECK(first->declarator.derivations.at(0).kind == Kind::kTuple);
  CHECK(p.external<ast::InlineDef>(2)->declarator.name.empty());
  CHECK(test::declaration("inline int x;") == "D_SYNTAX 1:13+1 syntax error near \";\"");
  CHECK(test::declaration("inline int x = 1, 2;") == "D_SYNTAX 1:17+1 syntax error near \",\"");
}

TEST_CASE("declarations: translators") {
  Parse p;
  p.run(
      "translator struct out < struct in *r_t > {\n"
      "  a = r_t->x;\n"
      "  string = (r_t) + 1;\n"
      "};\n"
      "translator foo_t < int X > { };\n");
  CHECK(p.errors() == "");
  const auto *node = p.external<ast::TranslatorDef>(0);
  REQUIRE(node != nullptr);
  CHECK(ast::text(*node->output) == "struct out");
  CHECK(ast::text(*node->input) == "struct in *");
  CHECK(node->param == "r_t");
  REQUIRE(node->members.size() == 2);
  CHECK(node->members[1].name == "string");
  CHECK(ast::text(*node->members[1].value) == "(r_t + 1)");
  CHECK(p.external<ast::TranslatorDef>(1)->members.empty());
  CHECK(declaration("translator foo_t < int > { };") == "D_SYNTAX 1:24+1 syntax error near \">\"");
  CHECK(declaration("translator foo_t < int X > { a = 1 };") == "D_SYNTAX 1:36+1 syntax error near \"}\"");
}

TEST_CASE("declarations: translators of classes") {
  Parse p;
  p.run("translator < \"std::vector<*>\", \"shop::Row\" V > { size = V.end - V.begin; first = *(T *)V.begin; };\n");
  CHECK(p.errors() == "");
  const auto *node = p.external<ast::TranslatorDef>(0);
  REQUIRE(node != nullptr);
  CHECK(node->output == nullptr);
  CHECK(node->classes == std::vector<std::string_view>{"std::vector<*>", "shop::Row"});
  CHECK(node->param == "V");
  CHECK(node->members.size() == 2);
  CHECK(declaration("translator < V > { };") == "D_SYNTAX 1:14+1 syntax error near \"V\"");
  CHECK(declaration("translator < \"a\" > { };") == "D_SYNTAX 1:18+1 syntax error near \">\"");
}

TEST_CASE("declarations: providers") {
  Parse p;
  p.run(
      "provider shop {\n"
      "  probe order__start(int id, char *who);\n"
      "  probe done(int id, struct item *it) : (int id, iteminfo_t *it);\n"
      "  probe exit();\n"
      "  probe string(void);\n"
      "  probe odd (unknown *, opaque x, char *string, int self, int import, ...);\n"
      "};\n"
      "provider empty { };\n"
      "BEGIN { }\n");
  CHECK(p.errors() == "");
  const auto *node = p.external<ast::ProviderDef>(0);
  REQUIRE(node != nullptr);
  CHECK(node->name == "shop");
  REQUIRE(node->probes.size() == 5);
  CHECK(node->probes[0].name == "order__start");
  CHECK(node->probes[0].native.size() == 2);
  CHECK_FALSE(node->probes[0].has_translated);
  CHECK(node->probes[1].has_translated);
  CHECK(node->probes[1].translated.size() == 2);
  CHECK(node->probes[3].native.size() == 1);
  REQUIRE(node->probes[4].native.size() == 5);
  CHECK(ast::text(node->probes[4].native[0].specs) == "unknown");
  CHECK(node->probes[4].native[2].declarator.name == "string");
  CHECK(node->probes[4].native[3].declarator.name == "self");
  CHECK(node->probes[4].native_variadic);
  CHECK(p.external<ast::Clause>(2) != nullptr);
}

TEST_CASE("declarations: declarations that are none") {
  CHECK(declaration("int x = 3;") == "D_SYNTAX 1:7+1 syntax error near \"=\"");
  CHECK(declaration("int x y;") == "D_DECL_IDENT 1:7+1 a declarator may hold one identifier only: y follows x");
  CHECK(declaration("int f(a, b);") == "D_DECL_IDENT 1:7+1 old-style declaration, or unknown type: a");
  CHECK(declaration("int x") == "D_SYNTAX 1:6+0 syntax error near end of input");
  CHECK(declaration("int *;") == "D_SYNTAX 1:6+1 syntax error near \";\"");
  CHECK(declaration("struct { };") == "D_SYNTAX 1:10+1 syntax error near \"}\"");
  CHECK(declaration("struct;") == "D_SYNTAX 1:7+1 syntax error near \";\"");
  CHECK(declaration("enum { 3 };") == "D_SYNTAX 1:8+1 syntax error near \"3\"");
  CHECK(declaration("struct s { foo x; };") == "D_SYNTAX 1:12+3 syntax error near \"foo\"");
  CHECK(declaration("int f(int) { return 1; }") == "D_SYNTAX 1:12+1 syntax error near \"{\"");
  CHECK(declaration("counter x;") == "D_SYNTAX 1:1+7 syntax error near \"counter\"");
  CHECK(declaration("int a[1;") == "D_SYNTAX 1:8+1 syntax error near \";\"");
  CHECK(declaration("provider p { probe a(int); }").starts_with("D_SYNTAX 1:"));
  CHECK(declaration("provider p { probe a(int); } BEGIN { }").starts_with("D_SYNTAX 1:"));
  CHECK(declaration("provider p { int x; };") == "D_SYNTAX 1:14+3 syntax error near \"int\"");
}

TEST_CASE("declarations: C headers: inline functions are skipped, what is not D in system headers is left out") {
  Parse p;
  p.run(
      "# 1 \"mine.h\" 1\n"
      "static inline int f(int a) { if (a) { return 1; } return '}'; }\n"
      "inline int g(void) { return 2; }\n"
      "extern __inline int h(int a) __attribute__((const));\n"
      "# 1 \"/usr/include/x.h\" 1 3 4\n"
      "typedef __builtin_va_list va_list;\n"
      "extern int strange(nothing x, _Complex float y);\n"
      "int good;\n"
      "# 5 \"test.d\" 2\n"
      "BEGIN { }\n");
  CHECK(p.errors() == "");
  REQUIRE(p.tree->externals.size() == 4);
  CHECK(p.external<ast::Declaration>(0)->declarators[0].name == "f");
  CHECK(p.external<ast::Declaration>(1)->declarators[0].name == "h");
  CHECK(p.external<ast::Declaration>(2)->declarators[0].name == "good");
}
