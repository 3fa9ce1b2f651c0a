// SPDX-License-Identifier: Apache-2.0
// Expressions: ast::Expr -> Operand. One function per form, spread by idea: check_expr.cpp literals, casts, sizeof;
// check_operator.cpp unary and binary operators; check_place.cpp members, elements, pointers, addresses;
// check_assign.cpp what stores; check_call.cpp functions.
#pragma once

#include "frontend/check/check_context.h"

namespace dtrace::check {

Operand check_expr(Context &cx, const ast::Expr &expr);
/// The same, but refuses what has no value (require_static) and aggregations (D_OP_DYN).
Operand check_value(Context &cx, const ast::Expr &expr);

// check_operator.cpp
/// Errors: D_OP_INT, D_OP_ARITH, D_OP_SCALAR, D_OP_INCOMPAT, D_OP_VFPTR, D_DIV_ZERO, D_IDENT_AMBIG.
Operand check_unary(Context &cx, const ast::Unary &unary, Span span);
Operand check_binary(Context &cx, const ast::Binary &binary, Span span);
/// Errors: D_OP_SCALAR, D_OP_DYN, D_OP_ACT, D_OP_INCOMPAT.
Operand check_conditional(Context &cx, const ast::Conditional &conditional, Span span);
Operand check_comma(Context &cx, const ast::Comma &comma, Span span);
/// `pointer + index`, scaled; `negative` subtracts. Errors: D_OP_VFPTR.
Operand offset_pointer(Context &cx, const Operand &pointer, const Operand &index, bool negative, Span span);
/// `index` times the size of what `pointer` points to. Nothing (D_OP_VFPTR) if that has no size.
const tree::Expr *scaled(Context &cx, const Operand &index, TypeId pointer, Span span, std::string_view op);

// check_place.cpp
/// Errors: D_OP_PTR, D_OP_SOU, D_OP_INCOMPLETE, D_TYPE_MEMBER, D_XLATE_NOCONV, ...
Operand check_member(Context &cx, const ast::MemberRef &member, Span span);
/// D_TYPE_MEMBER; `names` are those that there are.
Operand unknown_member(Context &cx, TypeId type, std::string_view name, std::span<const std::string_view> names,
                       Span span);
/// Errors: D_VAR_UNDEF, D_ARR_BADREF, D_ARR_LOCAL, D_ARR_BOUNDS, D_AGG_MDIM, D_ARGS_*, D_REGS_IDX, D_PROTO_*,
/// D_KEY_TYPE.
Operand check_index(Context &cx, const ast::Index &index, Span span);
/// Errors: D_DEREF_*.
Operand check_deref(Context &cx, const Operand &operand, Span span);
/// Errors: D_ADDROF_*.
Operand check_address(Context &cx, const Operand &operand, Span span);
/// Element of an associative array. Errors: D_PROTO_LEN, D_PROTO_ARG, D_KEY_TYPE.
Operand element_place(Context &cx, tree::VarId var, const std::vector<Operand> &keys, std::string_view spelling,
                      Span span);
std::vector<Operand> check_all(Context &cx, const std::vector<const ast::Expr *> &exprs);

// check_assign.cpp
/// Errors: D_OP_LVAL, D_OP_WRITE, D_OP_INCOMPAT, D_OP_ARRFUN, D_OP_VFPTR, D_OP_INT, D_OP_ARITH, D_DIV_ZERO, D_AGG_FUNC.
Operand check_assign(Context &cx, const ast::Assign &assign, Span span);
Operand check_increment(Context &cx, const ast::Unary &unary, Span span);
/// The operand of `!`, `-`, `+` or `~`. A variable that only later clauses assign has their type; one that none assigns
/// is an int64_t. Plain names must be assigned.
Operand check_operand(Context &cx, const ast::Expr &expr);

// check_call.cpp
/// Errors: D_FUNC_*, D_PROTO_*, D_ALLOCA_SIZE, D_UNKNOWN (not implemented), D_STACK_*, D_USTACK_*.
Operand check_call(Context &cx, const ast::Call &call, Span span);

}  // namespace dtrace::check
