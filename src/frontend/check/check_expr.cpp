// SPDX-License-Identifier: Apache-2.0
// Literals, casts, sizeof and its relatives, and the dispatch over the forms of expressions.
#include "frontend/check/check_expr.h"

#include <limits>

#include "frontend/check/check_convert.h"
#include "frontend/check/check_decl.h"
#include "frontend/check/check_names.h"
#include "frontend/check/class_members.h"
#include "frontend/check/fold.h"
#include "frontend/check/translate.h"
#include "frontend/types/types_compat.h"

namespace dtrace::check {
namespace {

/// The first type of C's list that holds the constant (the D language reference, 1.5).
TypeId literal_type(const TypeTable &types, const ast::IntLit &literal) {
  if (literal.character) return types.int_type();
  const bool may_be_unsigned = literal.is_unsigned || !literal.decimal;
  const bool may_be_signed = !literal.is_unsigned;
  if (literal.longs >= 2) {
    const bool fits = literal.value <= uint64_t(std::numeric_limits<int64_t>::max());
    return types.long_long(may_be_signed && fits);
  }
  if (literal.longs == 0) {
    if (may_be_signed && literal.value <= uint64_t(std::numeric_limits<int32_t>::max())) return types.int_type();
    if (may_be_unsigned && literal.value <= std::numeric_limits<uint32_t>::max()) return types.integer(4, false);
  }
  if (may_be_signed && literal.value <= uint64_t(std::numeric_limits<int64_t>::max())) return types.long_type();
  return types.ulong_type();
}

Operand check_literal(Context &cx, const ast::IntLit &literal, Span span) {
  const bool fits = literal.value <= uint64_t(std::numeric_limits<int64_t>::max());
  if (literal.decimal && !literal.is_unsigned && !literal.character && !fits) {
    return cx.fail(Tag::D_INT_OFLOW, span, "integer constant {} cannot be represented in any built-in integral type",
                   literal.value);
  }
  return cx.integer(literal_type(cx.types, literal), span, literal.value);
}

Operand check_string(Context &cx, const ast::StrLit &literal, Span span) {
  std::string text = literal.text.substr(0, literal.text.find('\0'));
  if (text.size() >= cx.types.strsize()) text.resize(cx.types.strsize() > 0 ? cx.types.strsize() - 1 : 0);
  const TypeId type = string_type(cx.types, text.size() + 1);
  return cx.value(type, span, tree::StrConst{std::move(text)});
}

/// A symbol without type information takes the type of the cast.
Operand cast_symbol(Context &cx, const Operand &operand, TypeId to, Span span) {
  if (!cx.types.is_scalar(to) && !cx.types.is_struct_or_union(to)) {
    return cx.fail(Tag::D_CAST_INVAL, span, "invalid cast expression: symbol {} to \"{}\"", operand.name,
                   cx.type_name(to));
  }
  return cx.value(to, span, std::get<tree::SymbolRef>(operand.expr->node));
}

Operand convert_cast(Context &cx, const Operand &operand, TypeId to, Span span) {
  if (cx.types.is_void(to)) return cx.value(to, span, tree::Convert{tree::ConvertKind::kVoid, operand.expr});
  if (cx.types.is_string(to)) return cx.value(to_string(cx, operand));
  if (!cx.types.is_scalar(to)) return cx.value(settled(cx, operand));
  Operand from = decayed(cx, operand);
  if (cx.types.is_string(from.type)) from = string_address(cx, from);
  // Only a cast that says `userland` moves a pointer to another space; that a user program's structures lie in user
  // memory says nothing of a copy of one.
  if (cx.types.is_pointer(to) && cx.types.is_pointer(from.type) &&
      (!cx.types.is_userland(to) || cx.types.is_of_user(to))) {
    to = with_space(cx.types, to, space_of(cx.types, from.type));
  }
  Operand result = cx.value(to_scalar(cx, from, to));
  result.span = span;
  return result;
}

Operand check_cast(Context &cx, const ast::Cast &cast, Span span) {
  const TypeId to = type_of(cx, *cast.type);
  const Operand operand = check_expr(cx, *cast.operand);
  if (!to || operand.poison()) return {};
  cx.note_type(to, cast.type->span);
  if (operand.kind == Operand::Kind::kUntypedSymbol) return cast_symbol(cx, operand, to, span);
  if (operand.kind == Operand::Kind::kTranslated || operand.kind == Operand::Kind::kAction) {
    require_static(cx, operand);
    return {};
  }
  const bool text_to_address = operand.is_value() && cx.types.is_string(operand.type) && cx.types.is_pointer(to);
  const bool valid = operand.is_value() && (can_cast(cx.types, to, operand.type) || text_to_address);
  if (!valid) {
    return cx.fail(Tag::D_CAST_INVAL, span, "invalid cast expression: \"{}\" to \"{}\"", cx.describe(operand),
                   cx.type_name(to));
  }
  if (!require_static(cx, operand)) return {};
  return convert_cast(cx, operand, to, span);
}

TypeId size_type(Context &cx) { return parse_type_text("size_t", cx.types); }

Operand size_of(Context &cx, TypeId type, uint64_t size_bytes, Span span) {
  if (!cx.types.is_complete(type)) {
    return cx.fail(Tag::D_SIZEOF_TYPE, span, "cannot apply sizeof to an operand of unknown size");
  }
  return cx.integer(size_type(cx), span, size_bytes);
}

Operand check_sizeof(Context &cx, const ast::SizeofExpr &form, Span span) {
  // In a class translator, a parameter of the template looks like a variable.
  const auto *ident = std::get_if<ast::Ident>(&form.operand->node);
  if (ident != nullptr && cx.bindings != nullptr && cx.bindings->class_type)
    if (const std::optional<TypeId> argument = cx.types.template_argument(cx.bindings->class_type, ident->name))
      return size_of(cx, *argument, cx.types.size_bytes(*argument), span);
  const Operand operand = check_expr(cx, *form.operand);
  if (operand.poison()) return {};
  if (!operand.is_value()) {
    return cx.fail(Tag::D_SIZEOF_TYPE, span, "cannot apply sizeof to an operand of dynamic or unknown size");
  }
  if (is_bitfield(operand)) return cx.fail(Tag::D_SIZEOF_BITFIELD, span, "cannot apply sizeof to a bit-field");
  // Only a literal is as long as its text; that we know a bound of other strings is our own affair.
  const bool computed_string =
      cx.types.is_string(operand.type) && !std::holds_alternative<tree::StrConst>(operand.expr->node);
  const uint64_t size_bytes = cx.types.size_bytes(cx.types.first_type(operand.type));
  return size_of(cx, operand.type, computed_string ? cx.types.strsize() : size_bytes, span);
}

Operand check_sizeof(Context &cx, const ast::SizeofType &form, Span span) {
  const TypeId type = type_of(cx, *form.type);
  if (!type) return {};
  cx.note_type(type, form.type->span);
  return size_of(cx, type, cx.types.size_bytes(type), span);
}

Operand check_offsetof(Context &cx, const ast::Offsetof &form, Span span) {
  const TypeId type = type_of(cx, *form.type);
  if (!type) return {};
  cx.note_type(type, form.type->span);
  if (!cx.types.is_struct_or_union(type)) {
    return cx.fail(Tag::D_OFFSETOF_TYPE, span, "offsetof operand must be a struct or union type, not \"{}\"",
                   cx.type_name(type));
  }
  const std::optional<FoundMember> found = cx.types.find_member(type, form.member);
  if (!found) {
    return cx.fail(Tag::D_UNKNOWN, form.member_span, "failed to determine offset of {}: {} has no such member",
                   form.member, cx.type_name(type));
  }
  if (found->member.bits != 0) {
    return cx.fail(Tag::D_OFFSETOF_BITFIELD, form.member_span, "cannot take offset of bit-field {}", form.member);
  }
  return cx.integer(cx.types.int_type(), span, found->off_bits / 8);
}

Operand check_stringof(Context &cx, const ast::Stringof &form, Span span) {
  Operand operand = check_expr(cx, *form.operand);
  if (operand.poison()) return {};
  if (const std::optional<Operand> text = class_text(cx, operand, operand.span)) operand = *text;
  if (operand.poison()) return {};
  const bool valid = is_scalar(cx, operand) || is_string_like(cx, operand) || is_array(cx, operand);
  if (operand.is_value() && !valid) {
    return cx.fail(Tag::D_STRINGOF_TYPE, span, "cannot apply stringof to a value of type \"{}\"", cx.describe(operand));
  }
  if (operand.kind == Operand::Kind::kAggregation) {
    return cx.fail(Tag::D_STRINGOF_TYPE, span, "cannot apply stringof to an aggregation");
  }
  if (!require_static(cx, operand)) return {};
  if (std::holds_alternative<tree::IntConst>(operand.expr->node)) {  // an address, not NULL
    return cx.value(cx.types.string_type(), span, tree::Convert{tree::ConvertKind::kToString, settled(cx, operand)});
  }
  Operand result = cx.value(to_string(cx, operand));
  result.span = span;
  return result;
}

Operand check_xlate(Context &cx, const ast::Xlate &form, Span span) {
  const TypeId to = type_of(cx, *form.type);
  const Operand operand = check_expr(cx, *form.operand);
  if (!to || operand.poison()) return {};
  if (operand.kind != Operand::Kind::kTranslated && !require_static(cx, operand)) return {};
  if (operand.kind == Operand::Kind::kAggregation) {
    return cx.fail(Tag::D_XLATE_NONE, span, "no translator from an aggregation to \"{}\" is defined", cx.type_name(to));
  }
  return translate(cx, operand, to, span);
}

Operand check_aggregation(const ast::AggRef &form, Span span) {
  Operand result;
  result.kind = Operand::Kind::kAggregation;
  result.span = span;
  result.name = form.name;
  return result;
}

Operand check_float(Context &cx, Span span) {
  Operand result = cx.fail(Tag::D_SYNTAX, span, "floating-point constants are not permitted");
  if (!cx.options.flag(Opt::strict))
    cx.diags.advise("only printf() computes with them, when it prints: printf(\"%.2f\", x / 1e6)");
  return result;
}

struct Dispatch {
  Context &cx;
  Span span;

