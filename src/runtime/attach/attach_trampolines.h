// SPDX-License-Identifier: Apache-2.0
// Attaching a program to kernel functions that call it themselves (fentry, fexit). Such a program is loaded for one
// function, so each has a copy of its own.
#pragma once

#include <span>
#include <vector>

#include "base/result.h"
#include "plan/plan.h"
#include "runtime/attach/attach_kernel_sites.h"
#include "runtime/attach/program_copier.h"

struct bpf_program;

namespace dtrace::runtime {

/// Attaches copies of `program`, which is loaded, to sites. A function that is refused by itself is counted.
/// Errors: every function was refused.
Result<Unit> attach_trampolines(const bpf_program &program, const ProgramPlan &plan, std::span<const SitePlan> sites,
                                std::vector<ProgramCopy> &copies, AttachReport &report);

}  // namespace dtrace::runtime
