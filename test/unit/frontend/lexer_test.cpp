// SPDX-License-Identifier: Apache-2.0
// Tokens.
#include "frontend/syntax/lexer.h"

#include <catch2/catch.hpp>
#include <string>
#include <vector>

#include "test/unit/frontend/parser_fixture.h"

using namespace dtrace;

namespace {

/// All tokens of a text, as the parser would see them if it never changed the state.
struct Lexed {
  test::Parse p;
  ast::Ast ast;
  std::vector<Token> tokens;

  Lexed(std::string_view text, Lexer::State state, bool pspec = false) {
    p.input.pspec = pspec;
    p.input.source = p.sources.add("test.d", std::string(text), SourceKind::kScript);
    MacroExpander macros(&p.macros);
    Lexer lexer(p.input, p.sources, p.diags, ast, macros, p.input.oracle.is_type);
    lexer.set_state(state);
    do {
      tokens.push_back(lexer.next());
    } while (tokens.back().kind != Tok::kEnd);
    tokens.pop_back();
  }
  std::vector<Tok> kinds() const {
    std::vector<Tok> out;
    for (const Token &t : tokens) out.push_back(t.kind);
    return out;
  }
  std::vector<std::string> texts() const {
    std::vector<std::string> out;
    for (const Token &t : tokens) out.emplace_back(t.text);
    return out;
  }
};

Lexed expr(std::string_view text) { return Lexed(text, Lexer::State::kExpr); }
Lexed clause(std::string_view text) { return Lexed(text, Lexer::State::kClause); }
using Kinds = std::vector<Tok>;
using Texts = std::vector<std::string>;

}  // namespace

TEST_CASE("lexer: every operator and punctuator, longest match first") {
  CHECK(expr("+ - * % & | ^ ~ ! << >> < <= > >= == != && || ^^ ++ --").kinds() ==
        Kinds{Tok::kPlus,  Tok::kMinus,  Tok::kStar,     Tok::kPercent,   Tok::kAmp,   Tok::kPipe,
              Tok::kCaret, Tok::kTilde,  Tok::kBang,     Tok::kShl,       Tok::kShr,   Tok::kLt,
              Tok::kLe,    Tok::kGt,     Tok::kGe,       Tok::kEqEq,      Tok::kNotEq, Tok::kAndAnd,
              Tok::kOrOr,  Tok::kXorXor, Tok::kPlusPlus, Tok::kMinusMinus});
  CHECK(expr("= += -= *= /= %= &= ^= |= <<= >>=").kinds() ==
        Kinds{Tok::kAssign, Tok::kAddAssign, Tok::kSubAssign, Tok::kMulAssign, Tok::kDivAssign, Tok::kModAssign,
              Tok::kAndAssign, Tok::kXorAssign, Tok::kOrAssign, Tok::kShlAssign, Tok::kShrAssign});
  CHECK(expr("()[]{};,.->?:...").kinds() == Kinds{Tok::kLParen, Tok::kRParen, Tok::kLBracket, Tok::kRBracket,
                                                  Tok::kLBrace, Tok::kRBrace, Tok::kSemicolon, Tok::kComma, Tok::kDot,
                                                  Tok::kArrow, Tok::kQuestion, Tok::kColon, Tok::kEllipsis});
  CHECK(expr("a+++b").kinds() == Kinds{Tok::kIdent, Tok::kPlusPlus, Tok::kPlus, Tok::kIdent});
  CHECK(expr("a^^=b").kinds() == Kinds{Tok::kIdent, Tok::kXorXor, Tok::kAssign, Tok::kIdent});
}

TEST_CASE("lexer: identifiers, scoped symbols, aggregations") {
  CHECK(expr("a _b1 `jiffies mod`sym a``b").texts() == Texts{"a", "_b1", "`jiffies", "mod`sym", "a``b"});
  CHECK(expr("8250`port libc.so.6`environ a.out`x x.y").texts() ==
        Texts{"8250`port", "libc.so.6`environ", "a.out`x", "x", ".", "y"});
  Lexed aggregations = expr("@a1 @ @_x @string @1");
  CHECK(aggregations.kinds() == Kinds{Tok::kAggregation, Tok::kAggregation, Tok::kAggregation, Tok::kAggregation,
                                      Tok::kAggregation, Tok::kInteger});
  CHECK(aggregations.texts() == Texts{"a1", "_", "_x", "string", "_", "1"});
}

TEST_CASE("lexer: strings have their escapes done and are not joined") {
  CHECK(expr(R"("a\tb" "c")").texts() == Texts{"a\tb", "c"});
  CHECK(expr(R"("a\"b" "" "\\")").texts() == Texts{"a\"b", "", "\\"});
}

