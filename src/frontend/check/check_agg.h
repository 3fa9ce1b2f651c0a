// SPDX-License-Identifier: Apache-2.0
// Aggregations: `@name[keys] = function(args)`, and aggregations as arguments of printa() and its like.
#pragma once

#include "frontend/check/check_context.h"

namespace dtrace::check {

/// Is `expr` @a or @a[...]?
bool is_aggregation_place(const ast::Expr &expr);

/// A statement that assigns to an aggregation.
/// Errors: D_AGG_FUNC, D_AGG_REDEF, D_AGG_MDIM, D_AGG_SCALAR, D_LQUANT_*, D_LLQUANT_*, D_PROTO_*, D_KEY_TYPE,
/// D_AGG_SPEC, D_AGG_COMM.
void check_agg_update(Context &cx, const ast::Assign &assign, Span span, std::vector<tree::Stmt> &out);

/// An aggregation argument. Errors: `not_aggregation` (with prototype and argument lines), D_IDENT_UNDEF if it is never
/// assigned.
std::optional<tree::AggId> check_agg_argument(Context &cx, Builtin builtin, const ast::Expr &expr, size_t number,
                                              Tag not_aggregation);

/// The aggregation of that name. Errors: D_IDENT_UNDEF if no clause so far assigns it.
std::optional<tree::AggId> find_aggregation(Context &cx, std::string_view name, Span span);

}  // namespace dtrace::check
