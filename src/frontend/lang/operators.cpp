// SPDX-License-Identifier: Apache-2.0
#include "frontend/lang/operators.h"

#include <iterator>

namespace dtrace {

std::string_view spelling(BinaryOp op) {
  constexpr std::string_view kSpellings[] = {
      "*", "/", "%", "+", "-", "<<", ">>", "<", ">", "<=", ">=", "==", "!=", "&", "^", "|", "&&", "^^", "||"};
  static_assert(std::size(kSpellings) == static_cast<size_t>(BinaryOp::kLogOr) + 1);
  return kSpellings[static_cast<size_t>(op)];
}

std::string_view spelling(UnaryOp op) {
  constexpr std::string_view kSpellings[] = {"+", "-", "!", "~", "*", "&", "++", "--", "++", "--"};
  static_assert(std::size(kSpellings) == static_cast<size_t>(UnaryOp::kPostDec) + 1);
  return kSpellings[static_cast<size_t>(op)];
}

}  // namespace dtrace
