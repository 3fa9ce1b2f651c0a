// SPDX-License-Identifier: Apache-2.0
// Attaching a program to instructions of user programs: one link per file and process with all sites in it where the
// kernel has such links (uprobe_multi), else a perf event each.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "base/result.h"
#include "codegen/plan.h"

struct bpf_link;
struct bpf_program;

namespace dtrace {

/// Attaches `program` to plan.sites. Its type fits attach_hook()'s table.
Result<Unit> attach_user_sites(bpf_program &program, const ProgramPlan &plan, const std::vector<int> &cpus,
                               std::vector<bpf_link *> &links);

/// The same for some sites. One whose process has ended is no error. One whose instruction the kernel cannot probe is
/// left out, and said in `refused`: "/usr/lib/libc.so.6 at offset 0x1234".
Result<Unit> attach_sites(bpf_program &program, const ProgramPlan &plan, std::span<const SitePlan> sites,
                          std::vector<bpf_link *> &links, std::vector<std::string> &refused);

}  // namespace dtrace
