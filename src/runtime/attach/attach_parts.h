// SPDX-License-Identifier: Apache-2.0
// The parts in which probes of very many kernel functions are set: those that the kernel itself runs meanwhile
// (busy_functions.h) come last.
//
// Each part of a program is a link. More links would make firings dearer, because a kernel such as 6.12 goes through
// the links of all tracers for a function that has more than one. Another tracer's probes of busy functions slow us all
// the same: no order of ours helps there.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "plan/plan.h"

namespace dtrace::runtime {

/// Fewer functions get their probes so quickly that their order does not matter.
constexpr size_t kMinSitesToDivide = 1000;

/// May be moved, not copied.
struct SiteParts {
  std::vector<SitePlan> divided;          ///< what the parts refer to, unless `first` is all that the plan has
  std::span<const SitePlan> first, last;  ///< `last`: after the first parts of all programs; may be empty
};

/// Where busy functions begin, ascending. Empty if none of the programs is divided, or the kernel hides its addresses.
std::vector<uint64_t> find_busy_functions(std::span<const ProgramPlan *const> programs);

/// In:   a program's plan, which must outlive the parts; what find_busy_functions() says.
/// Out:  its sites, each in one part, in their order.
SiteParts divide_sites(const ProgramPlan &plan, std::span<const uint64_t> busy);

}  // namespace dtrace::runtime
