// SPDX-License-Identifier: Apache-2.0
#include "runtime/late/late_cookies.h"

#include <algorithm>
#include <ranges>

namespace dtrace::runtime {

std::optional<std::vector<uint16_t>> LateCookies::rows_of(const ProgramPlan &program,
                                                          const std::vector<uint32_t> &clauses) {
  const auto row_of = [&](const std::vector<uint32_t> &set) -> std::optional<uint16_t> {
    const auto row = std::ranges::find(program.rows, set);
    if (row == program.rows.end()) return std::nullopt;
    return static_cast<uint16_t>(row - program.rows.begin());
  };
  if (const std::optional<uint16_t> row = row_of(clauses)) return std::vector{*row};
  // The kernel runs the last of several sites at one address first.
  std::vector<uint16_t> rows;
  for (const uint32_t clause : std::views::reverse(clauses)) {
    const std::optional<uint16_t> row = row_of({clause});
    if (!row) return std::nullopt;
    rows.push_back(*row);
  }
  return rows;
}

std::optional<uint32_t> LateCookies::variant_of(const ProgramPlan &program, const std::vector<UserOperand> &operands) {
  const auto same = std::ranges::find(program.variants, operands);
  if (same != program.variants.end()) return static_cast<uint32_t>(same - program.variants.begin());
  const auto known = std::ranges::find(published_, operands);
  const auto index = static_cast<uint32_t>(known - published_.begin());
  if (known == published_.end()) {
    if (index >= SiteCookie::kMaxVariants - SiteCookie::kFirstLateVariant || !publish_(index, operands))
      return std::nullopt;
    published_.push_back(operands);
  }
  return SiteCookie::kFirstLateVariant + index;
}

}  // namespace dtrace::runtime
