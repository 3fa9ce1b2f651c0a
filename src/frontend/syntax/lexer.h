// SPDX-License-Identifier: Apache-2.0
// D text -> tokens, one at a time, as the parser asks. The same characters are different tokens in different states,
// so the parser must set the state *before* it takes the token that ends a clause or a
// declaration.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <string_view>

#include "frontend/syntax/ast.h"
#include "frontend/syntax/macro.h"
#include "frontend/syntax/parser.h"
#include "frontend/syntax/pragma.h"
#include "frontend/text/diag.h"

namespace dtrace {

enum class Tok : uint8_t {
  kEnd,
  kError,     ///< reported by the lexer already
  kPanic,     ///< never made by the lexer: the parser's "no token" after an error
  kIdent,     ///< also a type's name in EXPR state: the parser decides
  kTypeName,  ///< CLAUSE state only: an identifier that begins a declaration
  kInteger,
  kFloating,  ///< 1.5
  kString,
  kAggregation,
  kProbeSpec,
  kLParen,
  kRParen,
  kLBracket,
  kRBracket,
  kLBrace,
  kRBrace,
  kSemicolon,
  kComma,
  kDot,
  kArrow,
  kQuestion,
  kColon,
  kEllipsis,
  kPredicateEnd,  ///< the `/` that ends a predicate; `/` that begins one is kSlash in CLAUSE state
  kStar,
  kSlash,
  kPercent,
  kPlus,
  kMinus,
  kShl,
  kShr,
  kLt,
  kGt,
  kLe,
  kGe,
  kEqEq,
  kNotEq,
  kAmp,
  kCaret,
  kPipe,
  kAndAnd,
  kXorXor,
  kOrOr,
  kTilde,
  kBang,
  kPlusPlus,
  kMinusMinus,
  kAssign,
  kAddAssign,
  kSubAssign,
  kMulAssign,
  kDivAssign,
  kModAssign,
  kAndAssign,
  kXorAssign,
  kOrAssign,
  kShlAssign,
  kShrAssign,
  // keywords
  kAuto,
  kBool,
  kChar,
  kConst,
  kDouble,
  kElse,
  kEnum,
  kExtern,
  kFloat,
  kIf,
  kFor,
  kWhile,
  kBreak,
  kContinue,
  kInline,
  kInt,
  kLong,
  kOffsetof,
  kProbe,
  kProvider,
  kRegister,
  kRestrict,
  kSelf,
  kShort,
  kSigned,
  kSizeof,
  kStatic,
  kStringType,
  kStringof,
  kStruct,
  kThis,
  kTranslator,
  kTypedef,
  kUnion,
  kUnsigned,
  kUserland,
  kVoid,
  kVolatile,
  kXlate,
  kReserved,  ///< break, case, ...: words without a grammar
};

inline bool is_keyword(Tok kind) { return kind >= Tok::kAuto; }

struct Token {
  Tok kind = Tok::kEnd;
  Span span;
  std::string_view text;     ///< words, specifiers, aggregations: the name; strings: the value, escapes done
  ast::IntLit number;        ///< kInteger
  long double floating = 0;  ///< kFloating
  bool negative = false;     ///< kInteger from a macro: the value is -number
};

class Lexer {
 public:
  enum class State : uint8_t { kClause, kExpr };

  /// `is_type` answers for the names of this text and of earlier ones.
  Lexer(const ParseInput &input, Sources &sources, Diagnostics &diags, ast::Ast &ast, MacroExpander &macros,
        std::function<bool(std::string_view)> is_type);

  /// Errors: D_SYNTAX for characters, comments and closers; D_INT_*, D_STR_NL, D_CHR_*, D_MACRO_*, those of
  /// ControlLines.
  Token next();

  void set_state(State state) { state_ = state; }
  State state() const { return state_; }

  /// The text after the current token, blanks and comments skipped. Looks only: no control line acts.
  std::string_view rest() const { return text_.substr(skip_quietly(at_)); }

  /// Adds to a type's name, the current token, the template arguments that follow it, if any do: "std::vector<int>".
  void take_template_arguments(Token &name);

  /// Number of open braces, after the current token.
  int braces() const { return braces_; }
  /// After an error: parentheses and brackets left open are forgotten.
  void forget_parentheses() { parens_ = brackets_ = 0; }
  /// While muted, tokens that are errors come without a report.
  void set_muted(bool muted) { muted_ = muted; }
  bool in_include() const { return control_.in_include(); }
  bool in_system_header() const { return control_.in_system_header(); }
  Span end_of_text() const { return span(text_.size(), text_.size()); }

 private:
  Span span(size_t begin, size_t end) const;
  Token token(Tok kind, size_t begin);
  Token error(Tag tag, size_t begin, size_t end, std::string message);

  std::optional<Token> skip_blank();
  std::optional<Token> skip_comment();
  std::optional<Token> control_line();
  bool first_on_line(size_t at) const;
  size_t skip_quietly(size_t at) const;
  size_t skip_extension(size_t begin, size_t end) const;

  Token clause_token();
  Token probe_spec(size_t begin);
  Token expr_token();
  std::optional<Token> word();
  Token number();
  Token string();
  Token character();
  Token macro();
  Token slash();
  Token punctuator();
  Token closer(Tok kind, int &open);
  Token bad_character();

  const ParseInput &input_;
  Diagnostics &diags_;
  ast::Ast &ast_;
  MacroExpander &macros_;
  ControlLines control_;
  std::function<bool(std::string_view)> is_type_;
  std::string_view text_;
  size_t at_ = 0;
  State state_ = State::kClause;
  bool after_member_operator_ = false;
  bool muted_ = false;
  int parens_ = 0, brackets_ = 0, braces_ = 0;
};

/// Is it a keyword that is a type specifier by itself?
bool is_type_word(Tok kind);

/// Keyword of that spelling, kIdent if it is none.
Tok keyword(std::string_view word);

}  // namespace dtrace
