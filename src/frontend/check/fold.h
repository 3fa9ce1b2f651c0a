// SPDX-License-Identifier: Apache-2.0
// Arithmetic of constant expressions: 64-bit two's complement, as the probe would compute it. What a reader would get
// wrong: a result is not narrowed to its type while folding goes on (1 << 33 is an int, and compares as 2^33 with a
// long); it is narrowed where it is stored, recorded or cast. Only `unsigned int` wraps at once (types_compat.h).
#pragma once

#include <cstdint>
#include <optional>

#include "frontend/syntax/ast.h"

namespace dtrace {

/// Keeps the low `size_bytes` of `value` and extends them to 64 bits by sign.
constexpr uint64_t narrow(uint64_t value, uint64_t size_bytes, bool is_signed) {
  if (size_bytes >= 8) return value;
  const unsigned unused = 64 - 8 * static_cast<unsigned>(size_bytes);
  value <<= unused;
  return is_signed ? static_cast<uint64_t>(static_cast<int64_t>(value) >> unused) : value >> unused;
}

/// Value of `lhs op rhs`. `is_signed` is the operation's type's (a shift: the left operand's).
/// Nothing: division by zero. INT64_MIN / -1 is INT64_MIN; shift counts use their low 6 bits.
std::optional<uint64_t> fold(BinaryOp op, uint64_t lhs, uint64_t rhs, bool is_signed);

/// Value of `op operand` for + - ~ !.
uint64_t fold(UnaryOp op, uint64_t operand);

}  // namespace dtrace
