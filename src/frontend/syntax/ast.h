// SPDX-License-Identifier: Apache-2.0
// The tree as parsed: names unresolved, types as written. The parser makes it, the checker reads it and makes the typed
// tree (tree.h). Nodes live in the Ast's arena and are never freed singly; string_views point into the sources or the
// arena.
#pragma once

#include <cstdint>
#include <deque>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "frontend/lang/operators.h"
#include "frontend/text/lexer_literal.h"
#include "frontend/text/source.h"

namespace dtrace::ast {

struct Expr;
struct Stmt;
struct Declarator;

// ---------------------------------------------------------------- types as written

enum class Storage : uint8_t { kNone, kExtern, kTypedef, kSelf, kThis, kAuto, kRegister, kStatic };

/// One word of a declaration's specifiers, in source order, so that the checker can name the offending one.
enum class SpecifierKind : uint8_t {
  kVoid,
  kChar,
  kShort,
  kInt,
  kLong,
  kFloat,
  kDouble,
  kSigned,
  kUnsigned,
  kBool,
  kUserland,
  kString,
  kConst,
  kVolatile,
  kRestrict,
  kTypeName,  ///< `name`, may hold module`name
  kStruct,
  kUnion,
  kEnum,  ///< `name` may be empty; `body` says whether members follow
};

struct MemberDecl;
struct EnumeratorDecl {
  std::string_view name;
  Span span;
  const Expr *value = nullptr;
};

struct Specifier {
  SpecifierKind kind;
  Span span;
  std::string_view name;
  bool has_body = false;
  std::vector<MemberDecl> members;          ///< struct/union
  std::vector<EnumeratorDecl> enumerators;  ///< enum
};

struct DeclSpecs {
  std::vector<std::pair<Storage, Span>> storage;
  std::vector<Specifier> specifiers;
  Span span;
};

struct Param;

/// One derivation of a declarator, outermost last applied: for `int *a[3]` the list is {array 3, pointer}
/// (read it as "a is array 3 of pointer to int").
struct Derivation {
  enum class Kind : uint8_t { kPointer, kArray, kTuple, kFunction } kind;
  Span span;
  uint8_t qualifiers = 0;       ///< kPointer: bits of dtrace::Qualifiers
  const Expr *count = nullptr;  ///< kArray: null for []
  std::vector<Param> params;    ///< kTuple (associative array), kFunction
  bool variadic = false;
};

struct Declarator {
  std::string_view name;  ///< empty: abstract
  Span span;
  std::vector<Derivation> derivations;
};

struct Param {
  DeclSpecs specs;
  Declarator declarator;
  Span span;
};

struct MemberDecl {
  DeclSpecs specs;
  Declarator declarator;
  bool has_width = false;
  const Expr *width = nullptr;
  Span span;
};

/// `type_name` of the grammar: cast, sizeof, xlate, offsetof, translators.
struct TypeName {
  DeclSpecs specs;
  Declarator declarator;  ///< abstract
  Span span;
};

// ---------------------------------------------------------------- expressions

using IntLit = IntegerLiteral;
struct FloatLit {
  long double value;
};  ///< only printf() computes with it
struct StrLit {
  std::string text;
};  ///< escapes done
struct Ident {
  std::string_view name;
};  ///< may hold backquotes: `sym, mod`sym
struct ScopedIdent {
  Storage scope;
  std::string_view name;
};  ///< self->x (kSelf), this->x (kThis)
struct AggRef {
  std::string_view name;
};  ///< "_" for a lone @
struct Unary {
  UnaryOp op;
  const Expr *operand;
};
struct Binary {
  BinaryOp op;
  const Expr *lhs;
  const Expr *rhs;
  Span op_span;
};
struct Conditional {
  const Expr *condition, *then_value, *else_value;
};
struct Assign {
  std::optional<BinaryOp> op;
  const Expr *target;
  const Expr *value;
  Span op_span;
};  ///< `=` has no op
struct Comma {
  const Expr *lhs, *rhs;
};
struct Call {
  const Expr *callee;
  std::vector<const Expr *> args;
};
struct Index {
  const Expr *base;
  std::vector<const Expr *> keys;
};
struct MemberRef {
  const Expr *base;
  std::string_view name;
  bool arrow;
  Span name_span;
};
struct Cast {
  const TypeName *type;
  const Expr *operand;
};
struct SizeofExpr {
  const Expr *operand;
};
struct SizeofType {
  const TypeName *type;
};
struct Stringof {
  const Expr *operand;
};
struct Offsetof {
  const TypeName *type;
  std::string_view member;
  Span member_span;
};
struct Xlate {
  const TypeName *type;
  const Expr *operand;
};

struct Expr {
  Span span;
  std::variant<IntLit, FloatLit, StrLit, Ident, ScopedIdent, AggRef, Unary, Binary, Conditional, Assign, Comma, Call,
               Index, MemberRef, Cast, SizeofExpr, SizeofType, Stringof, Offsetof, Xlate>
      node;
};

// ---------------------------------------------------------------- statements, clauses, declarations

/// `for` and `while`. Null: left out.
struct Loop {
  const Expr *start = nullptr, *condition = nullptr, *step = nullptr;
  std::vector<const Stmt *> body;
};
struct Jump {
  bool is_break;  ///< else `continue`
};
struct If {
  const Expr *condition;
  std::vector<const Stmt *> then_body, else_body;
};
struct Stmt {
  Span span;
  std::variant<const Expr *, If, Loop, Jump> node;
};

/// One probe description as written, macros substituted. `id` when it was an integer.
struct ProbeSpec {
  Span span;
  std::string provider, module, function, name;
  std::optional<uint64_t> id;
};

struct Clause {
  Span span;
  std::vector<ProbeSpec> probes;
  const Expr *predicate = nullptr;
  bool has_body = false;  ///< false: default action (command-line only)
  std::vector<const Stmt *> body;
};

struct Declaration {
  Span span;
  DeclSpecs specs;
  std::vector<Declarator> declarators;
};

struct InlineDef {
  Span span;
  DeclSpecs specs;
  Declarator declarator;
  const Expr *value;
};

/// With classes it has no types: its members are those of all classes of user programs with such names.
struct TranslatorDef {
  Span span;
  const TypeName *output = nullptr, *input = nullptr;
  std::vector<std::string_view> classes;  ///< patterns
  Span classes_span;
  std::string_view param;
  struct MemberDef {
    std::string_view name;
    Span span;
    const Expr *value;
  };
  std::vector<MemberDef> members;
};

struct ProviderDef {
  Span span;
  std::string_view name;
  Span name_span;
  struct ProbeDecl {
    std::string_view name;
    Span span;
    std::vector<Param> native;
    bool native_variadic = false;
    bool has_translated = false;
    std::vector<Param> translated;
    bool translated_variadic = false;
  };
  std::vector<ProbeDecl> probes;
};

/// `#pragma D keyword ...` other than option lines, which the parser gives to the caller at once.
struct Pragma {
  Span span;
  enum class Kind : uint8_t { kAttributes, kBinding, kDependsOn } kind;
  std::vector<std::string> words;  ///< after the keyword; strings without their quotes
};

using External = std::variant<Clause, Declaration, InlineDef, TranslatorDef, ProviderDef, Pragma>;

/// Owns the nodes of one program text. Order of `externals` is source order.
class Ast {
 public:
  template <typename T>
  const Expr *expr(Span span, T node) {
    return &exprs_.emplace_back(Expr{span, std::move(node)});
  }
  const Stmt *stmt(Stmt s) { return &stmts_.emplace_back(std::move(s)); }
  const TypeName *type_name(TypeName t) { return &type_names_.emplace_back(std::move(t)); }
  /// Keeps a copy of `text` for the life of the tree.
  std::string_view intern(std::string text) { return strings_.emplace_back(std::move(text)); }

  /// All expressions of the text, in no order.
  const std::deque<Expr> &exprs() const { return exprs_; }

  std::deque<External> externals;
  uint32_t source = 0;

 private:
  std::deque<Expr> exprs_;
  std::deque<Stmt> stmts_;
  std::deque<TypeName> type_names_;
  std::deque<std::string> strings_;
};

/// Text form of the tree for `--stop-after=parse --dump` and golden tests: one node a line, indented.
std::string dump(const Ast &ast, const Sources &sources);

}  // namespace dtrace::ast
