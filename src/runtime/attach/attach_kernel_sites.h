// SPDX-License-Identifier: Apache-2.0
// Attaching a program to kernel functions: one link for all of them where the kernel has such links (kprobe_multi),
// else a kprobe of its own for each, which takes tens of milliseconds apiece and longer to remove.
#pragma once

#include <cstddef>
#include <span>
#include <string_view>
#include <vector>

#include "base/progress.h"
#include "base/result.h"
#include "plan/plan.h"

struct bpf_link;
struct bpf_program;

namespace dtrace::runtime {

/// How a program was attached, for -v, and what the kernel refused.
struct AttachReport {
  std::string_view mechanism;   ///< "kprobe_multi"; empty: a hook with only one way
  bool is_of_calls = false;     ///< the functions are those of system calls
  std::string_view tracepoint;  ///< of all system calls, if they are probed there
  size_t sites = 0;             ///< functions that have a probe
  size_t refused = 0;           ///< functions that the kernel did not let us probe, though it lists them
  /// Called at times with the progress, and with equal numbers when it is done.
  TellProgress progress;
};

/// Attaches `program` to sites that are plan.sites or came to be known later. A function that is refused by itself is
/// left out and counted.
/// Errors: every function was refused; too many for single kprobes.
Result<Unit> attach_kernel_sites(bpf_program &program, const ProgramPlan &plan, std::span<const SitePlan> planned,
                                 std::vector<bpf_link *> &links, AttachReport &report);

}  // namespace dtrace::runtime
