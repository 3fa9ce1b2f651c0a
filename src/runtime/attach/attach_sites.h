// SPDX-License-Identifier: Apache-2.0
// Attaching a program to instructions of user programs: links of many sites in one file and process where the kernel
// has such links (uprobe_multi), else a perf event each.
#pragma once

#include <memory>
#include <set>
#include <span>
#include <string>
#include <vector>

#include "base/progress.h"
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
  /// Gives up the links to some files: the descriptors, for close_links().
  std::vector<int> release(const std::set<const UserFile *> &files);

 private:
  friend class SiteAttacher;
  struct Links {
    std::vector<int> fds;
    std::vector<std::shared_ptr<const UserFile>> files;  // of each
  };
  // Links of return probes are closed first. Closing any link waits until no function that is running keeps a return
  // probe alive. A timer of the kernel gives these up after 0.1 s, but each new call with a return probe sets it anew:
  // in a busy process it never comes while there are return probes, and closing waits for the outermost function.
  Links returns_, others_;
};

/// Removes probes whose links were given up. May take as long as functions with return probes are running.
void close_links(std::span<const int> fds);

/// Sites where no probe was set, while others were.
struct SitesLeftOut {
  std::vector<std::string> instructions;  ///< the kernel cannot probe them: "/usr/lib/libc.so.6 at offset 0x1234"
  std::vector<std::string> files;         ///< the kernel sets no probe in them: "/mnt/program: Input/output error"
  uint64_t unopened = 0;                  ///< files for which there was no descriptor or no memory
};

/// Attaches `program` to some sites. One whose process has ended is no error. One whose instruction the kernel cannot
/// probe is left out, as is one of several files in which it sets no probe. `progress` counts sites.
Result<Unit> attach_sites(const bpf_program &program, const ProgramPlan &plan, std::span<const SitePlan> sites,
                          UserLinks &links, SitesLeftOut &left_out, const TellProgress &progress = {});

}  // namespace dtrace::runtime
