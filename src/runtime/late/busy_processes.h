// SPDX-License-Identifier: Apache-2.0
// Which processes run now: those whose CPU time grows between two readings of /proc. On a busy machine a process may
// run seldom, so those count as well that have used one of a hundred parts of their lifetime.
#pragma once

#include <sys/types.h>

#include <chrono>
#include <cstdint>
#include <optional>
#include <string_view>
#include <utility>
#include <vector>

namespace dtrace::runtime {

/// Times of a process in clock ticks, from the text of /proc/PID/stat.
struct ProcessTicks {
  uint64_t used = 0;   ///< CPU time of all threads
  uint64_t start = 0;  ///< after boot
};
/// Nothing: the text makes no sense.
std::optional<ProcessTicks> process_ticks(std::string_view stat);

class BusyProcesses {
 public:
  /// The first reading.
  explicit BusyProcesses(const std::vector<pid_t> &pids);
  /// The second reading, not before some clock ticks have passed: the processes whose time has grown, and those that
  /// are new and have used some.
  std::vector<pid_t> busiest_first() const;

 private:
  std::vector<std::pair<pid_t, uint64_t>> ticks_;  // by process
  std::chrono::steady_clock::time_point read_;
};

}  // namespace dtrace::runtime
