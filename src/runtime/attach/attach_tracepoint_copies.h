// SPDX-License-Identifier: Apache-2.0
// Attaching copies of a program to raw tracepoints.
#pragma once

#include <vector>

#include "base/result.h"
#include "plan/plan.h"
#include "runtime/attach/program_copier.h"

struct bpf_program;

namespace dtrace::runtime {

/// Attaches a copy of `program`, which is loaded, to each of `plan.copies`.
Result<Unit> attach_tracepoint_copies(const bpf_program &program, const ProgramPlan &plan,
                                      std::vector<ProgramCopy> &copies);

}  // namespace dtrace::runtime
