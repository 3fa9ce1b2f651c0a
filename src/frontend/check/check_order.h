// SPDX-License-Identifier: Apache-2.0
// Which statements may follow which in a clause that speculates or commits (the D language reference, 7.6).
#pragma once

#include "frontend/check/check_context.h"

namespace dtrace::check {

/// A built-in function is used at this point of the clause.
/// Errors: D_SPEC_SPEC, D_SPEC_COMM, D_SPEC_DREC, D_COMM_COMM, D_COMM_DREC, D_DREC_COMM, D_ACT_SPEC, D_EXIT_SPEC,
/// D_SYNTAX (in a loop).
void note_effect(Context &cx, Builtin builtin, Span span);

/// Whether a destructive function may be used at this point. Errors: D_ACT_SPEC.
bool may_destroy(Context &cx, Builtin builtin, Span span);

/// An aggregation is updated. Errors: D_AGG_SPEC, D_AGG_COMM.
void note_aggregation(Context &cx, Span span);

}  // namespace dtrace::check
