// SPDX-License-Identifier: Apache-2.0
// Macro variables and arguments.
#include "frontend/syntax/macro.h"

#include <catch2/catch.hpp>

#include "test/unit/frontend/parser_fixture.h"

using namespace dtrace;
using test::Parse;
using Kind = MacroValue::Kind;

namespace {

std::string with_arguments(std::vector<std::string> arguments, std::string_view text) {
  Parse p;
  p.arguments(std::move(arguments)).run(text);
  if (!p.diags.ok()) return p.error();
  const auto *clause = p.external<ast::Clause>(0);
  return ast::text(*std::get<const ast::Expr *>(clause->body.at(0)->node));
}

}  // namespace

TEST_CASE("macros: an argument's text decides its kind") {
  CHECK(classify_argument("read")->kind == Kind::kIdentifier);
  CHECK(classify_argument("mod`sym")->kind == Kind::kIdentifier);
  CHECK(classify_argument("12")->kind == Kind::kInteger);
  CHECK(classify_argument("0x1f")->number.value == 31);
  CHECK(classify_argument("017ul")->number.value == 15);
  CHECK(classify_argument("-5")->negative);
  CHECK(classify_argument("-5")->number.value == 5);
  CHECK_FALSE(classify_argument("+5")->negative);
  CHECK(classify_argument("/tmp")->kind == Kind::kString);
  CHECK(classify_argument("a-b")->kind == Kind::kString);
  CHECK(classify_argument("1x")->kind == Kind::kString);
  CHECK(classify_argument("089")->kind == Kind::kString);
  CHECK(classify_argument("")->text.empty());
  CHECK(classify_argument("-")->text == "-");
  CHECK(classify_argument("\"two words\"")->text == "two words");
  CHECK(classify_argument("\"a\\tb\"")->text == "a\tb");
  CHECK_FALSE(classify_argument("18446744073709551616").has_value());
  CHECK(classify_argument("18446744073709551615")->number.value == UINT64_MAX);
}

TEST_CASE("macros: $N is a token of its argument's kind, $$N a string") {
  CHECK(with_arguments({"-5"}, "BEGIN { x = $1 + 1; }") == "(x = ((-5) + 1))");
  CHECK(with_arguments({"abc"}, "BEGIN { x = $1; }") == "(x = abc)");
  CHECK(with_arguments({"abc"}, "BEGIN { x = $$1; }") == "(x = \"abc\")");
  CHECK(with_arguments({"12"}, "BEGIN { x = $$1; }") == "(x = \"12\")");
  CHECK(with_arguments({"a\\nb"}, "BEGIN { x = $$1; }") == "(x = \"a\\nb\")");
  CHECK(with_arguments({"/tmp"}, "BEGIN { x = $1; }") == "(x = \"/tmp\")");
  CHECK(with_arguments({"int"}, "BEGIN { x = ($1)y; }") == "(x = ((int)y))");
  CHECK(with_arguments({"size_t"}, "BEGIN { x = ($1)y; }") == "(x = ((size_t)y))");
  CHECK(with_arguments({"field"}, "BEGIN { x = y->$1; }") == "(x = y->field)");
  CHECK(with_arguments({"1"}, "BEGIN { x = $0 == $1; }") == "(x = (script == 1))");
}

TEST_CASE("macros: macro variables are integers, $$name their decimal text") {
  CHECK(test::statement("x = $target") == "(x = 1234)");
  CHECK(test::statement("x = $$target") == "(x = \"1234\")");
  CHECK(test::statement("x = \"$target\"") == "(x = \"$target\")");
}

TEST_CASE("macros: undefined macros") {
  CHECK(test::statement("x = $1") == "D_MACRO_UNDEF 1:13+2 macro argument $1 is not defined");
  CHECK(test::statement("x = $$1") == "D_MACRO_UNDEF 1:13+3 macro argument $$1 is not defined");
  CHECK(test::statement("x = $nosuch") == "D_MACRO_UNDEF 1:13+7 macro variable $nosuch is not defined");
  CHECK(test::statement("x = $99999999999999999999") ==
        "D_MACRO_UNDEF 1:13+21 macro argument $99999999999999999999 is not defined");
}

TEST_CASE("macros: defaultargs gives 0 and the empty string, from its pragma on") {
  Parse p;
  p.run("#pragma D option defaultargs\nBEGIN { x = $1; y = $$2; }");
  CHECK(p.errors() == "");
  const auto *clause = p.external<ast::Clause>(0);
  REQUIRE(clause != nullptr);
  CHECK(ast::text(*std::get<const ast::Expr *>(clause->body[0]->node)) == "(x = 0)");
  CHECK(ast::text(*std::get<const ast::Expr *>(clause->body[1]->node)) == "(y = \"\")");
  Parse late;
  late.run("BEGIN { x = $1; }\n#pragma D option defaultargs\n");
  CHECK(late.error() == "D_MACRO_UNDEF 1:13+2 macro argument $1 is not defined");
}

TEST_CASE("macros: an argument that is too large") {
  CHECK(with_arguments({"99999999999999999999"}, "BEGIN { x = $1; }") ==
        "D_MACRO_OFLOW 1:13+2 macro argument $1 overflows 64 bits: 99999999999999999999");
}

TEST_CASE("macros: the last argument must be used") {
  CHECK(with_arguments({"a", "13"}, "BEGIN { x = $1; }") ==
        "D_MACRO_UNUSED 1:18+0 extraneous argument '13' ($2 is not referenced)");
  CHECK(with_arguments({"a", "13"}, "BEGIN { x = $2; }") == "(x = 13)");
  CHECK(with_arguments({"a", "13"}, "#pragma D option argref\nBEGIN { x = 1; }") == "(x = 1)");
  Parse in_description;
  in_description.arguments({"read"});
  CHECK(test::probes(in_description, "syscall::$1:entry {}") == "syscall::read:entry");
}
