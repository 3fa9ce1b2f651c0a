// SPDX-License-Identifier: Apache-2.0
// What printf() computes in floating point. The kernel's programs have no floating point, so the record holds the
// integers, and the consumer computes with them when it prints.
//
// A reader would get wrong: only what a floating-point constant or a cast to double takes part in is computed so.
// printf("%f", 7 / 2) divides integers, as in C.
#pragma once

#include <vector>

#include "frontend/check/check_context.h"

namespace dtrace::check {

/// Does a floating-point constant, or a cast to double, take part in its arithmetic?
bool is_floating_arithmetic(const ast::Expr &expr);

/// Postfix steps, and the values that they take in order.
struct Computed {
  std::vector<ComputedStep> steps;
  std::vector<const tree::Expr *> values;
};

/// Operators are + - * / and unary minus. Errors: D_OP_ARITH, and those of the operands.
std::optional<Computed> check_computed(Context &cx, const ast::Expr &expr);

}  // namespace dtrace::check
