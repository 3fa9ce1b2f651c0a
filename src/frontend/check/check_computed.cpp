// SPDX-License-Identifier: Apache-2.0
#include "frontend/check/check_computed.h"

#include <optional>

#include "frontend/check/check_convert.h"
#include "frontend/check/check_expr.h"

namespace dtrace::check {
namespace {

using Step = ComputedStep::Kind;

std::optional<Step> step_of(BinaryOp op) {
  switch (op) {
    case BinaryOp::kAdd:
      return Step::kAdd;
    case BinaryOp::kSub:
      return Step::kSubtract;
    case BinaryOp::kMul:
      return Step::kMultiply;
    case BinaryOp::kDiv:
      return Step::kDivide;
    default:
      return std::nullopt;
  }
}

/// (double), (float) and the like, as they are written.
bool is_floating_cast(const ast::Cast &cast) {
  if (!cast.type->declarator.derivations.empty()) return false;
  for (const ast::Specifier &specifier : cast.type->specs.specifiers)
    if (specifier.kind == ast::SpecifierKind::kDouble || specifier.kind == ast::SpecifierKind::kFloat) return true;
  return false;
}

bool is_sign(const ast::Unary &unary) { return unary.op == UnaryOp::kMinus || unary.op == UnaryOp::kPlus; }

class ComputedSteps {
 public:
  ComputedSteps(Context &cx, Computed &out) : cx_(cx), out_(out) {}

  bool expression(const ast::Expr &expr) {
    if (const auto *literal = std::get_if<ast::FloatLit>(&expr.node)) {
      out_.steps.push_back({Step::kConstant, literal->value});
      return true;
    }
    if (const auto *cast = std::get_if<ast::Cast>(&expr.node); cast != nullptr && is_floating_cast(*cast))
      return expression(*cast->operand);
    if (!is_floating_arithmetic(expr)) return argument(expr);
    if (const auto *unary = std::get_if<ast::Unary>(&expr.node)) {
      if (!expression(*unary->operand)) return false;
      if (unary->op == UnaryOp::kMinus) out_.steps.push_back({Step::kNegate});
      return true;
    }
    const auto &binary = std::get<ast::Binary>(expr.node);
    if (!expression(*binary.lhs) || !expression(*binary.rhs)) return false;
    out_.steps.push_back({*step_of(binary.op)});
    return true;
  }

 private:
  bool argument(const ast::Expr &expr) {
    const Operand operand = check_value(cx_, expr);
    if (operand.poison()) return false;
    if (!is_integer(cx_, operand) && cx_.types.resolved(operand.type).kind != TypeKind::kFloat) {
      cx_.diags.report(Tag::D_OP_ARITH, expr.span, "floating-point arithmetic requires numbers, not \"{}\"",
                       cx_.describe(operand));
      return false;
    }
    out_.steps.push_back({Step::kArgument});
    out_.values.push_back(settled(cx_, operand));
    return true;
  }

  Context &cx_;
  Computed &out_;
};

}  // namespace

bool is_floating_arithmetic(const ast::Expr &expr) {
  if (std::holds_alternative<ast::FloatLit>(expr.node)) return true;
  if (const auto *cast = std::get_if<ast::Cast>(&expr.node)) return is_floating_cast(*cast);
  if (const auto *unary = std::get_if<ast::Unary>(&expr.node))
    return is_sign(*unary) && is_floating_arithmetic(*unary->operand);
  const auto *binary = std::get_if<ast::Binary>(&expr.node);
  return binary != nullptr && step_of(binary->op) &&
         (is_floating_arithmetic(*binary->lhs) || is_floating_arithmetic(*binary->rhs));
}

std::optional<Computed> check_computed(Context &cx, const ast::Expr &expr) {
  Computed computed;
  if (!ComputedSteps(cx, computed).expression(expr)) return std::nullopt;
  return computed;
}

}  // namespace dtrace::check
