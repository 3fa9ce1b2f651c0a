// SPDX-License-Identifier: Apache-2.0
// Calls of built-in functions: prototypes, and the values that stack() and sym() give.
#pragma once

#include "frontend/check/check_context.h"

namespace dtrace::check {

const Prototype &prototype_of(Context &cx, Builtin builtin);

/// Number of arguments against the row's prototype. Errors: D_PROTO_LEN.
bool check_count(Context &cx, Builtin builtin, size_t passed, Span span);

/// Arguments of an ordinary prototype, converted; `$` and `@` parameters settle only.
/// Errors: D_PROTO_LEN, D_PROTO_ARG and what has no value.
std::optional<std::vector<const tree::Expr *>> check_arguments(Context &cx, Builtin builtin,
                                                               const std::vector<const ast::Expr *> &args, Span span);

/// Whether `lhs + rhs` joins two texts, one of which is a string, as strjoin() does. Not under option strict.
bool joins(const Context &cx, const Operand &lhs, const Operand &rhs);

/// strjoin(lhs, rhs), of operands that join.
Operand join(Context &cx, const Operand &lhs, const Operand &rhs, Span span);

/// stack(), ustack(), jstack(), sym() and its like. Errors: D_PROTO_*, D_STACK_SIZE, D_USTACK_*.
Operand check_value_call(Context &cx, Builtin builtin, const std::vector<const ast::Expr *> &args, Span span);

/// Built-in function that is called. Errors: D_FUNC_IDENT, D_FUNC_UNDEF, D_FUNC_IDKIND, those of check_unsupported().
std::optional<Builtin> resolve_function(Context &cx, const ast::Call &call, Span span);

}  // namespace dtrace::check
