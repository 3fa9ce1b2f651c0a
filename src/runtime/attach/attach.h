// SPDX-License-Identifier: Apache-2.0
// Attaching a loaded program, by kind of hook: a function for each in attach.cpp.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "base/result.h"
#include "plan/plan.h"
#include "runtime/attach/attach_kernel_sites.h"
#include "runtime/attach/attach_sites.h"
#include "runtime/attach/attach_trampolines.h"
#include "runtime/attach/enabled_tests.h"

struct bpf_link;
struct bpf_program;

namespace dtrace::runtime {

/// CPUs that events are opened on.
class AttachCpus {
 public:
  /// `only`: option cpu, which comes before what a hook says.
  AttachCpus(std::vector<int> online, std::optional<int> only)
      : all_(only ? std::vector<int>{*only} : std::move(online)), is_restricted_(only.has_value()) {}
  const std::vector<int> &all() const { return all_; }
  /// Where a hook on `cpu` is opened; -1: on all.
  std::vector<int> of(int cpu) const { return cpu < 0 || is_restricted_ ? all_ : std::vector<int>{cpu}; }

 private:
  std::vector<int> all_;
  bool is_restricted_;
};

/// A program that the consumer makes run, at the times that its hook says.
struct AttachedWalk {
  const ProgramPlan *plan;
  bpf_link *link;  ///< owned; null: there is no table to walk
};

/// What has been attached.
struct Attachments {
  std::vector<bpf_link *> links;  ///< owned
  std::vector<AttachedWalk> walks;
  std::vector<ProgramCopy> copies;
  UserLinks user_links;
  EnabledTests tests;
  /// Places in user programs where no probe was set.
  SitesLeftOut left_out;
};

/// Attaches `program` as `plan` says, at `sites` if its kind has sites: plan.sites, or some that came to be known
/// later. Errors name the hook and the missing kernel feature where it is known.
Result<Unit> attach_hook(bpf_program &program, const ProgramPlan &plan, std::span<const SitePlan> sites,
                         const AttachCpus &cpus, Attachments &to, AttachReport &report);

}  // namespace dtrace::runtime
