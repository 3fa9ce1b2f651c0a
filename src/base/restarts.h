// SPDX-License-Identifier: Apache-2.0
// When a helper process that has ended is started again: some times, with growing pauses.
#pragma once

#include <chrono>
#include <optional>

namespace dtrace {

class Restarts {
 public:
  using Clock = std::chrono::steady_clock;

  static constexpr unsigned kMax = 6;
  static constexpr std::chrono::milliseconds kFirstPause{100};  ///< doubled each time
  /// A process that has run for so long begins with all restarts again.
  static constexpr std::chrono::minutes kForgotten{10};

  /// It has ended: how long until it is started again. Nothing: it is not.
  std::optional<std::chrono::milliseconds> next(Clock::time_point now) {
    if (last_ && now - *last_ > kForgotten) count_ = 0;
    last_ = now;
    if (count_ == kMax) return std::nullopt;
    return kFirstPause * (1 << count_++);
  }
  /// Restarts so far.
  unsigned count() const { return count_; }

 private:
  unsigned count_ = 0;
  std::optional<Clock::time_point> last_;
};

}  // namespace dtrace
