// SPDX-License-Identifier: Apache-2.0
// What a site's cookie says to a program that was loaded before the site was known: which clauses run, and where the
// arguments lie. Knows no kernel.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <vector>

#include "plan/plan.h"

namespace dtrace::runtime {

class LateCookies {
 public:
  /// Puts a list of operands into the table that programs read (dt_operands). False: it was not possible.
  using Publish = std::function<bool(uint32_t index, std::span<const UserOperand> operands)>;
  explicit LateCookies(Publish publish) : publish_(std::move(publish)) {}

  /// Rows of the program that run `clauses` (ascending): one for all of them, or else one for each. Nothing: the
  /// program has no such rows.
  static std::optional<std::vector<uint16_t>> rows_of(const ProgramPlan &program, const std::vector<uint32_t> &clauses);

  /// The number by which programs find where the arguments lie; nothing if there is no room for them.
  std::optional<uint32_t> variant_of(const ProgramPlan &program, const std::vector<UserOperand> &operands);

 private:
  Publish publish_;
  std::vector<std::vector<UserOperand>> published_;
};

}  // namespace dtrace::runtime
