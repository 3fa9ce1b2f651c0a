// SPDX-License-Identifier: Apache-2.0
// Attaching a program to the kernel's functions of system calls: they call it themselves, or one link has all of them.
#pragma once

#include <vector>

#include "base/result.h"
#include "plan/plan.h"
#include "runtime/attach/attach_kernel_sites.h"
#include "runtime/attach/attach_trampolines.h"

struct bpf_link;
struct bpf_program;

namespace dtrace::runtime {

/// Attaches `program` to plan.call_sites.
/// Errors: a function was refused. A part of the calls would be a silent loss.
Result<Unit> attach_calls(const bpf_program &program, const ProgramPlan &plan, std::vector<bpf_link *> &links,
                          std::vector<ProgramCopy> &copies, AttachReport &report);

}  // namespace dtrace::runtime
