// SPDX-License-Identifier: Apache-2.0
// Constant arithmetic. All of it is done unsigned, where C++ defines every case; only comparison, division and right
// shift look at the sign.
#include "frontend/check/fold.h"

#include <cassert>
#include <limits>

namespace dtrace {
namespace {

constexpr unsigned kShiftMask = 63;

uint64_t divide(uint64_t lhs, uint64_t rhs, bool is_signed, bool remainder) {
  if (!is_signed) return remainder ? lhs % rhs : lhs / rhs;
  const int64_t a = static_cast<int64_t>(lhs);
  const int64_t b = static_cast<int64_t>(rhs);
  if (b == -1) return remainder ? 0 : -lhs;  // INT64_MIN / -1 overflows in C++
  return static_cast<uint64_t>(remainder ? a % b : a / b);
}

bool less(uint64_t lhs, uint64_t rhs, bool is_signed) {
  return is_signed ? static_cast<int64_t>(lhs) < static_cast<int64_t>(rhs) : lhs < rhs;
}

}  // namespace

std::optional<uint64_t> fold(BinaryOp op, uint64_t lhs, uint64_t rhs, bool is_signed) {
  using enum BinaryOp;
  switch (op) {
    case kMul:
      return lhs * rhs;
    case kDiv:
    case kMod:
      if (rhs == 0) return std::nullopt;
      return divide(lhs, rhs, is_signed, op == kMod);
    case kAdd:
      return lhs + rhs;
    case kSub:
      return lhs - rhs;
    case kShl:
      return lhs << (rhs & kShiftMask);
    case kShr:
      return is_signed ? static_cast<uint64_t>(static_cast<int64_t>(lhs) >> (rhs & kShiftMask))
                       : lhs >> (rhs & kShiftMask);
    case kLt:
      return less(lhs, rhs, is_signed);
    case kGt:
      return less(rhs, lhs, is_signed);
    case kLe:
      return !less(rhs, lhs, is_signed);
    case kGe:
      return !less(lhs, rhs, is_signed);
    case kEq:
      return lhs == rhs;
    case kNe:
      return lhs != rhs;
    case kAnd:
      return lhs & rhs;
    case kXor:
      return lhs ^ rhs;
    case kOr:
      return lhs | rhs;
    case kLogAnd:
      return lhs != 0 && rhs != 0;
    case kLogXor:
      return (lhs != 0) != (rhs != 0);
    case kLogOr:
      return lhs != 0 || rhs != 0;
  }
  return std::nullopt;
}

uint64_t fold(UnaryOp op, uint64_t operand) {
  switch (op) {
    case UnaryOp::kMinus:
      return -operand;
    case UnaryOp::kComplement:
      return ~operand;
    case UnaryOp::kNot:
      return operand == 0;
    default:
      assert(op == UnaryOp::kPlus);
      return operand;
  }
}

}  // namespace dtrace
