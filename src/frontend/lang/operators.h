// SPDX-License-Identifier: Apache-2.0
// D's operators, as both trees have them.
#pragma once

#include <cstdint>
#include <string_view>

namespace dtrace {

enum class UnaryOp : uint8_t {
  kPlus,
  kMinus,
  kNot,
  kComplement,
  kDeref,
  kAddressOf,
  kPreInc,
  kPreDec,
  kPostInc,
  kPostDec
};
enum class BinaryOp : uint8_t {
  kMul,
  kDiv,
  kMod,
  kAdd,
  kSub,
  kShl,
  kShr,
  kLt,
  kGt,
  kLe,
  kGe,
  kEq,
  kNe,
  kAnd,
  kXor,
  kOr,
  kLogAnd,
  kLogXor,
  kLogOr,
};

constexpr bool is_comparison(BinaryOp op) {
  using enum BinaryOp;
  return op == kLt || op == kGt || op == kLe || op == kGe || op == kEq || op == kNe;
}
/// "+", "<<", "&&", ...
std::string_view spelling(BinaryOp op);
std::string_view spelling(UnaryOp op);

}  // namespace dtrace
