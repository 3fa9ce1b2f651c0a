// SPDX-License-Identifier: Apache-2.0
// args[n] and locals->name: typed by the probes that the clause's description matches, translated where the provider
// says so.
#pragma once

#include "frontend/check/check_context.h"

namespace dtrace::check {

/// Errors: D_ARGS_NONE, D_ARGS_MULTI, D_ARGS_IDX, D_ARGS_TYPE, D_ARGS_XLATOR, D_PROTO_LEN, D_PROTO_ARG, D_ARGS_PLACE.
Operand check_args(Context &cx, const std::vector<const ast::Expr *> &keys, Span span);

/// Whether an expression is the array of arguments itself, so that a member of it is an argument: args.fd, args->fd.
bool is_args(Context &cx, const ast::Expr &expr);

/// args.name, an argument by the name that its source gives it.
/// Errors: D_ARGS_NAME, D_IDENT_BADREF (option strict), and those of check_args().
Operand check_named_argument(Context &cx, const ast::MemberRef &ref, Span span);

/// Whether an expression is locals itself, so that a member of it is a variable of the program: locals->sum.
bool is_locals(Context &cx, const ast::Expr &expr);

/// locals->name, a variable of the functions that the clause's probes are in.
/// Errors: D_LOCALS_NONE, D_LOCALS_NAME, D_LOCALS_PLACE, D_LOCALS_MULTI.
Operand check_local(Context &cx, const ast::MemberRef &ref, Span span);

/// Are two lists of arguments the same to D? Names and missing values are not compared.
bool same_arguments(const TypeTable &types, const std::vector<ProbeArg> &a, const std::vector<ProbeArg> &b);

/// Is the value of arg`number` available at one or more of the sites where the clause's probes fire?
/// Errors: D_ARGS_PLACE, with the reason.
bool check_argument_place(Context &cx, unsigned number, Span span);

/// A member is wanted of args[n], whose declared type is not defined: of what is passed it would be another.
/// Errors: D_ARGS_TYPE, always.
Operand undefined_argument_member(Context &cx, const Operand &base, Span span);

}  // namespace dtrace::check
