// SPDX-License-Identifier: Apache-2.0
// When rows were, by the clock on the wall: records have the clock that never jumps.
#pragma once

#include <time.h>

#include <cstdint>
#include <string>

#include "runtime/events/sink.h"

namespace dtrace::runtime {

uint64_t nanoseconds_of(clockid_t clock);

/// The clocks of the machine whose run is shown: of this one, now.
class RunTime {
 public:
  virtual ~RunTime() = default;
  virtual uint64_t now_ns(clockid_t clock) const { return nanoseconds_of(clock); }
  /// Nanoseconds since 1970 of a time of CLOCK_MONOTONIC, by how far the clocks are apart now.
  uint64_t wall_ns(uint64_t monotonic_ns) const {
    return now_ns(CLOCK_REALTIME) - now_ns(CLOCK_MONOTONIC) + monotonic_ns;
  }
};
/// Those of this machine.
const RunTime &this_machines_time();

/// "2026-11-25T03:47:59.123456+00:00" in local time, as RFC 3339 has it.
std::string wall_time_text(uint64_t wall_ns);
/// When a run began and how long it lasted.
class RunClock {
 public:
  /// It begins now. `time` outlives this; null: saved runs are shown, whose times are not known, and all is 0.
  explicit RunClock(const RunTime *time);
  /// What follows is not the run's any more. The first call counts.
  void stop();
  uint64_t began_ns() const { return began_ns_; }  ///< since 1970
  uint64_t lasted_ns() const { return end_ns_ - start_ns_; }

 private:
  const RunTime *time_;
  uint64_t began_ns_ = 0, start_ns_ = 0, end_ns_ = 0;
};

/// Time stamp of a row; the current time if the row has none.
std::string row_stamp(const RowEvent &row, const RunTime &time);

}  // namespace dtrace::runtime
