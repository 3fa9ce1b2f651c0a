// SPDX-License-Identifier: Apache-2.0
// Counters of what was lost, as they stand: programs count in one per-CPU map; what the kernel did not run is asked of
// its programs and links.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace dtrace::runtime {

class Enabling;

/// Firings that the kernel did not run (recursion protection).
struct MissedFirings {
  std::string program;
  uint64_t count = 0;
};

/// Records of bufpolicy=ring that gave way to what was no record.
struct LogGaps {
  unsigned cpu = 0;
  uint64_t count = 0;
};

/// Since the beginning.
struct LossCounters {
  std::vector<uint64_t> drops;  ///< [cause][clause][cpu], possible CPUs; it may end early
  std::vector<MissedFirings> missed;
  std::vector<LogGaps> log_gaps;  ///< each once; those of before come first
};

LossCounters read_loss_counters(const Enabling &enabling);

}  // namespace dtrace::runtime
