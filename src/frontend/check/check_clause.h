// SPDX-License-Identifier: Apache-2.0
// Clauses: probe matching, predicate, statements. One typed clause per probe description.
#pragma once

#include "frontend/check/check_context.h"

namespace dtrace::check {

/// Appends the clause's tree::Clauses to the program; adds to its count of matched probes.
/// Errors: D_PDESC_ZERO, D_PDESC_INVAL, D_PRED_SCALAR, D_ATTR_MIN and those of its expressions and actions.
void check_clause(Context &cx, const ast::Clause &clause, tree::Program &program);

}  // namespace dtrace::check