  Operand operator()(const ast::IntLit &e) const { return check_literal(cx, e, span); }
  Operand operator()(const ast::FloatLit &) const { return check_float(cx, span); }
  Operand operator()(const ast::StrLit &e) const { return check_string(cx, e, span); }
  Operand operator()(const ast::Ident &e) const { return check_identifier(cx, e.name, span); }
  Operand operator()(const ast::ScopedIdent &e) const { return check_scoped(cx, e, span); }
  Operand operator()(const ast::AggRef &e) const { return check_aggregation(e, span); }
  Operand operator()(const ast::Unary &e) const { return check_unary(cx, e, span); }
  Operand operator()(const ast::Binary &e) const { return check_binary(cx, e, span); }
  Operand operator()(const ast::Conditional &e) const { return check_conditional(cx, e, span); }
  Operand operator()(const ast::Assign &e) const { return check_assign(cx, e, span); }
  Operand operator()(const ast::Comma &e) const { return check_comma(cx, e, span); }
  Operand operator()(const ast::Call &e) const { return check_call(cx, e, span); }
  Operand operator()(const ast::Index &e) const { return check_index(cx, e, span); }
  Operand operator()(const ast::MemberRef &e) const { return check_member(cx, e, span); }
  Operand operator()(const ast::Cast &e) const { return check_cast(cx, e, span); }
  Operand operator()(const ast::SizeofExpr &e) const { return check_sizeof(cx, e, span); }
  Operand operator()(const ast::SizeofType &e) const { return check_sizeof(cx, e, span); }
  Operand operator()(const ast::Stringof &e) const { return check_stringof(cx, e, span); }
  Operand operator()(const ast::Offsetof &e) const { return check_offsetof(cx, e, span); }
  Operand operator()(const ast::Xlate &e) const { return check_xlate(cx, e, span); }
};

}  // namespace

Operand check_expr(Context &cx, const ast::Expr &expr) { return std::visit(Dispatch{cx, expr.span}, expr.node); }

Operand check_value(Context &cx, const ast::Expr &expr) {
  const Operand operand = check_expr(cx, expr);
  if (!require_static(cx, operand)) return {};
  if (operand.kind == Operand::Kind::kAggregation) {
    return cx.fail(Tag::D_OP_DYN, expr.span, "aggregation @{} may not be used as a value", operand.name);
  }
  return operand;
}

}  // namespace dtrace::check
