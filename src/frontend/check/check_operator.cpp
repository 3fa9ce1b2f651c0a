// SPDX-License-Identifier: Apache-2.0
// Unary and binary operators, ?: and the comma. Operands convert to the type the operation is done in; D does not
// promote small integers to int.
#include <algorithm>

#include "frontend/check/check_call.h"
#include "frontend/check/check_convert.h"
#include "frontend/check/check_expr.h"
#include "frontend/check/check_names.h"
#include "frontend/check/fold.h"
#include "frontend/types/types_compat.h"

namespace dtrace::check {
namespace {

enum class OpClass : uint8_t { kArithmetic, kInteger, kShift, kAdditive, kComparison, kLogical };

OpClass class_of(BinaryOp op) {
  using enum BinaryOp;
  switch (op) {
    case kMul:
    case kDiv:
      return OpClass::kArithmetic;
    case kMod:
    case kAnd:
    case kXor:
    case kOr:
      return OpClass::kInteger;
    case kShl:
    case kShr:
      return OpClass::kShift;
    case kAdd:
    case kSub:
      return OpClass::kAdditive;
    case kLogAnd:
    case kLogXor:
    case kLogOr:
      return OpClass::kLogical;
    default:
      return OpClass::kComparison;
  }
}

bool is_equality(BinaryOp op) { return op == BinaryOp::kEq || op == BinaryOp::kNe; }

Operand incompatible(Context &cx, const Operand &lhs, std::string_view op, const Operand &rhs, Span span) {
  return cx.fail(Tag::D_OP_INCOMPAT, span, "operands have incompatible types: \"{}\" {} \"{}\"", cx.describe(lhs), op,
                 cx.describe(rhs));
}

/// "\"cat\" is a string: write execname == \"cat\"", after the last error.
void advise_quotes(Context &cx, const ast::Binary &binary, std::string_view text) {
  const Sources &sources = cx.input.sources;
  cx.diags.advise(fmt::format("\"{}\" is a string: write {} {} \"{}\"", text, sources.text(binary.lhs->span),
                              spelling(binary.op), text));
}

/// A folded constant of `type`.
Operand folded(Context &cx, TypeId type, Span span, uint64_t value) {
  return cx.integer(type, span, wraps(cx.types, type) ? narrow(value, cx.types.size_bytes(type), false) : value);
}

Operand arithmetic(Context &cx, BinaryOp op, const Operand &lhs, const Operand &rhs, TypeId type, Span span) {
  const std::optional<uint64_t> a = constant_as(cx, lhs, type);
  const std::optional<uint64_t> b = constant_as(cx, rhs, type);
  const bool divides = op == BinaryOp::kDiv || op == BinaryOp::kMod;
  if (divides && b == 0) return cx.fail(Tag::D_DIV_ZERO, rhs.span, "expression contains division by zero");
  if (a && b) return folded(cx, type, span, *fold(op, *a, *b, computes_signed(cx.types, type)));
  return cx.value(type, span, tree::Binary{op, as_operand(cx, lhs, type), as_operand(cx, rhs, type)});
}

Operand shift(Context &cx, BinaryOp op, const Operand &lhs, const Operand &rhs, Span span) {
  const TypeId type = arithmetic_type(cx.types, lhs.type);
  const std::optional<uint64_t> a = constant_as(cx, lhs, type);
  const std::optional<uint64_t> b = constant_of(cx, rhs);
  if (a && b) return folded(cx, type, span, *fold(op, *a, *b, computes_signed(cx.types, type)));
  return cx.value(type, span, tree::Binary{op, as_operand(cx, lhs, type), settled(cx, rhs)});
}

Operand pointer_difference(Context &cx, const Operand &lhs, const Operand &rhs, Span span) {
  const std::optional<uint64_t> step = pointer_step(cx.types, lhs.type);
  if (!step || *step == 0) {
    return cx.fail(Tag::D_OP_VFPTR, span, "operator - requires pointers to types of known size, not \"{}\"",
                   cx.type_name(lhs.type));
  }
  const TypeId type = parse_type_text("ptrdiff_t", cx.types);
  const tree::Expr *bytes = cx.make(
      type, span,
      tree::Binary{BinaryOp::kSub, to_scalar(cx, decayed(cx, lhs), type), to_scalar(cx, decayed(cx, rhs), type)});
  if (*step == 1) return cx.value(bytes);
  return cx.value(type, span, tree::Binary{BinaryOp::kDiv, bytes, cx.make(type, span, tree::IntConst{*step})});
}

/// Strings take part in pointer arithmetic by their address.
Operand address_like(Context &cx, const Operand &operand) {
  if (operand.is_value() && cx.types.is_string(operand.type)) return string_address(cx, operand);
  return decayed(cx, operand);
}

/// A pointer, array or string, which an integer can be added to; void and functions have no neighbours.
bool is_address(const Context &cx, const Operand &operand) {
  const std::optional<TypeId> target = operand.is_value() ? pointee(cx.types, operand.type) : std::nullopt;
  if (!target) return false;
  const TypeKind kind = cx.types.resolved(*target).kind;
  return kind != TypeKind::kVoid && kind != TypeKind::kFunction;
}

Operand additive(Context &cx, BinaryOp op, const Operand &lhs, const Operand &rhs, Span span) {
  if (is_integer(cx, lhs) && is_integer(cx, rhs)) {
    return arithmetic(cx, op, lhs, rhs, arithmetic_type(cx.types, lhs.type, rhs.type), span);
  }
  const bool subtracts = op == BinaryOp::kSub;
  if (is_address(cx, lhs) && is_integer(cx, rhs)) {
    return offset_pointer(cx, address_like(cx, lhs), rhs, subtracts, span);
  }
  if (!subtracts && is_integer(cx, lhs) && is_address(cx, rhs)) {
    return offset_pointer(cx, address_like(cx, rhs), lhs, false, span);
  }
  const bool fits = is_address(cx, lhs) && is_address(cx, rhs) && !cx.types.is_string(lhs.type) &&
                    !cx.types.is_string(rhs.type) && pointers_fit(cx.types, lhs.type, rhs.type) == PointerFit::kFits;
  if (subtracts && fits) return pointer_difference(cx, lhs, rhs, span);
  return incompatible(cx, lhs, spelling(op), rhs, span);
}

/// Both sides as pointers of one type; a constant 0 takes the other's.
Operand compare_pointers(Context &cx, BinaryOp op, const Operand &lhs, const Operand &rhs, Span span) {
  const Operand a = is_zero(cx, lhs) ? lhs : decayed(cx, lhs);
  const Operand b = is_zero(cx, rhs) ? rhs : decayed(cx, rhs);
  const TypeId type = is_zero(cx, lhs) ? b.type : a.type;
  return cx.value(cx.types.int_type(), span, tree::Binary{op, to_scalar(cx, a, type), to_scalar(cx, b, type)});
}

/// What is compared with NULL in place of a string: the number that it was converted from, which is where it would be
/// read.
const tree::Expr *asked_for_null(const Context &cx, const tree::Expr *text) {
  const auto *convert = std::get_if<tree::Convert>(&text->node);
  if (convert == nullptr || convert->kind != tree::ConvertKind::kToString) return text;
  const TypeId from = convert->operand->type;
  return cx.types.is_string(from) || cx.types.is_array(from) ? text : convert->operand;
}

Operand compare(Context &cx, BinaryOp op, const Operand &lhs, const Operand &rhs, Span span) {
  const TypeId result = cx.types.int_type();
  if (is_integer(cx, lhs) && is_integer(cx, rhs)) {
    const TypeId type = arithmetic_type(cx.types, lhs.type, rhs.type);
    const std::optional<uint64_t> a = constant_as(cx, lhs, type);
    const std::optional<uint64_t> b = constant_as(cx, rhs, type);
    if (a && b) return cx.integer(result, span, *fold(op, *a, *b, computes_signed(cx.types, type)));
    return cx.value(result, span, tree::Binary{op, as_operand(cx, lhs, type), as_operand(cx, rhs, type)});
  }
  const bool values = lhs.is_value() && rhs.is_value();
  if (values && compares_as_text(cx.types, lhs.type, rhs.type)) {
    return cx.value(result, span, tree::StringCompare{op, to_string(cx, lhs), to_string(cx, rhs)});
  }
  // `s == NULL` asks whether there is a string at all.
  const bool left_text = values && cx.types.is_string(lhs.type) && is_zero(cx, rhs);
  const bool right_text = values && cx.types.is_string(rhs.type) && is_zero(cx, lhs);
  if (is_equality(op) && (left_text || right_text)) {
    const tree::Expr *null =
        cx.make(cx.types.pointer_to(cx.types.void_type()), (left_text ? rhs : lhs).span, tree::IntConst{0});
    const tree::Expr *text = asked_for_null(cx, (left_text ? lhs : rhs).expr);
    return cx.value(result, span, tree::Binary{op, text, null});
  }
  const bool fits = values && !left_text && !right_text &&
                    can_compare(cx.types, lhs.type, rhs.type, is_zero(cx, lhs), is_zero(cx, rhs));
  if (!fits) return incompatible(cx, lhs, spelling(op), rhs, span);
  return compare_pointers(cx, op, lhs, rhs, span);
}

Operand logical(Context &cx, BinaryOp op, const Operand &lhs, const Operand &rhs, Span span) {
  for (const Operand *side : {&lhs, &rhs}) {
    if (is_scalar(cx, *side)) continue;
    return cx.fail(Tag::D_OP_SCALAR, side->span, "operator {} requires operands of scalar type, not \"{}\"",
                   spelling(op), cx.describe(*side));
  }
  const TypeId type = cx.types.int_type();
  const std::optional<uint64_t> a = constant_of(cx, lhs);
  const std::optional<uint64_t> b = constant_of(cx, rhs);
  if (op == BinaryOp::kLogAnd && a == 0) return cx.integer(type, span, 0);
  if (op == BinaryOp::kLogOr && a && *a != 0) return cx.integer(type, span, 1);
  if (a && b) return cx.integer(type, span, *fold(op, *a, *b, true));
  return cx.value(type, span, tree::Logical{op, condition_of(cx, lhs), condition_of(cx, rhs)});
}

/// In a comparison with an enum on the left, a plain name on the right is first sought in that enum.
Operand check_enumerator(Context &cx, const Operand &lhs, const ast::Expr &rhs) {
  const auto *ident = std::get_if<ast::Ident>(&rhs.node);
  if (ident == nullptr || !lhs.is_value() || find_binding(cx, ident->name) != nullptr) return check_expr(cx, rhs);
  const TypeId type = cx.types.resolve(cx.types.complete(lhs.type));
  if (cx.types[type].kind != TypeKind::kEnum) return check_expr(cx, rhs);
  const auto list = cx.types.enumerators(type);
  const auto found = std::find_if(list.begin(), list.end(), [&](const Enumerator &e) { return e.name == ident->name; });
  if (found == list.end()) return check_expr(cx, rhs);
  const auto global = cx.session.globals.find(std::string(ident->name));
  const bool is_global = global != cx.session.globals.end();
  const bool is_same = is_global && global->second.kind == Global::Kind::kConstant &&
                       cx.types.resolve(cx.session.constants[global->second.index].type) == type;
  if ((is_global && !is_same) || find_builtin_variable(cx, ident->name)) {
    return cx.fail(Tag::D_IDENT_AMBIG, rhs.span,
                   "ambiguous use of operator: {} is both an enumerator of {} and a global", ident->name,
                   cx.type_name(type));
  }
  return cx.integer(lhs.type, rhs.span, static_cast<uint64_t>(found->value));
}

/// `execname == cat`: the name of nothing, compared with a string.
void suggest_quotes(Context &cx, const ast::Binary &binary, const Operand &lhs, const Operand &rhs) {
  if (!rhs.poison() || !lhs.is_value() || !cx.types.is_string(lhs.type) || cx.diags.ok()) return;
  const auto *ident = std::get_if<ast::Ident>(&binary.rhs->node);
  Diagnostic &last = cx.diags.last();
  if (ident == nullptr || last.tag != Tag::D_IDENT_UNDEF || last.span != binary.rhs->span) return;
  last.notes.clear();
  advise_quotes(cx, binary, ident->name);
}

/// Whether argument `number` of the clause's probes is a number of up to 32 bits whose sign argN has: an int, or a file
/// descriptor, which the kernel's functions of system calls declare unsigned.
bool extends_sign(Context &cx, unsigned number) {
  constexpr uint64_t kIntBytes = 4;
  if (cx.clause == nullptr || cx.clause->probes == nullptr || cx.clause->probes->empty()) return false;
  return std::ranges::all_of(*cx.clause->probes, [&](ProbeId id) {
    const Result<std::vector<ProbeArg>> args = cx.input.probes.args(id, cx.types);
    if (!args) return false;
    const auto arg = std::ranges::find_if(
        *args, [&](const ProbeArg &a) { return a.source == number && a.place == ArgPlace::kWord; });
    if (arg == args->end() || !cx.types.is_integer(arg->native) || cx.types.size_bytes(arg->native) > kIntBytes)
      return false;
    return cx.types.is_signed(arg->native) ||
           (cx.input.probes.probe(id).provider == "syscall" && arg->name.ends_with("fd"));
  });
}

/// `arg0 == -1u`: warns that argN, an int, is extended with its sign to 64 bits, and never what it is compared with.
void warn_of_extension(Context &cx, const Operand &argument, const Operand &other) {
  const auto *builtin = argument.is_value() ? std::get_if<tree::BuiltinRef>(&argument.expr->node) : nullptr;
  if (builtin == nullptr || builtin->var < Variable::k_arg0 || builtin->var > Variable::k_arg9) return;
  const int64_t number = narrowed_constant(cx, other).value_or(0);
  if (number <= INT32_MAX || number > UINT32_MAX) return;
  const auto index = static_cast<unsigned>(builtin->var) - static_cast<unsigned>(Variable::k_arg0);
  if (!extends_sign(cx, index)) return;
  cx.diags.warn(Tag::D_OP_INT, other.span,
                "arg{0} is an int whose sign is extended to 64 bits, and never {1}: compare it with {2}, or write "
                "(uint_t)arg{0}",
                index, number, static_cast<int32_t>(number));
}

}  // namespace

const tree::Expr *scaled(Context &cx, const Operand &index, TypeId pointer, Span span, std::string_view op) {
  const std::optional<uint64_t> step = pointer_step(cx.types, pointer);
  if (!step) {
    cx.diags.report(Tag::D_OP_VFPTR, span, "operator {} requires an operand of known size, not \"{}\"", op,
                    cx.type_name(pointer));
    return nullptr;
  }
  const TypeId type = cx.types.long_type();
  if (const std::optional<uint64_t> constant = constant_of(cx, index)) {
    return cx.make(type, index.span, tree::IntConst{*constant * *step});
  }
  const tree::Expr *wide = to_scalar(cx, index, type);
  if (*step == 1) return wide;
  return cx.make(type, index.span,
                 tree::Binary{BinaryOp::kMul, wide, cx.make(type, index.span, tree::IntConst{*step})});
}

Operand offset_pointer(Context &cx, const Operand &pointer, const Operand &index, bool negative, Span span) {
  const tree::Expr *bytes = scaled(cx, index, pointer.type, span, negative ? "-" : "+");
  if (bytes == nullptr) return {};
  const BinaryOp op = negative ? BinaryOp::kSub : BinaryOp::kAdd;
  Operand result = cx.value(unqualified(cx.types, pointer.type), span, tree::Binary{op, pointer.expr, bytes});
  result.foreign = pointer.foreign;
  return result;
}

Operand check_unary(Context &cx, const ast::Unary &unary, Span span) {
  const UnaryOp op = unary.op;
  if (op == UnaryOp::kPreInc || op == UnaryOp::kPreDec || op == UnaryOp::kPostInc || op == UnaryOp::kPostDec) {
    return check_increment(cx, unary, span);
  }
  const bool is_of_value = op != UnaryOp::kDeref && op != UnaryOp::kAddressOf;
  const Operand operand = is_of_value ? check_operand(cx, *unary.operand) : check_expr(cx, *unary.operand);
  if (operand.poison()) return {};
  if (op == UnaryOp::kDeref) return check_deref(cx, operand, span);
  if (op == UnaryOp::kAddressOf) return check_address(cx, operand, span);
  if (!require_static(cx, operand)) return {};

  if (op == UnaryOp::kNot) {
    if (!is_scalar(cx, operand)) {
      return cx.fail(Tag::D_OP_SCALAR, span, "operator ! requires an operand of scalar type, not \"{}\"",
                     cx.describe(operand));
    }
    const TypeId type = cx.types.int_type();
    if (const std::optional<uint64_t> constant = constant_of(cx, operand)) {
      return cx.integer(type, span, fold(op, *constant));
    }
    return cx.value(type, span, tree::Unary{op, operand.expr});
  }
  if (!is_integer(cx, operand)) {
    const bool complement = op == UnaryOp::kComplement;
    return cx.fail(complement ? Tag::D_OP_INT : Tag::D_OP_ARITH, span,
                   "operator {} requires an operand of {} type, not \"{}\"", spelling(op),
                   complement ? "integral" : "arithmetic", cx.describe(operand));
  }
  const TypeId type = arithmetic_type(cx.types, operand.type);
  if (const std::optional<uint64_t> constant = constant_as(cx, operand, type)) {
    return folded(cx, type, span, fold(op, *constant));
  }
  if (op == UnaryOp::kPlus) return cx.value(as_operand(cx, operand, type));
  return cx.value(type, span, tree::Unary{op, as_operand(cx, operand, type)});
}

Operand check_binary(Context &cx, const ast::Binary &binary, Span span) {
  const BinaryOp op = binary.op;
  const OpClass kind = class_of(op);
  const Operand lhs = check_expr(cx, *binary.lhs);
  const Operand rhs =
      kind == OpClass::kComparison ? check_enumerator(cx, lhs, *binary.rhs) : check_expr(cx, *binary.rhs);
  if (kind == OpClass::kComparison) suggest_quotes(cx, binary, lhs, rhs);
  if (lhs.poison() || rhs.poison() || !require_static(cx, lhs) || !require_static(cx, rhs)) return {};
  if (kind == OpClass::kComparison) {
    warn_of_extension(cx, lhs, rhs);
    warn_of_extension(cx, rhs, lhs);
  }

  switch (kind) {
    case OpClass::kArithmetic:
    case OpClass::kInteger:
    case OpClass::kShift: {
      const bool arith = kind == OpClass::kArithmetic;
      for (const Operand *side : {&lhs, &rhs}) {
        if (is_integer(cx, *side)) continue;
        return cx.fail(arith ? Tag::D_OP_ARITH : Tag::D_OP_INT, side->span,
                       "operator {} requires operands of {} type, not \"{}\"", spelling(op),
                       arith ? "arithmetic" : "integral", cx.describe(*side));
      }
      if (kind == OpClass::kShift) return shift(cx, op, lhs, rhs, span);
      return arithmetic(cx, op, lhs, rhs, arithmetic_type(cx.types, lhs.type, rhs.type), span);
    }
    case OpClass::kAdditive: {
      if (op == BinaryOp::kAdd && joins(cx, lhs, rhs)) return join(cx, lhs, rhs, span);
      Operand result = additive(cx, op, lhs, rhs, span);
      const bool is_text = cx.types.is_string(lhs.type) || cx.types.is_string(rhs.type);
      if (result.poison() && op == BinaryOp::kAdd && is_text)
        cx.diags.suggest(fmt::format("strjoin({}, {})", cx.input.sources.text(binary.lhs->span),
                                     cx.input.sources.text(binary.rhs->span)));
      return result;
    }
    case OpClass::kComparison: {
      Operand result = compare(cx, op, lhs, rhs, span);
      const auto *literal = std::get_if<ast::IntLit>(&binary.rhs->node);
      const std::string_view text = cx.input.sources.text(binary.rhs->span);
      if (result.poison() && literal != nullptr && literal->character && text.size() > 2)
        advise_quotes(cx, binary, text.substr(1, text.size() - 2));
      return result;
    }
    case OpClass::kLogical:
      return logical(cx, op, lhs, rhs, span);
  }
  return {};
}

namespace {

/// Actions and dynamic values are not allowed in ?: and the comma.
bool reject_dynamic(Context &cx, const Operand &operand, std::string_view what) {
  if (operand.kind == Operand::Kind::kAction) {
    cx.diags.report(Tag::D_OP_ACT, operand.span, "{} cannot be actions: {}( )", what, operand.name);
    return true;
  }
  if (operand.kind == Operand::Kind::kTranslated || operand.kind == Operand::Kind::kAggregation) {
    cx.diags.report(Tag::D_OP_DYN, operand.span, "{} cannot be of dynamic type", what);
    return true;
  }
  return !require_static(cx, operand);
}

/// An arm of ?: that a constant condition excludes: its type counts if it has one, its errors do not.
Operand check_excluded(Context &cx, const ast::Expr &arm) {
  const size_t before = cx.diags.list().size();
  const Operand operand = check_expr(cx, arm);
  const bool is_value = cx.diags.list().size() == before && operand.is_value();
  cx.diags.truncate(before);
  return is_value ? operand : Operand{};
}

}  // namespace

Operand check_conditional(Context &cx, const ast::Conditional &conditional, Span span) {
  const Operand condition = check_expr(cx, *conditional.condition);
  const std::optional<uint64_t> known = constant_of(cx, condition);
  const auto check_arm = [&](const ast::Expr &arm, bool is_chosen) {
    return !known || is_chosen ? check_expr(cx, arm) : check_excluded(cx, arm);
  };
  const Operand then_value = check_arm(*conditional.then_value, known && *known != 0);
  const Operand else_value = check_arm(*conditional.else_value, known == 0);
  const auto chosen = [&]() -> Operand {
    const Operand &value = *known != 0 ? then_value : else_value;
    if (value.poison() || reject_dynamic(cx, value, "operator ?: operands")) return {};
    Operand result = cx.value(settled(cx, value));
    result.span = span;
    return result;
  };
  if (known && (*known != 0 ? else_value : then_value).poison()) return chosen();
  if (condition.poison() || then_value.poison() || else_value.poison()) return {};
  if (!require_static(cx, condition)) return {};
  if (!is_scalar(cx, condition)) {
    return cx.fail(Tag::D_OP_SCALAR, condition.span, "operator ?: condition must be of scalar type, not \"{}\"",
                   cx.describe(condition));
  }
  if (reject_dynamic(cx, then_value, "operator ?: operands") ||
      reject_dynamic(cx, else_value, "operator ?: operands")) {
    return {};
  }
  const bool then_zero = is_zero(cx, then_value);
  const bool else_zero = is_zero(cx, else_value);
  std::optional<TypeId> type = common_type(cx.types, then_value.type, else_value.type, then_zero, else_zero);
  if (!type && cx.types.is_string(then_value.type) && else_zero) type = then_value.type;
  if (!type && cx.types.is_string(else_value.type) && then_zero) type = else_value.type;
  if (!type) {
    return cx.fail(Tag::D_OP_INCOMPAT, span, "operator ?: operands must have compatible types: \"{}\" : \"{}\"",
                   cx.describe(then_value), cx.describe(else_value));
  }
  if (cx.types.is_array(*type)) type = decayed(cx, cx.types.is_array(then_value.type) ? then_value : else_value).type;
  if (cx.types.is_pointer(*type)) {  // one arm into scratch: decided at run time
    for (const Operand *arm : {&then_value, &else_value}) {
      if (space_of(cx.types, decayed(cx, *arm).type) == Space::kScratch) {
        type = with_space(cx.types, *type, Space::kScratch);
      }
    }
  }
  auto arm = [&](const Operand &value) {
    return cx.types.is_integer(*type) ? as_operand(cx, value, *type) : convert(cx, value, *type);
  };
  if (const std::optional<uint64_t> constant = constant_of(cx, condition)) {
    Operand result = cx.value(arm(*constant != 0 ? then_value : else_value));
    if (cx.types.is_integer(*type)) result.type = *type;
    result.span = span;
    return result;
  }
  const tree::Expr *a = arm(then_value);
  const tree::Expr *b = arm(else_value);
  return cx.value(*type, span, tree::Conditional{condition_of(cx, condition), a, b});
}

Operand check_comma(Context &cx, const ast::Comma &comma, Span span) {
  const Operand lhs = check_expr(cx, *comma.lhs);
  const Operand rhs = check_expr(cx, *comma.rhs);
  if (lhs.poison() || rhs.poison()) return {};
  if (reject_dynamic(cx, lhs, "operator , operands") || reject_dynamic(cx, rhs, "operator , operands")) return {};
  const tree::Expr *value = cx.types.is_integer(rhs.type) ? as_operand(cx, rhs, rhs.type) : settled(cx, rhs);
  Operand result = cx.value(rhs.type, span, tree::Comma{settled(cx, lhs), value});
  result.space = rhs.space;
  return result;
}

}  // namespace dtrace::check
