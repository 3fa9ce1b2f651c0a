// SPDX-License-Identifier: Apache-2.0
// Probes that were set in a file when a process had it mapped already: what they would have seen until then is lost,
// and is reported by file. Times are ns of CLOCK_MONOTONIC.
#pragma once

#include <sys/types.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "plan/plan.h"
#include "runtime/user/linker_wait.h"

namespace dtrace::runtime {

class LateTally {
 public:
  struct Late {
    size_t probes = 0;
    uint64_t longest_ns = 0;  ///< from the mapping until the probes were set

    void add(uint64_t ns) {
      ++probes;
      longest_ns = std::max(longest_ns, ns);
    }
  };
  /// A file that a process mapped.
  struct Mapped {
    pid_t pid;
    uint64_t inode;
    uint64_t time_ns;
    std::string file;  ///< its name, by which it is reported
  };

  /// From now on this process waits in its linker until its libraries' probes are set.
  void note_waiter(pid_t pid) { waiters_.insert(pid); }
  void note_mapped(Mapped mapped) { mapped_.push_back(std::move(mapped)); }
  /// Notifications of mappings that were made since `since_ns` were lost. Until end_look(), any process may have mapped
  /// what has no notification.
  void note_unheard(uint64_t since_ns) {
    unheard_since_ns_ = since_ns;
    ++nr_unheard_;
  }
  /// How often that was since the last call: files whose processes have ended meanwhile stay unknown.
  uint64_t take_unheard() { return std::exchange(nr_unheard_, 0); }
  /// Waits that began since the last call.
  void note_waits(std::vector<LinkerWait::Request> waits) {
    waits_ = std::move(waits);
    for (const LinkerWait::Request &wait : waits_) waiters_.insert(wait.pid);
  }
  /// Probes are set from `now_ns` on. `held`: a process that has not run since it mapped the file.
  /// `only_waiters`: they fire in no process that does not wait.
  void note_set(std::span<const SitePlan> sites, std::optional<pid_t> held, uint64_t now_ns, bool only_waiters = false);
  /// A file that has probes was mapped so long ago, and they were not set in it.
  void note_unset(const std::string &file, uint64_t ns) { late_[file].add(ns); }
  /// All that was mapped has been looked at. A process that is gone before that ran what it mapped without its probes.
  void end_look(uint64_t now_ns, const std::function<bool(pid_t)> &is_gone);

  /// By file, those found since the last call. `is_end`: with those of which it is not certain.
  std::map<std::string, Late> take(bool is_end);

 private:
  bool has_waited(pid_t pid, uint64_t mapped_ns, uint64_t set_ns) const;

  std::vector<Mapped> mapped_;  // and not looked at
  std::optional<uint64_t> unheard_since_ns_;
  uint64_t nr_unheard_ = 0;
  std::set<pid_t> waiters_;
  std::vector<LinkerWait::Request> waits_;
  // Set in a file before its process came to wait, which shows that it had not yet used it.
  struct Uncertain {
    pid_t pid;
    uint64_t mapped_ns, set_ns;
    std::string file;
  };
  std::vector<Uncertain> uncertain_;
  std::map<std::string, Late> late_;
};

}  // namespace dtrace::runtime
