// SPDX-License-Identifier: Apache-2.0
// Visits every expression and statement of a typed tree, parents before children, in order of evaluation.
#pragma once

#include <functional>

#include "frontend/tree/tree.h"

namespace dtrace::codegen {

/// Calls `visit` for `expr` and everything below it.
void walk(const tree::Expr &expr, const std::function<void(const tree::Expr &)> &visit);
/// All expressions of statements.
void walk(const std::vector<tree::Stmt> &body, const std::function<void(const tree::Expr &)> &visit);
/// All expressions of the clause: predicate, then statements.
void walk(const tree::Clause &clause, const std::function<void(const tree::Expr &)> &visit);
/// All statements of the clause; an If or loop before what it holds.
void walk_statements(const std::vector<tree::Stmt> &body, const std::function<void(const tree::Stmt &)> &visit);

}  // namespace dtrace::codegen