TEST_CASE("lexer: character constants are integers of type int") {
  Lexed lexed = expr(R"('a' '\n' 'ab' '\'' '"')");
  std::vector<uint64_t> values;
  for (const Token &t : lexed.tokens) {
    CHECK(t.kind == Tok::kInteger);
    CHECK(t.number.character);
    values.push_back(t.number.value);
  }
  CHECK(values == std::vector<uint64_t>{'a', '\n', 0x6162, '\'', '"'});
}

TEST_CASE("lexer: blanks: white space, comments of both kinds, continued lines, #! lines") {
  CHECK(expr(" \t\f\v\r\n a /* b \n * c */ d // e\n f \\\n g").texts() == Texts{"a", "d", "f", "g"});
  CHECK(clause("#!/usr/sbin/dtrace -s\n  #! another\nBEGIN").texts() == Texts{"BEGIN"});
  CHECK(clause("a // b\n c /**/ d").texts() == Texts{"a", "c", "d"});
  CHECK(expr("/***/ a /* / */ b").texts() == Texts{"a", "b"});
}

TEST_CASE("lexer: GNU decorations of C headers are blanks") {
  CHECK(expr("__extension__ int x __attribute__((packed, aligned(4))) ;").texts() == Texts{"int", "x", ";"});
  CHECK(expr("__const char *__restrict s").kinds() ==
        Kinds{Tok::kConst, Tok::kChar, Tok::kStar, Tok::kRestrict, Tok::kIdent});
}

TEST_CASE("lexer: keywords in EXPR state") {
  CHECK(expr("if else sizeof stringof offsetof xlate self this").kinds() ==
        Kinds{Tok::kIf, Tok::kElse, Tok::kSizeof, Tok::kStringof, Tok::kOffsetof, Tok::kXlate, Tok::kSelf, Tok::kThis});
  CHECK(expr("auto char const double enum extern float inline int long register restrict").kinds() ==
        Kinds{Tok::kAuto, Tok::kChar, Tok::kConst, Tok::kDouble, Tok::kEnum, Tok::kExtern, Tok::kFloat, Tok::kInline,
              Tok::kInt, Tok::kLong, Tok::kRegister, Tok::kRestrict});
  CHECK(expr("short signed static string struct translator typedef union unsigned userland void volatile").kinds() ==
        Kinds{Tok::kShort, Tok::kSigned, Tok::kStatic, Tok::kStringType, Tok::kStruct, Tok::kTranslator, Tok::kTypedef,
              Tok::kUnion, Tok::kUnsigned, Tok::kUserland, Tok::kVoid, Tok::kVolatile});
  CHECK(expr("break continue for while").kinds() == Kinds{Tok::kBreak, Tok::kContinue, Tok::kFor, Tok::kWhile});
  for (const char *word : {"case", "counter", "default", "do", "goto", "import", "switch"}) {
    INFO(word);
    CHECK(expr(word).kinds() == Kinds{Tok::kReserved});
  }
  CHECK(expr("return (1)").kinds() == Kinds{Tok::kIdent, Tok::kLParen, Tok::kInteger, Tok::kRParen});
  CHECK(expr("return 1").kinds() == Kinds{Tok::kReserved, Tok::kInteger});
}

TEST_CASE("lexer: after . and -> any word is a name") {
  CHECK(expr("a->string b.self c->while").kinds() == Kinds{Tok::kIdent, Tok::kArrow, Tok::kIdent, Tok::kIdent,
                                                           Tok::kDot, Tok::kIdent, Tok::kIdent, Tok::kArrow,
                                                           Tok::kIdent});
}

TEST_CASE("lexer: a slash divides unless the end of a predicate can follow") {
  CHECK(expr("a / b").kinds() == Kinds{Tok::kIdent, Tok::kSlash, Tok::kIdent});
  CHECK(expr("a / /* c */ b").kinds() == Kinds{Tok::kIdent, Tok::kSlash, Tok::kIdent});
  CHECK(expr("a /= b").kinds() == Kinds{Tok::kIdent, Tok::kDivAssign, Tok::kIdent});
  CHECK(expr("a /").kinds() == Kinds{Tok::kIdent, Tok::kPredicateEnd});
  CHECK(expr("a / ;").kinds() == Kinds{Tok::kIdent, Tok::kPredicateEnd, Tok::kSemicolon});
  CHECK(expr("a /\n /* c */ // d\n {").kinds() == Kinds{Tok::kIdent, Tok::kPredicateEnd, Tok::kLBrace});
  CHECK(expr("a /\n# 7 \"x.d\"\n{").kinds() == Kinds{Tok::kIdent, Tok::kPredicateEnd, Tok::kLBrace});
}

TEST_CASE("lexer: macro variables and arguments are tokens") {
  Lexed lexed(std::string_view("$target $$target $0 $$0"), Lexer::State::kExpr);
  CHECK(lexed.kinds() == Kinds{Tok::kInteger, Tok::kString, Tok::kIdent, Tok::kString});
  CHECK(lexed.tokens[0].number.value == 1234);
  CHECK(lexed.tokens[1].text == "1234");
  CHECK(lexed.tokens[2].text == "script");
}

TEST_CASE("lexer: CLAUSE state: specifiers, integers, punctuation") {
  CHECK(clause("syscall::read:entry,BEGIN 12 / {").kinds() ==
        Kinds{Tok::kProbeSpec, Tok::kComma, Tok::kProbeSpec, Tok::kInteger, Tok::kSlash, Tok::kLBrace});
  CHECK(clause("pid$target:a.out:[a-z]?*\\x!:entry-1.2`z").texts() ==
        Texts{"pid$target:a.out:[a-z]?*\\x!:entry-1.2`z"});
  CHECK(clause(":::* tick-$1ms profile-997hz").texts() == Texts{":::*", "tick-$1ms", "profile-997hz"});
}

TEST_CASE("lexer: CLAUSE state: the path of a file is a module of pid") {
  CHECK(clause("pid*:/usr/bin/ba-s?h:readline:return").texts() == Texts{"pid*:/usr/bin/ba-s?h:readline:return"});
  CHECK(clause("pid$target:/opt/*/libc++.so.1:f:entry /x/ {").texts()[0] == "pid$target:/opt/*/libc++.so.1:f:entry");
  CHECK(clause("pid*:/x/ {").texts()[0] == "pid*:");
  CHECK(clause("syscall:/x?y:z/ {").texts()[0] == "syscall:");
  CHECK(clause("pid1:a:/x/ {").texts()[0] == "pid1:a:");
  CHECK(clause("pid1:::/x:y/ {").texts()[0] == "pid1:::");
}

TEST_CASE("lexer: CLAUSE state: what begins a declaration") {
  CHECK(clause("int x").kinds() == Kinds{Tok::kInt, Tok::kIdent});
  CHECK(clause("int*x").kinds() == Kinds{Tok::kInt, Tok::kStar, Tok::kIdent});
  CHECK(clause("uint_t*x;").kinds() == Kinds{Tok::kTypeName, Tok::kStar, Tok::kIdent, Tok::kSemicolon});
  CHECK(clause("uint_t x;").kinds() == Kinds{Tok::kTypeName, Tok::kIdent, Tok::kSemicolon});
  CHECK(clause("uint_t::x").kinds() == Kinds{Tok::kProbeSpec});
  CHECK(clause("int:x").kinds() == Kinds{Tok::kProbeSpec});
  CHECK(clause("interesting").kinds() == Kinds{Tok::kProbeSpec});
  CHECK(clause("if else sizeof probe").kinds() ==
        Kinds{Tok::kProbeSpec, Tok::kProbeSpec, Tok::kProbeSpec, Tok::kProbeSpec});
  CHECK(clause("uint_t* {").kinds() == Kinds{Tok::kProbeSpec, Tok::kLBrace});
}

TEST_CASE("lexer: CLAUSE state with pspec: only keywords begin declarations") {
  CHECK(Lexed("uint_t x", Lexer::State::kClause, true).kinds() == Kinds{Tok::kProbeSpec, Tok::kProbeSpec});
  CHECK(Lexed("int*x", Lexer::State::kClause, true).kinds() == Kinds{Tok::kProbeSpec});
  CHECK(Lexed("int x", Lexer::State::kClause, true).kinds() == Kinds{Tok::kInt, Tok::kIdent});
}

TEST_CASE("lexer: a closer without its opener is an error token, and lexing goes on") {
  Lexed lexed = expr("a ) b ] c } d");
  CHECK(lexed.kinds() ==
        Kinds{Tok::kIdent, Tok::kError, Tok::kIdent, Tok::kError, Tok::kIdent, Tok::kError, Tok::kIdent});
  CHECK(lexed.p.errors() ==
        "D_SYNTAX 1:3+1 extra ) in input stream\n"
        "D_SYNTAX 1:7+1 extra ] in input stream\n"
        "D_SYNTAX 1:11+1 extra } in input stream\n");
}
