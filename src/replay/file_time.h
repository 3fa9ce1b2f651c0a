// SPDX-License-Identifier: Apache-2.0
// The clocks of the recorded machine: they stand where the firing that is replayed was.
#pragma once

#include <cstdint>

#include "recording/reader.h"
#include "runtime/output/wall_time.h"

namespace dtrace::replay {

class FileTime final : public runtime::RunTime {
 public:
  explicit FileTime(const recording::Reader &recording);
  void set(uint64_t monotonic_ns) { now_ns_ = monotonic_ns; }
  uint64_t monotonic_ns() const { return now_ns_; }
  /// Does the recording say what CLOCK_REALTIME was?
  bool has_wall() const { return has_wall_; }
  /// Without CLOCK_REALTIME all clocks are CLOCK_MONOTONIC.
  uint64_t now_ns(clockid_t clock) const override {
    return clock == CLOCK_REALTIME ? now_ns_ + wall_offset_ns_ : now_ns_;
  }

 private:
  uint64_t now_ns_ = 0;
  uint64_t wall_offset_ns_ = 0;  // CLOCK_REALTIME less CLOCK_MONOTONIC
  bool has_wall_ = false;
};

}  // namespace dtrace::replay
