// SPDX-License-Identifier: Apache-2.0
// Assignment, compound assignment, ++ and --: what stores, and what brings variables into being. A new variable takes
// the type of its first value, but is never narrower than 64 bits; `op=` and ++ on a new one make an int64_t.
#include "frontend/check/check_call.h"
#include "frontend/check/check_convert.h"
#include "frontend/check/check_expr.h"
#include "frontend/check/check_keys.h"
#include "frontend/check/check_names.h"
#include "frontend/check/fold.h"
#include "frontend/types/types_compat.h"

namespace dtrace::check {
namespace {

using ast::Storage;

/// A target that may name a variable not known yet.
struct Target {
  Storage scope = Storage::kNone;
  std::string_view name;
  const ast::Index *index = nullptr;  ///< x[...]
  Span span;
};

/// The target's form, if it is one that can create a variable.
std::optional<Target> creatable(const ast::Expr &expr) {
  const ast::Expr *named = &expr;
  Target target;
  target.span = expr.span;
  if (const auto *index = std::get_if<ast::Index>(&expr.node)) {
    target.index = index;
    named = index->base;
  }
  if (const auto *ident = std::get_if<ast::Ident>(&named->node)) {
    target.name = ident->name;
  } else if (const auto *scoped = std::get_if<ast::ScopedIdent>(&named->node)) {
    target.scope = scoped->scope;
    target.name = scoped->name;
  } else {
    return std::nullopt;
  }
  return target;
}

bool is_unknown(Context &cx, const Target &target) {
  if (target.scope == Storage::kThis && target.index != nullptr) return false;  // D_ARR_LOCAL
  if (target.scope != Storage::kNone) return !find_variable(cx, target.scope, target.name);
  if (find_binding(cx, target.name) != nullptr || target.name.find('`') != std::string_view::npos) return false;
  if (find_builtin_variable(cx, target.name) || find_builtin(target.name)) return false;
  return find_defined(cx, target.name) == nullptr;
}

bool is_aggregation(const ast::Expr &expr) {
  if (std::holds_alternative<ast::AggRef>(expr.node)) return true;
  const auto *index = std::get_if<ast::Index>(&expr.node);
  return index != nullptr && is_aggregation(*index->base);
}

/// Creates the variable, or its array, with values of type `type`, and returns it as an lvalue.
Operand create(Context &cx, const Target &target, TypeId type) {
  if (target.index == nullptr) {
    const std::optional<tree::VarId> var = create_variable(cx, target.scope, target.name, type, {}, target.span);
    return var ? variable_place(cx, *var, target.span) : Operand{};
  }
  const std::vector<Operand> keys = check_all(cx, target.index->keys);
  std::optional<std::vector<TypeId>> signature = signature_of(cx, keys, false);
  if (!signature) return {};
  const std::optional<tree::VarId> var =
      create_variable(cx, target.scope, target.name, type, std::move(*signature), target.span);
  if (!var) return {};
  return element_place(cx, *var, keys, spelling(target.scope, target.name), target.span);
}

/// Type of a variable whose first value is `value`; it holds integers of 64 bits, whatever that value is. Poison: it
/// cannot have one. Errors: D_OP_ARRFUN, D_OP_INCOMPAT.
TypeId inferred_type(Context &cx, const Operand &value, Span span) {
  if (cx.types.is_string(value.type)) return cx.types.string_type();
  const TypeKind kind = cx.types.resolved(value.type).kind;
  if (kind == TypeKind::kArray || kind == TypeKind::kFunction) {
    cx.diags.report(Tag::D_OP_ARRFUN, span, "operator = may not be applied to operand of type \"{}\"",
                    cx.type_name(value.type));
    if (cx.types.is_char_array(value.type))
      cx.diags.suggest(fmt::format("stringof({})", cx.input.sources.text(value.span)));
    return kPoison;
  }
  if (!cx.types.is_complete(value.type)) {
    cx.diags.report(Tag::D_OP_INCOMPAT, span, "cannot assign a value of type \"{}\" to a new variable",
                    cx.type_name(value.type));
    return kPoison;
  }
  return cx.types.held(unqualified(cx.types, value.type));
}

/// D_OP_LVAL, D_OP_WRITE.
bool require_writable(Context &cx, const Operand &place, std::string_view op, Span span) {
  if (place.kind == Operand::Kind::kTranslated || place.kind == Operand::Kind::kAction)
    return require_static(cx, place);
  if (!place.lvalue) {
    cx.diags.report(Tag::D_OP_LVAL, span, "operator {} requires modifiable lvalue as an operand", op);
    return false;
  }
  if (!place.writable) {
    cx.diags.report(Tag::D_OP_WRITE, span, "operator {} can only be applied to a writable variable", op);
    if (op == "=") cx.diags.advise("== compares");
    return false;
  }
  return true;
}

tree::VarId *variable_of(tree::Expr &expr) {
  if (auto *ref = std::get_if<tree::VarRef>(&expr.node)) return &ref->var;
  if (auto *ref = std::get_if<tree::ElemRef>(&expr.node)) return &ref->var;
  return nullptr;
}

/// A pointer variable that is given a scratch pointer holds scratch pointers from then on: its type is changed, and the
/// clauses are checked once more, as some may have used it before.
Operand note_scratch(Context &cx, Operand place, const Operand &value) {
  if (!is_pointer(cx, place) || space_of(cx.types, place.type) != Space::kKernel) return place;
  const bool is_text = cx.types.is_string(value.type);
  if (!is_text && space_of(cx.types, decayed(cx, value).type) != Space::kScratch) return place;
  tree::Expr copy = *place.expr;
  const tree::VarId *var = variable_of(copy);
  if (var == nullptr) return place;
  tree::VariableInfo &info = cx.session.unit.variables[var->value];
  info.type = with_space(cx.types, info.type, Space::kScratch);
  cx.variables_retyped = true;
  place.type = info.type;
  place.expr = cx.make(info.type, place.span, std::move(copy.node));
  return place;
}

/// Storing 0 frees a thread-local or an element, whatever its type, and empties a stack.
bool is_deletion(Context &cx, const Operand &place, const Operand &value) {
  if (!is_zero(cx, value)) return false;
  if (cx.types.resolved(place.type).kind == TypeKind::kStack) return true;
  if (std::holds_alternative<tree::ElemRef>(place.expr->node)) return true;
  const auto *ref = std::get_if<tree::VarRef>(&place.expr->node);
  return ref != nullptr && cx.session.unit.variables[ref->var.value].scope == Scope::kThread;
}

Operand store(Context &cx, Operand place, const Operand &value, Span span, Span op_span) {
  if (place.poison() || !require_writable(cx, place, "=", span)) return {};
  const TypeKind kind = cx.types.resolved(place.type).kind;
  if (is_deletion(cx, place, value) && !cx.types.is_scalar(place.type)) {
    return cx.value(place.type, span, tree::Assign{place.expr, cx.make(place.type, value.span, tree::IntConst{0})});
  }
  if (kind == TypeKind::kArray || kind == TypeKind::kFunction) {
    return cx.fail(Tag::D_OP_ARRFUN, op_span, "operator = may not be applied to operand of type \"{}\"",
                   cx.type_name(place.type));
  }
  if (!passes(cx, value, place.type)) {
    return cx.fail(Tag::D_OP_INCOMPAT, op_span, "operands have incompatible types: \"{}\" = \"{}\"",
                   cx.type_name(place.type), cx.describe(value));
  }
  place = note_scratch(cx, place, value);
  return cx.value(place.type, span, tree::Assign{place.expr, convert(cx, value, place.type)});
}

Operand check_simple(Context &cx, const ast::Assign &assign, Span span) {
  Operand value = check_expr(cx, *assign.value);
  if (value.poison() || !require_static(cx, value)) return {};
  if (value.kind == Operand::Kind::kAggregation) {
    return cx.fail(Tag::D_OP_DYN, value.span, "aggregation @{} may not be used as a value", value.name);
  }
  const std::optional<Target> target = creatable(*assign.target);
  if (target && is_unknown(cx, *target)) {
    const TypeId type = inferred_type(cx, value, assign.op_span);
    if (!type) return {};
    return store(cx, create(cx, *target, type), value, span, assign.op_span);
  }
  return store(cx, check_expr(cx, *assign.target), value, span, assign.op_span);
}

/// The lvalue that `op=`, ++ or -- changes.
Operand modified_place(Context &cx, const ast::Expr &expr) {
  const std::optional<Target> target = creatable(expr);
  if (target && is_unknown(cx, *target)) return create(cx, *target, parse_type_text("int64_t", cx.types));
  return check_expr(cx, expr);
}

bool takes_arithmetic(BinaryOp op) { return op == BinaryOp::kMul || op == BinaryOp::kDiv; }

Operand check_compound(Context &cx, const ast::Assign &assign, Span span) {
  const BinaryOp op = *assign.op;
  const std::string text = std::string(spelling(op)) + '=';
  const Operand value = check_expr(cx, *assign.value);
  if (value.poison() || !require_static(cx, value)) return {};
  const Operand place = modified_place(cx, *assign.target);
  if (place.poison() || !require_static(cx, place)) return {};

  const bool additive = op == BinaryOp::kAdd || op == BinaryOp::kSub;
  if (additive && is_pointer(cx, place) && is_integer(cx, value)) {
    if (!require_writable(cx, place, text, span)) return {};
    const tree::Expr *bytes = scaled(cx, value, place.type, assign.op_span, text);
    if (bytes == nullptr) return {};
    return cx.value(place.type, span, tree::CompoundAssign{op, place.expr, bytes, place.type});
  }
  // Only of a variable, which has no keys to be evaluated twice.
  if (op == BinaryOp::kAdd && joins(cx, place, value) && std::holds_alternative<tree::VarRef>(place.expr->node))
    return store(cx, place, join(cx, place, value, span), span, assign.op_span);
  for (const Operand *side : {&place, &value}) {
    if (is_integer(cx, *side)) continue;
    if (additive) {
      return cx.fail(Tag::D_OP_INCOMPAT, assign.op_span, "operands have incompatible types: \"{}\" {} \"{}\"",
                     cx.describe(place), text, cx.describe(value));
    }
    const bool arith = takes_arithmetic(op);
    return cx.fail(arith ? Tag::D_OP_ARITH : Tag::D_OP_INT, side->span,
                   "operator {} requires operands of {} type, not \"{}\"", text, arith ? "arithmetic" : "integral",
                   cx.describe(*side));
  }
  if (!require_writable(cx, place, text, span)) return {};
  const bool divides = op == BinaryOp::kDiv || op == BinaryOp::kMod;
  if (divides && narrowed_constant(cx, value) == 0) {
    return cx.fail(Tag::D_DIV_ZERO, value.span, "expression contains division by zero");
  }
  const bool shifts = op == BinaryOp::kShl || op == BinaryOp::kShr;
  const TypeId type =
      shifts ? arithmetic_type(cx.types, place.type) : arithmetic_type(cx.types, place.type, value.type);
  const tree::Expr *operand = shifts ? settled(cx, value) : as_operand(cx, value, type);
  return cx.value(place.type, span, tree::CompoundAssign{op, place.expr, operand, type});
}

}  // namespace

namespace {

/// A variable that would have been made is not reported as unknown later.
void note_failure(Context &cx, const Operand &result, const ast::Expr &place) {
  if (!result.poison()) return;
  const std::optional<Target> target = creatable(place);
  if (target && is_unknown(cx, *target)) cx.failed_names.insert(spelling(target->scope, target->name));
}

}  // namespace

Operand check_assign(Context &cx, const ast::Assign &assign, Span span) {
  if (is_aggregation(*assign.target)) {
    // A statement of its own is taken by check_clause.cpp; this is one within an expression.
    return cx.fail(Tag::D_AGG_FUNC, span, "an aggregation must be assigned in its own statement: @a = function( )");
  }
  Operand result = assign.op ? check_compound(cx, assign, span) : check_simple(cx, assign, span);
  note_failure(cx, result, *assign.target);
  return result;
}

Operand check_operand(Context &cx, const ast::Expr &expr) {
  const std::optional<Target> target = creatable(expr);
  const bool is_unassigned = target && is_unknown(cx, *target) && !cx.has_failed(spelling(target->scope, target->name));
  if (!is_unassigned || (cx.are_assignments_known && target->scope == Storage::kNone && target->index == nullptr))
    return check_expr(cx, expr);
  const TypeId type = parse_type_text("int64_t", cx.types);
  if (cx.are_assignments_known) return create(cx, *target, type);
  cx.has_awaited_variables = true;
  const tree::Expr *zero = cx.make(type, expr.span, tree::IntConst{0});
  return cx.value(type, expr.span, tree::Unary{UnaryOp::kComplement, zero});  // of any value: another pass follows
}

Operand check_increment(Context &cx, const ast::Unary &unary, Span span) {
  const bool increments = unary.op == UnaryOp::kPreInc || unary.op == UnaryOp::kPostInc;
  const bool postfix = unary.op == UnaryOp::kPostInc || unary.op == UnaryOp::kPostDec;
  const std::string_view text = increments ? "++" : "--";
  const Operand place = modified_place(cx, *unary.operand);
  if (place.poison() || !require_static(cx, place)) return {};
  if (!is_scalar(cx, place)) {
    Operand result = cx.fail(Tag::D_OP_SCALAR, span, "operator {} requires an operand of scalar type, not \"{}\"", text,
                             cx.describe(place));
    if (place.kind == Operand::Kind::kAggregation)
      cx.diags.suggest(
          fmt::format("{} = {}", cx.input.sources.text(unary.operand->span), increments ? "count()" : "sum(-1)"));
    return result;
  }
  int64_t delta = 1;
  if (is_pointer(cx, place)) {
    const std::optional<uint64_t> step = pointer_step(cx.types, place.type);
    if (!step) {
      return cx.fail(Tag::D_OP_VFPTR, span, "operator {} requires an operand of known size, not \"{}\"", text,
                     cx.type_name(place.type));
    }
    delta = static_cast<int64_t>(*step);
  }
  if (!require_writable(cx, place, text, span)) return {};
  return cx.value(place.type, span, tree::IncDec{place.expr, increments ? delta : -delta, postfix});
}

}  // namespace dtrace::check
