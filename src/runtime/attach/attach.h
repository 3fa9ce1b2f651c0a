// SPDX-License-Identifier: Apache-2.0
// Attaching a loaded program, by kind of hook. To support a new HookKind, add its row to the table in attach.cpp.
#pragma once

#include <vector>

#include "base/result.h"
#include "plan/plan.h"
#include "runtime/attach/attach_kernel_sites.h"

struct bpf_link;
struct bpf_program;

namespace dtrace {

/// Attaches `program` as `plan` says; per-CPU hooks on `cpus`. New links are appended to `links` and owned by the
/// caller. Errors name the hook and the missing kernel feature where it is known.
Result<Unit> attach_hook(bpf_program &program, const ProgramPlan &plan, const std::vector<int> &cpus,
                         std::vector<bpf_link *> &links, AttachReport &report);

}  // namespace dtrace
