// SPDX-License-Identifier: Apache-2.0
// Attaching a program to instructions of user programs: one link per file and process with all sites in it where the
// kernel has such links (uprobe_multi), else a perf event each.
#pragma once

#include <span>
#include <vector>

#include "base/result.h"
#include "codegen/plan.h"

struct bpf_link;
struct bpf_program;

namespace dtrace {

/// Attaches `program` to plan.sites. Its type fits attach_hook()'s table.
Result<Unit> attach_user_sites(bpf_program &program, const ProgramPlan &plan, const std::vector<int> &cpus,
                               std::vector<bpf_link *> &links);

/// The same for sites that came to be known later. A site whose process has ended is no error.
Result<Unit> attach_sites(bpf_program &program, const ProgramPlan &plan, std::span<const SitePlan> sites,
                          std::vector<bpf_link *> &links);

}  // namespace dtrace
