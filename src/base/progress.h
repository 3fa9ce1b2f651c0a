// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <chrono>
#include <cstddef>
#include <functional>

namespace dtrace {

/// Called with how much is done and how much there is; both the same: it is over.
using TellProgress = std::function<void(size_t done, size_t total)>;

/// Tells how far work is, once a second, when it takes long enough to wonder.
class Progress {
 public:
  /// `tell` may be empty, and outlives this.
  Progress(size_t total, const TellProgress &tell, std::chrono::nanoseconds every = std::chrono::seconds(1))
      : total_(total), tell_(tell), every_(every) {}
  ~Progress() {
    if (told_) tell_(total_, total_);
  }
  Progress(const Progress &) = delete;
  Progress &operator=(const Progress &) = delete;
  void at(size_t done) {
    if (!tell_ || Clock::now() < next_) return;
    tell_(done, total_);
    told_ = true;
    next_ = Clock::now() + every_;
  }

 private:
  using Clock = std::chrono::steady_clock;

  size_t total_;
  const TellProgress &tell_;
  std::chrono::nanoseconds every_;
  bool told_ = false;
  Clock::time_point next_ = Clock::now() + every_;
};

}  // namespace dtrace
