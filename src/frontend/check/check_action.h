// SPDX-License-Identifier: Apache-2.0
// Actions as statements: trace(), printf(), stack(), exit(), speculate(), ...
#pragma once

#include "frontend/check/check_context.h"

namespace dtrace::check {

/// A statement that calls an action or a stack or symbol function; appends it to `out` unless it is wrong.
/// Errors: D_PROTO_*, D_TRACE_*, D_PRINT_*, D_PRINTF_*, D_PRINTA_*, D_TRACEMEM_*, D_CLEAR_*, D_TRUNC_*, D_NORMALIZE_*,
/// D_FREOPEN_INVALID, order rules.
void check_action(Context &cx, Builtin builtin, const ast::Call &call, Span span, std::vector<tree::Stmt> &out);

}  // namespace dtrace::check
