// SPDX-License-Identifier: Apache-2.0
// When rows were, by the clock on the wall: records have the clock that never jumps.
#pragma once

#include <time.h>

#include <cstdint>
#include <string>

#include "runtime/events/sink.h"

namespace dtrace::runtime {

uint64_t nanoseconds_of(clockid_t clock);

/// Nanoseconds since 1970 of a time of CLOCK_MONOTONIC, by how far the clocks are apart now.
uint64_t wall_time_ns(uint64_t monotonic_ns);
/// "2026-11-25T03:47:59.123456+00:00" in local time, as RFC 3339 has it.
std::string wall_time_text(uint64_t wall_ns);
/// When a run began and how long it lasted.
class RunClock {
 public:
  /// It begins now. `is_live` false: saved runs are shown, which were at some other time, and all is 0.
  explicit RunClock(bool is_live);
  /// What follows is not the run's any more. The first call counts.
  void stop();
  uint64_t began_ns() const { return began_ns_; }  ///< since 1970
  uint64_t lasted_ns() const { return end_ns_ - start_ns_; }

 private:
  uint64_t began_ns_ = 0, start_ns_ = 0, end_ns_ = 0;
};

/// Time stamp of a row; the current time if the row has none.
std::string row_stamp(const RowEvent &row);

}  // namespace dtrace::runtime
