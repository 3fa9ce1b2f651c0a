// SPDX-License-Identifier: Apache-2.0
// Attaching a program to instructions of user programs: links of many sites in one file and process where the kernel
// has such links (uprobe_multi), else a perf event each.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "base/result.h"
#include "plan/plan.h"

struct bpf_program;

namespace dtrace::runtime {

/// Links to user programs. They are made and closed where no signal can interrupt it (attach_shield.h).
class UserLinks {
 public:
  UserLinks() = default;
  ~UserLinks() { close(); }
  UserLinks(const UserLinks &) = delete;
  UserLinks &operator=(const UserLinks &) = delete;

  /// Removes the probes.
  void close();

 private:
  friend class SiteAttacher;
  // Links of return probes are closed first. Closing any link waits until no function that is running keeps a return
  // probe alive. A timer of the kernel gives these up after 0.1 s, but each new call with a return probe sets it anew:
  // in a busy process it never comes while there are return probes, and closing waits for the outermost function.
  std::vector<int> returns_, others_;
};

/// Attaches `program` to some sites. One whose process has ended is no error. One whose instruction the kernel cannot
/// probe is left out, and named in `refused`: "/usr/lib/libc.so.6 at offset 0x1234".
Result<Unit> attach_sites(const bpf_program &program, const ProgramPlan &plan, std::span<const SitePlan> sites,
                          UserLinks &links, std::vector<std::string> &refused);

}  // namespace dtrace::runtime
