// SPDX-License-Identifier: Apache-2.0
// Conversions. A conversion between integers of equal size and sign makes no node: the code generator looks at size and
// sign only, and the tree stays small.
#include "frontend/check/check_convert.h"

#include <algorithm>
#include <cassert>

#include "frontend/check/fold.h"
#include "frontend/types/types_compat.h"

namespace dtrace::check {
namespace {

constexpr uint64_t kWordBytes = 8;

const tree::IntConst *int_const(const Operand &operand) {
  return operand.is_value() ? std::get_if<tree::IntConst>(&operand.expr->node) : nullptr;
}

uint64_t narrow_to(const TypeTable &types, uint64_t value, TypeId type) {
  const Type &t = types.resolved(types.complete(type));
  if (t.is_bool) return value != 0;
  if (t.kind == TypeKind::kPointer || t.size_bytes == 0) return value;
  return narrow(value, t.size_bytes, t.is_signed);
}

/// Same size, sign and truth: a conversion would change no bit.
bool same_representation(const TypeTable &types, TypeId a, TypeId b) {
  const Type &x = types.resolved(types.complete(a));
  const Type &y = types.resolved(types.complete(b));
  const bool both_integers = types.is_integer(a) && types.is_integer(b);
  return both_integers && x.size_bytes == y.size_bytes && x.is_signed == y.is_signed && x.is_bool == y.is_bool;
}

/// Is the value surely one of integer type `to`, of which the expression's own type is a namesake?
bool stays_within(const TypeTable &types, const tree::Expr &expr, TypeId to) {
  if (!types.is_integer(to) || types.size_bytes(to) >= kWordBytes) return true;
  if (!same_representation(types, expr.type, to)) {
    const bool is_narrower = types.is_integer(expr.type) && types.size_bytes(expr.type) < types.size_bytes(to);
    if (!is_narrower || (types.is_signed(expr.type) && !types.is_signed(to))) return false;
    to = expr.type;
  }
  if (const auto *number = std::get_if<tree::IntConst>(&expr.node)) {
    return narrow_to(types, number->value, to) == number->value;
  }
  if (const auto *binary = std::get_if<tree::Binary>(&expr.node)) return wraps(types, to) || is_comparison(binary->op);
  if (const auto *unary = std::get_if<tree::Unary>(&expr.node)) {
    return wraps(types, to) || unary->op == UnaryOp::kNot;
  }
  if (const auto *comma = std::get_if<tree::Comma>(&expr.node)) return stays_within(types, *comma->rhs, to);
  if (const auto *chosen = std::get_if<tree::Conditional>(&expr.node)) {
    return wraps(types, to) ||
           (stays_within(types, *chosen->then_value, to) && stays_within(types, *chosen->else_value, to));
  }
  return true;
}

bool is_function(const Context &cx, const Operand &operand) {
  return operand.is_value() && cx.types.resolved(operand.type).kind == TypeKind::kFunction;
}

}  // namespace

bool is_integer(const Context &cx, const Operand &operand) {
  return operand.is_value() && cx.types.is_integer(operand.type);
}
bool is_pointer(const Context &cx, const Operand &operand) {
  return operand.is_value() && cx.types.is_pointer(operand.type);
}
bool is_scalar(const Context &cx, const Operand &operand) { return is_integer(cx, operand) || is_pointer(cx, operand); }
bool is_string_like(const Context &cx, const Operand &operand) {
  return operand.is_value() && cx.types.is_string_like(operand.type);
}
bool is_array(const Context &cx, const Operand &operand) {
  return operand.is_value() && cx.types.is_array(operand.type);
}
bool is_void(const Context &cx, const Operand &operand) {
  return operand.kind == Operand::Kind::kAction || (operand.is_value() && cx.types.is_void(operand.type));
}
bool is_bitfield(const Operand &operand) {
  const auto *member = operand.is_value() ? std::get_if<tree::Member>(&operand.expr->node) : nullptr;
  return member != nullptr && member->bits != 0 && operand.lvalue;
}

std::optional<uint64_t> constant_of(const Context &cx, const Operand &operand) {
  const tree::IntConst *number = int_const(operand);
  if (number == nullptr || !cx.types.is_integer(operand.type)) return std::nullopt;
  return number->value;
}

std::optional<int64_t> narrowed_constant(const Context &cx, const Operand &operand) {
  const std::optional<uint64_t> value = constant_of(cx, operand);
  if (!value) return std::nullopt;
  return static_cast<int64_t>(narrow_to(cx.types, *value, operand.type));
}

bool is_zero(const Context &cx, const Operand &operand) {
  const tree::IntConst *number = int_const(operand);
  if (number == nullptr || number->value != 0) return false;
  // A 0 that was cast to a pointer to something is a pointer to that.
  const std::optional<TypeId> target = pointee(cx.types, operand.type);
  return cx.types.is_integer(operand.type) || (is_pointer(cx, operand) && cx.types.is_void(*target));
}

bool require_static(Context &cx, const Operand &operand) {
  switch (operand.kind) {
    case Operand::Kind::kPoison:
      return false;
    case Operand::Kind::kTranslated:
      cx.diags.report(Tag::D_CG_DYN, operand.span, "expression cannot evaluate to a translated {}: {}",
                      cx.types.is_pointer(operand.type) ? "pointer" : "value", cx.type_name(operand.type));
      return false;
    case Operand::Kind::kAction:
      cx.diags.report(Tag::D_CG_EXPR, operand.span,
                      "{}( ) may not be called from a D expression (D program context required)", operand.name);
      return false;
    case Operand::Kind::kUntypedSymbol:
      cx.diags.report(Tag::D_SYM_NOTYPES, operand.span,
                      "no type information for symbol {0}: cast its address to its type, *(int *)&{0}, or declare it, "
                      "extern int {1};",
                      operand.name, std::string_view(operand.name).substr(operand.name.rfind('`') + 1));
      return false;
    case Operand::Kind::kValue:
      // sym() and its like exist only as text that the consumer makes.
      if (std::holds_alternative<tree::SymbolValue>(operand.expr->node)) {
        const std::string_view name = row(std::get<tree::SymbolValue>(operand.expr->node).kind).name;
        cx.diags.report(Tag::D_CG_EXPR, operand.span,
                        "{}( ) may not be called from a D expression (D program context required)", name);
        return false;
      }
      return true;
    case Operand::Kind::kAggregation:
      return true;
  }
  return false;
}

const tree::Expr *settled(Context &cx, const Operand &operand) {
  assert(operand.is_value());
  if (stays_within(cx.types, *operand.expr, operand.type)) return operand.expr;
  return to_scalar(cx, operand, operand.type);
}

const tree::Expr *condition_of(Context &cx, const Operand &operand) {
  assert(operand.is_value());
  const tree::IntConst *number = int_const(operand);
  if (number == nullptr || stays_within(cx.types, *operand.expr, operand.type)) return operand.expr;
  return cx.make(cx.types.int_type(), operand.span, tree::IntConst{number->value != 0});
}

std::optional<uint64_t> constant_as(const Context &cx, const Operand &operand, TypeId type) {
  const std::optional<uint64_t> value = constant_of(cx, operand);
  if (!value || !wraps(cx.types, type)) return value;
  return narrow_to(cx.types, *value, type);
}

const tree::Expr *as_operand(Context &cx, const Operand &operand, TypeId type) {
  if (wraps(cx.types, type) || cx.types.size_bytes(type) >= kWordBytes) return to_scalar(cx, operand, type);
  if (const std::optional<uint64_t> number = constant_of(cx, operand)) {
    // The node of a constant has the type that the value fits.
    const TypeId wide = cx.types.long_type();
    return cx.make(narrow_to(cx.types, *number, type) == *number ? type : wide, operand.span, tree::IntConst{*number});
  }
  return operand.expr;
}

Operand decayed(Context &cx, const Operand &operand) {
  if (is_function(cx, operand)) {
    Operand address = cx.value(cx.types.pointer_to(operand.type), operand.span, tree::AddressOf{operand.expr});
    address.foreign = operand.foreign;
    return address;
  }
  if (!is_array(cx, operand)) return operand;
  const Space space = operand.in_variable ? Space::kScratch : operand.space;
  const TypeId type = cx.types.pointer_to(cx.types.resolved(operand.type).target, space);
  Operand result = cx.value(type, operand.span, tree::Convert{tree::ConvertKind::kDecay, operand.expr});
  result.foreign = operand.foreign;
  return result;
}

const tree::Expr *to_scalar(Context &cx, const Operand &operand, TypeId to) {
  if (const tree::IntConst *number = int_const(operand); number != nullptr && !cx.types.is_string(operand.type)) {
    const uint64_t value = narrow_to(cx.types, number->value, to);
    if (value == number->value && operand.type == to) return operand.expr;
    return cx.make(to, operand.span, tree::IntConst{value});
  }
  // An enum of the same size and sign is another type nevertheless: its values have names.
  const bool names_values = cx.types.resolved(to).kind == TypeKind::kEnum;
  const bool is_same = operand.type == to || (same_representation(cx.types, operand.type, to) && !names_values);
  if (is_same && stays_within(cx.types, *operand.expr, operand.type)) return operand.expr;
  return cx.make(to, operand.span, tree::Convert{tree::ConvertKind::kInteger, operand.expr});
}

TypeId string_type(TypeTable &types, uint64_t bytes) { return types.string_of(std::min(bytes, types.strsize())); }

const tree::Expr *to_string(Context &cx, const Operand &operand) {
  if (cx.types.is_string(operand.type)) return operand.expr;
  if (is_zero(cx, operand)) return cx.make(cx.types.string_type(), operand.span, tree::IntConst{0});
  TypeId type = cx.types.string_type();
  if (is_array(cx, operand)) {
    const uint64_t count = cx.types.resolved(operand.type).count;
    if (count != 0) type = string_type(cx.types, count + 1);
  }
  return cx.make(type, operand.span, tree::Convert{tree::ConvertKind::kToString, operand.expr});
}

Operand string_address(Context &cx, const Operand &operand) {
  const TypeId type = cx.types.pointer_to(cx.types.char_type(), Space::kScratch);
  return cx.value(type, operand.span, tree::Convert{tree::ConvertKind::kStringAddress, operand.expr});
}

bool passes(const Context &cx, const Operand &operand, TypeId to) {
  if (!operand.is_value()) return false;
  if (can_pass(cx.types, to, operand.type, is_zero(cx, operand))) return true;
  if (cx.types.is_string(to) && is_zero(cx, operand)) return true;
  // A string converts to `void *`: the address of its bytes.
  const bool wants_bytes = cx.types.is_pointer(to) && cx.types.is_void(*pointee(cx.types, to));
  return wants_bytes && cx.types.is_string(operand.type);
}

const tree::Expr *convert(Context &cx, const Operand &operand, TypeId to) {
  const TypeTable &types = cx.types;
  if (types.is_string(to)) return to_string(cx, operand);
  if (types.is_integer(to)) return to_scalar(cx, operand, to);
  if (types.is_pointer(to)) {
    if (is_zero(cx, operand)) return to_scalar(cx, operand, to);
    Operand pointer = types.is_string(operand.type) ? string_address(cx, operand) : decayed(cx, operand);
    return to_scalar(cx, pointer, with_space(cx.types, to, space_of(types, pointer.type)));
  }
  if (types.is_void(to)) return cx.make(to, operand.span, tree::Convert{tree::ConvertKind::kVoid, operand.expr});
  return settled(cx, operand);
}

Space space_of(const TypeTable &types, TypeId pointer) {
  if (types.is_userland(pointer)) return Space::kUser;
  const Type &type = types.resolved(pointer);
  return type.kind == TypeKind::kPointer ? type.space : Space::kKernel;
}

TypeId with_space(TypeTable &types, TypeId type, Space space) {
  if (space_of(types, type) == space || !types.is_pointer(type)) return type;
  return types.pointer_to(types.resolved(type).target, space);
}

TypeId loaded_from(TypeTable &types, TypeId type, Space space) {
  if (space != Space::kUser) return type;
  return with_space(types, type, Space::kUser);
}

}  // namespace dtrace::check
