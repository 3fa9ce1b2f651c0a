// SPDX-License-Identifier: Apache-2.0
// Walks of the provider iter: when they are due, and the walk itself. The kernel walks while the consumer reads a file
// that has no bytes, in the consumer's thread. A walk is made in parts, between which the caller empties the buffers:
// so no record of a walk is lost for lack of room, however many objects there are.
#pragma once

#include <chrono>
#include <cstdint>
#include <functional>
#include <vector>

#include "base/result.h"
#include "plan/plan.h"
#include "runtime/load/enabling.h"

namespace dtrace::runtime {

class Walks {
 public:
  using Clock = std::chrono::steady_clock;
  /// Empties the buffers. False: the walk is to end.
  using Between = std::function<bool()>;

  /// `enabling` outlives it.
  explicit Walks(Enabling &enabling) : enabling_(enabling) {}

  /// Periods begin now. After attach().
  void start(Clock::time_point now);
  /// When the next walk is due; never: Clock::time_point::max().
  Clock::time_point next() const;
  /// Makes those that are due. Errors: the kernel refuses to walk.
  Result<Unit> run_due(Clock::time_point now, const Between &between);
  /// Makes those of the beginning or of the end.
  Result<Unit> run(WalkHook::When when, const Between &between);
  /// How many were left out since the last call, because they were due while another one was made.
  uint64_t take_skipped() { return std::exchange(skipped_, 0); }

 private:
  struct Period {
    uint64_t period_ns;
    Clock::time_point next;
  };
  Result<Unit> run(WalkHook::When when, uint64_t period_ns, const Between &between);
  Result<Unit> walk(const AttachedWalk &walk, const Between &between);
  /// Objects whose records surely fit into half a buffer.
  uint64_t objects_in_a_part() const;

  Enabling &enabling_;
  std::vector<Period> periods_;
  uint64_t skipped_ = 0;
};

}  // namespace dtrace::runtime
