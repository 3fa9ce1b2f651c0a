// SPDX-License-Identifier: Apache-2.0
// Expressions. `stringof` and `sizeof` are unary operators and bind looser than the postfix ones.
#include <algorithm>
#include <utility>

#include "frontend/syntax/parser_impl.h"
#include "frontend/text/lexer_literal.h"
#include "frontend/text/type_name.h"

namespace dtrace {

namespace {

struct BinaryInfo {
  Tok token;
  BinaryOp op;
  int level;  ///< the higher, the tighter; all are left-associative
};

constexpr BinaryInfo kBinary[] = {
    {Tok::kStar, BinaryOp::kMul, 11},  {Tok::kSlash, BinaryOp::kDiv, 11},    {Tok::kPercent, BinaryOp::kMod, 11},
    {Tok::kPlus, BinaryOp::kAdd, 10},  {Tok::kMinus, BinaryOp::kSub, 10},    {Tok::kShl, BinaryOp::kShl, 9},
    {Tok::kShr, BinaryOp::kShr, 9},    {Tok::kLt, BinaryOp::kLt, 8},         {Tok::kGt, BinaryOp::kGt, 8},
    {Tok::kLe, BinaryOp::kLe, 8},      {Tok::kGe, BinaryOp::kGe, 8},         {Tok::kEqEq, BinaryOp::kEq, 7},
    {Tok::kNotEq, BinaryOp::kNe, 7},   {Tok::kAmp, BinaryOp::kAnd, 6},       {Tok::kCaret, BinaryOp::kXor, 5},
    {Tok::kPipe, BinaryOp::kOr, 4},    {Tok::kAndAnd, BinaryOp::kLogAnd, 3}, {Tok::kXorXor, BinaryOp::kLogXor, 2},
    {Tok::kOrOr, BinaryOp::kLogOr, 1},
};

struct AssignInfo {
  Tok token;
  std::optional<BinaryOp> op;
};

constexpr AssignInfo kAssign[] = {
    {Tok::kAssign, std::nullopt},      {Tok::kAddAssign, BinaryOp::kAdd}, {Tok::kSubAssign, BinaryOp::kSub},
    {Tok::kMulAssign, BinaryOp::kMul}, {Tok::kDivAssign, BinaryOp::kDiv}, {Tok::kModAssign, BinaryOp::kMod},
    {Tok::kAndAssign, BinaryOp::kAnd}, {Tok::kXorAssign, BinaryOp::kXor}, {Tok::kOrAssign, BinaryOp::kOr},
    {Tok::kShlAssign, BinaryOp::kShl}, {Tok::kShrAssign, BinaryOp::kShr},
};

template <typename Table>
const auto *row_of(const Table &table, Tok token) {
  const auto *found =
      std::find_if(std::begin(table), std::end(table), [&](const auto &row) { return row.token == token; });
  return found != std::end(table) ? found : nullptr;
}

}  // namespace

Parser::Value Parser::expression() {
  Value value = assignment();
  while (accept(Tok::kComma)) {
    Value rhs = assignment();
    value =
        make(join(span_of(value), span_of(rhs)), ast::Comma{value.expr, rhs.expr}, std::max(value.height, rhs.height));
  }
  return value;
}

Parser::Value Parser::assignment() {
  Nesting nesting(*this);
  if (!nesting) return {};
  return assigned(conditional());
}

/// Parses the rest of an assignment to `target`, if an assignment operator follows.
Parser::Value Parser::assigned(Value target) {
  const AssignInfo *info = row_of(kAssign, tok_.kind);
  if (info == nullptr) return target;
  if (!target.unary) {
    fail();
    return {};
  }
  Span op_span = tok_.span;
  accept(tok_.kind);
  Value value = assignment();
  return make(join(span_of(target), span_of(value)), ast::Assign{info->op, target.expr, value.expr, op_span},
              std::max(target.height, value.height));
}

/// A loop, not a recursion, over `a ? b : c ? d : ...`: tables written that way are long. The last of them may be an
/// assignment, as in C++, so that either arm of a statement may be one: `a ? @b = count() : @c = count()`.
Parser::Value Parser::conditional() {
  std::vector<std::pair<Value, Value>> arms;
  Value value = binary(1);
  while (accept(Tok::kQuestion)) {
    Value then_value = expression();
    expect(Tok::kColon);
    arms.emplace_back(value, then_value);
    value = binary(1);
  }
  if (!arms.empty() && value.unary) value = assigned(value);
  for (; !arms.empty(); arms.pop_back()) {
    auto [condition, then_value] = arms.back();
    value =
        make(join(span_of(condition), span_of(value)), ast::Conditional{condition.expr, then_value.expr, value.expr},
             std::max({condition.height, then_value.height, value.height}));
  }
  return value;
}

Parser::Value Parser::binary(int lowest_level) {
  Value lhs = cast();
  for (const BinaryInfo *info = row_of(kBinary, tok_.kind); info != nullptr && info->level >= lowest_level;
       info = row_of(kBinary, tok_.kind)) {
    Span op_span = tok_.span;
    accept(tok_.kind);
    Value rhs = binary(info->level + 1);
    lhs = make(join(span_of(lhs), span_of(rhs)), ast::Binary{info->op, lhs.expr, rhs.expr, op_span},
               std::max(lhs.height, rhs.height));
  }
  return lhs;
}

Parser::Value Parser::cast() {
  Nesting nesting(*this);
  if (!nesting) return {};
  if (!is(Tok::kLParen)) return unary();
  Span begin = tok_.span;
  accept(Tok::kLParen);
  if (!starts_type() && !starts_unknown_type()) return postfix_tail(parenthesised());
  TypeValue type = type_name();
  expect(Tok::kRParen);
  Value operand = cast();
  return make(join(begin, span_of(operand)), ast::Cast{type.type, operand.expr}, std::max(type.height, operand.height));
}

/// `(name *)` is no expression: the name is a type's, of a user program whose types are not known before the clause is
/// checked. So is a name with a scope or template arguments: `(shop::Kind)arg1`, if an operand follows.
bool Parser::starts_unknown_type() {
  if (!knows_user_types() || !is(Tok::kIdent) || locals_.contains(tok_.text) || globals_.contains(tok_.text))
    return false;
  std::string_view rest = lexer_.rest();
  const size_t arguments = template_arguments_length(rest);
  rest = rest.substr(arguments);
  const size_t end = rest.find_first_not_of("* \t\n");
  if (end == std::string_view::npos || rest[end] != ')') return false;
  bool is_type = rest.substr(0, end).find('*') != std::string_view::npos;
  if (!is_type && (arguments != 0 || is_scoped_name(tok_.text))) {
    const size_t next = rest.find_first_not_of(" \t\n", end + 1);
    is_type = next != std::string_view::npos && (is_word(rest[next]) || rest[next] == '(' || rest[next] == '$');
  }
  if (is_type) note_user_type();
  return is_type;
}

/// In `sizeof (`, and where only a type may stand.
bool Parser::names_user_type() {
  if (!knows_user_types() || !is(Tok::kIdent) || !is_scoped_name(tok_.text)) return false;
  note_user_type();
  return true;
}

void Parser::note_user_type() {
  lexer_.take_template_arguments(tok_);
  types_.insert(tok_.text);
}

Parser::Value Parser::unary() {
  Nesting nesting(*this);
  if (!nesting) return {};
  switch (tok_.kind) {
    case Tok::kPlusPlus:
      return prefix(UnaryOp::kPreInc, false);
    case Tok::kMinusMinus:
      return prefix(UnaryOp::kPreDec, false);
    case Tok::kAmp:
      return prefix(UnaryOp::kAddressOf, true);
    case Tok::kStar:
      return prefix(UnaryOp::kDeref, true);
    case Tok::kPlus:
      return prefix(UnaryOp::kPlus, true);
    case Tok::kMinus:
      return prefix(UnaryOp::kMinus, true);
    case Tok::kTilde:
      return prefix(UnaryOp::kComplement, true);
    case Tok::kBang:
      return prefix(UnaryOp::kNot, true);
    case Tok::kSizeof:
      return size_of();
    case Tok::kStringof:
      return string_of();
    default:
      return postfix();
  }
}

Parser::Value Parser::prefix(UnaryOp op, bool of_cast) {
  Span begin = tok_.span;
  accept(tok_.kind);
  Value operand = of_cast ? cast() : unary();
  return make(join(begin, span_of(operand)), ast::Unary{op, operand.expr}, operand.height, true);
}

Parser::Value Parser::size_of() {
  Span begin = tok_.span;
  accept(Tok::kSizeof);
  Value operand;
  if (is(Tok::kLParen)) {
    accept(Tok::kLParen);
    if (starts_type() || names_user_type() || starts_unknown_type()) {
      TypeValue type = type_name();
      expect(Tok::kRParen);
      return make(since(begin), ast::SizeofType{type.type}, type.height, true);
    }
    operand = postfix_tail(parenthesised());
  } else {
    operand = unary();
  }
  return make(since(begin), ast::SizeofExpr{operand.expr}, operand.height, true);
}

Parser::Value Parser::string_of() {
  Span begin = tok_.span;
  accept(Tok::kStringof);
  Value operand = unary();
  return make(since(begin), ast::Stringof{operand.expr}, operand.height, true);
}

Parser::Value Parser::postfix() { return postfix_tail(primary()); }

Parser::Value Parser::postfix_tail(Value value) {
  value.unary = true;
  while (!panicking()) {
    Span begin = span_of(value);
    switch (tok_.kind) {
      case Tok::kLBracket: {
        ast::Index node{value.expr, {}};
        accept(Tok::kLBracket);
        uint32_t height = std::max(value.height, list(node.keys, Tok::kRBracket));
        value = make(since(begin), std::move(node), height, true);
        break;
      }
      case Tok::kLParen: {
        ast::Call node{value.expr, {}};
        uint32_t height = value.height;
        accept(Tok::kLParen);
        if (!accept(Tok::kRParen)) height = std::max(height, list(node.args, Tok::kRParen));
        value = make(since(begin), std::move(node), height, true);
        break;
      }
      case Tok::kDot:
      case Tok::kArrow:
        value = member(value, is(Tok::kArrow));
        break;
      case Tok::kPlusPlus:
      case Tok::kMinusMinus: {
        auto op = is(Tok::kPlusPlus) ? UnaryOp::kPostInc : UnaryOp::kPostDec;
        accept(tok_.kind);
        value = make(since(begin), ast::Unary{op, value.expr}, value.height, true);
        break;
      }
      default:
        return value;
    }
  }
  return {};
}

uint32_t Parser::list(std::vector<const ast::Expr *> &out, Tok close) {
  uint32_t height = 0;
  do {
    Value value = assignment();
    out.push_back(value.expr);
    height = std::max(height, value.height);
  } while (accept(Tok::kComma));
  expect(close);
  return height;
}

/// After `.`, `->` and in offsetof any word is a name.
std::string_view Parser::member_name(Span *name_span) {
  if (!is(Tok::kIdent) && !is_keyword(tok_.kind)) {
    fail();
    return {};
  }
  *name_span = tok_.span;
  std::string_view name = tok_.text;
  accept(tok_.kind);
  return name;
}

Parser::Value Parser::member(Value base, bool arrow) {
  Span begin = span_of(base);
  ast::MemberRef node{base.expr, {}, arrow, {}};
  accept(tok_.kind);
  node.name = member_name(&node.name_span);
  return make(since(begin), node, base.height, true);
}

Parser::Value Parser::primary() {
  Span begin = tok_.span;
  switch (tok_.kind) {
    case Tok::kInteger:
      return integer();
    case Tok::kFloating: {
      const ast::FloatLit literal{tok_.floating};
      accept(Tok::kFloating);
      return make(begin, literal, 0);
    }
    case Tok::kIdent:
      return identifier();
    case Tok::kSelf:
    case Tok::kThis:
      return scoped_variable();
    case Tok::kOffsetof:
      return offset_of();
    case Tok::kXlate:
      return xlate();
    case Tok::kString: {
      std::string text(tok_.text);
      accept(Tok::kString);
      return make(begin, ast::StrLit{std::move(text)}, 0);
    }
    case Tok::kAggregation: {
      std::string_view name = tok_.text;
      accept(Tok::kAggregation);
      return make(begin, ast::AggRef{name}, 0);
    }
    case Tok::kLParen:
      accept(Tok::kLParen);
      return parenthesised();
    default:
      fail();
      return {};
  }
}

/// After the opening parenthesis.
Parser::Value Parser::parenthesised() {
  Value value = expression();
  expect(Tok::kRParen);
  return value;
}

Parser::Value Parser::integer() {
  Span span = tok_.span;
  ast::IntLit literal = tok_.number;
  bool negative = tok_.negative;
  accept(Tok::kInteger);
  Value value = make(span, literal, 0);
  if (!negative) return value;
  return make(span, ast::Unary{UnaryOp::kMinus, value.expr}, value.height);
}

Parser::Value Parser::identifier() {
  // Not asked here: "is it a type?". The checker does that when it finds no variable of the name; most names are
  // variables, and the search for a type reads kernel type data.
  std::string_view name = tok_.text;
  Span span = tok_.span;
  accept(Tok::kIdent);
  if (in_clause_ &&
      (row_of(kAssign, tok_.kind) != nullptr || is(Tok::kPlusPlus) || is(Tok::kMinusMinus) || is(Tok::kLBracket))) {
    globals_.insert(name);
  }
  return make(span, ast::Ident{name}, 0);
}

Parser::Value Parser::scoped_variable() {
  Span begin = tok_.span;
  ast::ScopedIdent node{is(Tok::kSelf) ? ast::Storage::kSelf : ast::Storage::kThis, {}};
  accept(tok_.kind);
  if (is(Tok::kDot)) {
    const std::string_view rest = lexer_.rest();
    const auto end = static_cast<size_t>(std::ranges::find_if_not(rest, is_word) - rest.begin());
    fail();
    diags_.suggest(fmt::format("{}->{}", node.scope == ast::Storage::kSelf ? "self" : "this", rest.substr(0, end)));
    return {};
  }
  expect(Tok::kArrow);
  Span name_span;
  node.name = member_name(&name_span);
  return make(since(begin), node, 0);
}

Parser::Value Parser::offset_of() {
  Span begin = tok_.span;
  ast::Offsetof node{};
  accept(Tok::kOffsetof);
  expect(Tok::kLParen);
  TypeValue type = type_name();
  node.type = type.type;
  expect(Tok::kComma);
  node.member = member_name(&node.member_span);
  expect(Tok::kRParen);
  return make(since(begin), node, type.height);
}

Parser::Value Parser::xlate() {
  Span begin = tok_.span;
  accept(Tok::kXlate);
  expect(Tok::kLt);
  TypeValue type = type_name();
  expect(Tok::kGt);
  expect(Tok::kLParen);
  Value operand = expression();
  expect(Tok::kRParen);
  return make(since(begin), ast::Xlate{type.type, operand.expr}, std::max(type.height, operand.height));
}

}  // namespace dtrace
