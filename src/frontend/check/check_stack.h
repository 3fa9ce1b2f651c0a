// SPDX-License-Identifier: Apache-2.0
// Stacks as values: stack(), ustack() and jstack(), and the members of what they give.
#pragma once

#include <vector>

#include "frontend/check/check_context.h"

namespace dtrace::check {

/// `builtin` is one of the three; args are at most as many as it takes. Errors: D_STACK_SIZE, D_USTACK_*.
Operand check_stack(Context &cx, Builtin builtin, const std::vector<const ast::Expr *> &args, Span span);

/// Member of a dt_stack_t: `depth`, the number of frames; `addrs`, their addresses, 0 behind the last; `is_user`;
/// `pid`, the process of a user stack, else 0. Errors: D_TYPE_MEMBER.
Operand stack_member(Context &cx, const Operand &stack, const ast::MemberRef &ref, Span span);

}  // namespace dtrace::check
