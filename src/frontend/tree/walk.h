// SPDX-License-Identifier: Apache-2.0
// Visits every expression and statement of a typed tree, parents before children, in order of evaluation.
#pragma once

#include <functional>

#include "frontend/tree/tree.h"

namespace dtrace::tree {

/// Calls `visit` for the expressions that `expr` is made of, and not for what is below them.
void for_each_child(const Expr &expr, const std::function<void(const Expr &)> &visit);
/// Calls `visit` for `expr` and everything below it.
void walk(const Expr &expr, const std::function<void(const Expr &)> &visit);
/// All expressions of statements.
void walk(const std::vector<Stmt> &body, const std::function<void(const Expr &)> &visit);
/// All expressions of the clause: predicate, then statements.
void walk(const Clause &clause, const std::function<void(const Expr &)> &visit);
/// All statements of the clause; an If or loop before what it holds.
void walk_statements(const std::vector<Stmt> &body, const std::function<void(const Stmt &)> &visit);

}  // namespace dtrace::tree
