// SPDX-License-Identifier: Apache-2.0
// Which types go together: conversions, assignment, arguments, casts, pointers. Functions of types only, nothing is
// reported here. What a reader would get wrong: D does not promote small integers to int, and char * to char * is a
// comparison of addresses; only a string on one side makes it one of text. Source: the D language reference, 2.3
// to 2.7.
#pragma once

#include <optional>

#include "frontend/types/types.h"

namespace dtrace {

/// Without top-level qualifiers: `const pid_t` gives `pid_t`.
TypeId unqualified(const TypeTable &types, TypeId id);

/// Greater rank wins: bits, plus one if unsigned.
unsigned arithmetic_rank(const TypeTable &types, TypeId id);

/// Usual arithmetic conversions of two integer operands: the operand type of the greater rank, typedef kept, qualifiers
/// dropped; an enum counts as int. Equal rank gives the first.
TypeId arithmetic_type(const TypeTable &types, TypeId a, TypeId b);

/// Operand's own type after enum -> int and without qualifiers: unary operators and shifts.
TypeId arithmetic_type(const TypeTable &types, TypeId a);

/// Operators compute in 64 bits. A result of type `unsigned int` is cut to its 32 bits at once, as in C; other
/// results are cut to their type only when they are stored, recorded, passed or cast.
bool wraps(const TypeTable &types, TypeId id);

/// Do operators take values of the type as signed? Those narrower than int are, because C would make ints of them.
bool computes_signed(const TypeTable &types, TypeId id);

/// Same type, without typedefs and qualifiers at every level and with forward tags completed. `long` and `long long`
/// are the same; so are all functions, because DTrace drops their parameters.
bool same_type(const TypeTable &types, TypeId a, TypeId b);

/// What a pointer, array or string operand points to; nothing for other types. string points to char.
std::optional<TypeId> pointee(const TypeTable &types, TypeId id);

enum class PointerFit : uint8_t {
  kFits,
  kNotPointers,  ///< one is neither pointer nor array
  kTargets,      ///< they point to different types, and neither to void
  kSpaces,       ///< one points into user space, the other does not
};

/// May these two be compared, subtracted, chosen from by ?:, assigned? Both pointers or arrays (arrays decay).
PointerFit pointers_fit(const TypeTable &types, TypeId a, TypeId b);

/// Both are pointers, one made by alloca() or copyin() and the other not. They may be mixed: a fault tells them apart.
bool mixes_scratch(const TypeTable &types, TypeId a, TypeId b);

/// Are the operands of `< <= > >= == !=` compared as text? One is a string, the other at least like one.
bool compares_as_text(const TypeTable &types, TypeId a, TypeId b);

/// May a value of type `from` be passed where `to` is wanted (arguments, keys, inlines)? `from_zero`: it is the
/// constant 0, which fits any pointer.
bool can_pass(const TypeTable &types, TypeId to, TypeId from, bool from_zero = false);

/// May it be cast?
bool can_cast(const TypeTable &types, TypeId to, TypeId from);

/// Type of `c ? a : b`; nothing if the arms do not fit. A pointer beats constant 0, a typed pointer beats void *, an
/// array gives the other arm's pointer type or itself (the checker makes it decay), the larger string wins, and of a
/// scratch and a kernel pointer to the same type the kernel's, whose loads are checked.
std::optional<TypeId> common_type(const TypeTable &types, TypeId a, TypeId b, bool a_zero = false, bool b_zero = false);

/// May they be compared by `< <= > >= == !=`?
bool can_compare(const TypeTable &types, TypeId a, TypeId b, bool a_zero = false, bool b_zero = false);

/// Size that `+ - ++ --` and [] scale by; nothing for void *, function pointers and incomplete targets (D_OP_VFPTR).
std::optional<uint64_t> pointer_step(const TypeTable &types, TypeId id);

}  // namespace dtrace
