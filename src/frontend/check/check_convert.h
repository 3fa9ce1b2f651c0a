// SPDX-License-Identifier: Apache-2.0
// Conversions as nodes: what types_compat.h allows, these make explicit in the typed tree. Constants convert at once.
#pragma once

#include "frontend/check/check_context.h"

namespace dtrace::check {

bool is_integer(const Context &cx, const Operand &operand);
bool is_pointer(const Context &cx, const Operand &operand);  ///< not arrays, not strings
bool is_scalar(const Context &cx, const Operand &operand);
bool is_string_like(const Context &cx, const Operand &operand);
bool is_array(const Context &cx, const Operand &operand);
bool is_void(const Context &cx, const Operand &operand);
bool is_bitfield(const Operand &operand);

/// Value of an integer constant, not narrowed to its type (fold.h).
std::optional<uint64_t> constant_of(const Context &cx, const Operand &operand);
/// Value of an integer constant as its type has it.
std::optional<int64_t> narrowed_constant(const Context &cx, const Operand &operand);
bool is_zero(const Context &cx, const Operand &operand);

/// Refuses what has no value of its own. Errors: D_CG_DYN (translated), D_CG_EXPR (action), D_SYM_NOTYPES; an
/// aggregation passes, for its operator to refuse.
bool require_static(Context &cx, const Operand &operand);

/// The node for the tree: a value that is narrowed to its type, which those of operators need not be (types_compat.h).
const tree::Expr *settled(Context &cx, const Operand &operand);
/// The node of a condition: not narrowed, because all 64 bits decide.
const tree::Expr *condition_of(Context &cx, const Operand &operand);

/// An array becomes a pointer to its first element, a function its address; others stay.
Operand decayed(Context &cx, const Operand &operand);

/// An integer as an operator of type `type` takes it: all 64 bits, unless it wraps.
const tree::Expr *as_operand(Context &cx, const Operand &operand, TypeId type);
/// The same of a constant.
std::optional<uint64_t> constant_as(const Context &cx, const Operand &operand, TypeId type);

/// Integer or pointer to integer or pointer type `to`.
const tree::Expr *to_scalar(Context &cx, const Operand &operand, TypeId to);
/// The string read at a char pointer, in a char array or at an integer address; a string stays. 0 gives the NULL
/// string.
const tree::Expr *to_string(Context &cx, const Operand &operand);
/// Address of a string's bytes, `char *`.
Operand string_address(Context &cx, const Operand &operand);

/// May `operand` be passed where `to` is wanted (arguments, keys, inlines, members of translators)?
bool passes(const Context &cx, const Operand &operand, TypeId to);
/// What passes() allowed, as a value of type `to`. Pointers keep their own space.
const tree::Expr *convert(Context &cx, const Operand &operand, TypeId to);

/// `type`, a pointer, but into `space`.
TypeId with_space(TypeTable &types, TypeId type, Space space);
/// The type a value of `type` has when it is loaded from memory in `space`: pointers found in user memory point there.
TypeId loaded_from(TypeTable &types, TypeId type, Space space);
/// Where a pointer points, qualifiers and typedefs included.
Space space_of(const TypeTable &types, TypeId pointer);

/// A string type for content of at most `bytes` with its NUL.
TypeId string_type(TypeTable &types, uint64_t bytes);

}  // namespace dtrace::check
