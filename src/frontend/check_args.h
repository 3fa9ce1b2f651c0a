// SPDX-License-Identifier: Apache-2.0
// args[n]: typed by the probes that the clause's description matches, translated where the provider says so.
#pragma once

#include "frontend/check_context.h"

namespace dtrace::check {

/// Errors: D_ARGS_NONE, D_ARGS_MULTI, D_ARGS_IDX, D_ARGS_TYPE, D_ARGS_XLATOR, D_PROTO_LEN, D_PROTO_ARG.
Operand check_args(Context &cx, const std::vector<const ast::Expr *> &keys, Span span);

}  // namespace dtrace::check
