// SPDX-License-Identifier: Apache-2.0
#include "codegen/planning/loop_rounds.h"

#include "frontend/tree/walk.h"

namespace dtrace::codegen {
namespace {

/// The value below conversions between integers.
const tree::Expr &unconverted(const tree::Expr &expr) {
  const auto *convert = std::get_if<tree::Convert>(&expr.node);
  return convert != nullptr && convert->kind == tree::ConvertKind::kInteger ? unconverted(*convert->operand) : expr;
}

std::optional<int64_t> constant_of(const tree::Expr &expr) {
  const auto *constant = std::get_if<tree::IntConst>(&unconverted(expr).node);
  return constant != nullptr ? std::optional(static_cast<int64_t>(constant->value)) : std::nullopt;
}

bool is_variable(const tree::Expr &expr, tree::VarId variable) {
  const auto *reference = std::get_if<tree::VarRef>(&unconverted(expr).node);
  return reference != nullptr && reference->var == variable;
}

/// The one expression of statements that are no more than that.
const tree::Expr *only_expression(const std::vector<tree::Stmt> &statements) {
  const auto *evaluate = statements.size() == 1 ? std::get_if<tree::Evaluate>(&statements.front().node) : nullptr;
  return evaluate != nullptr ? evaluate->expr : nullptr;
}

/// By how much a step changes the variable.
std::optional<int64_t> change_of(const tree::Expr &step, tree::VarId variable) {
  if (const auto *increment = std::get_if<tree::IncDec>(&step.node)) {
    return is_variable(*increment->place, variable) ? std::optional(increment->delta) : std::nullopt;
  }
  const auto *compound = std::get_if<tree::CompoundAssign>(&step.node);
  if (compound == nullptr || !is_variable(*compound->place, variable)) return std::nullopt;
  const std::optional<int64_t> by = constant_of(*compound->value);
  if (!by || *by == INT64_MIN) return std::nullopt;
  if (compound->op == BinaryOp::kAdd) return *by;
  return compound->op == BinaryOp::kSub ? std::optional(-*by) : std::nullopt;
}

const tree::Expr *assigned_place(const tree::Expr &expr) {
  if (const auto *assign = std::get_if<tree::Assign>(&expr.node)) return assign->place;
  if (const auto *compound = std::get_if<tree::CompoundAssign>(&expr.node)) return compound->place;
  if (const auto *increment = std::get_if<tree::IncDec>(&expr.node)) return increment->place;
  return nullptr;
}

bool assigns(const std::vector<tree::Stmt> &body, tree::VarId variable) {
  bool found = false;
  walk(body, [&](const tree::Expr &expr) {
    const tree::Expr *place = assigned_place(expr);
    found |= place != nullptr && is_variable(*place, variable);
  });
  return found;
}

std::optional<uint64_t> rounds(__int128 first, BinaryOp op, __int128 last, __int128 change) {
  // As a walk upwards to a bound that is not reached.
  if (op == BinaryOp::kGt || op == BinaryOp::kGe) {
    first = -first, last = -last, change = -change;
    op = op == BinaryOp::kGt ? BinaryOp::kLt : BinaryOp::kLe;
  }
  if (op == BinaryOp::kLe) ++last;
  if (op == BinaryOp::kNe && change == -1) first = -first, last = -last, change = 1;
  const bool is_counted = op == BinaryOp::kLt || op == BinaryOp::kLe || (op == BinaryOp::kNe && change == 1);
  if (!is_counted || change <= 0 || (op == BinaryOp::kNe && first > last)) return std::nullopt;
  return first >= last ? 0 : static_cast<uint64_t>((last - first + change - 1) / change);
}

}  // namespace

std::optional<uint64_t> loop_rounds(const tree::Loop &loop) {
  const tree::Expr *start = only_expression(loop.start), *step = only_expression(loop.step);
  if (start == nullptr || step == nullptr || loop.condition == nullptr) return std::nullopt;
  const auto *assign = std::get_if<tree::Assign>(&start->node);
  const auto *variable = assign != nullptr ? std::get_if<tree::VarRef>(&assign->place->node) : nullptr;
  const auto *comparison = std::get_if<tree::Binary>(&loop.condition->node);
  if (variable == nullptr || comparison == nullptr || !is_variable(*comparison->lhs, variable->var))
    return std::nullopt;
  const std::optional<int64_t> first = constant_of(*assign->value), last = constant_of(*comparison->rhs);
  const std::optional<int64_t> change = change_of(*step, variable->var);
  if (!first || !last || !change || assigns(loop.body, variable->var)) return std::nullopt;
  return rounds(*first, comparison->op, *last, *change);
}

}  // namespace dtrace::codegen
