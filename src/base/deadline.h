// SPDX-License-Identifier: Apache-2.0
// Points in time that options set.
#pragma once

#include <chrono>

namespace dtrace {

/// `wait` after `now`; the end of time, where the clock does not reach so far (a duration may be 292 years).
inline std::chrono::steady_clock::time_point after(std::chrono::steady_clock::time_point now,
                                                   std::chrono::nanoseconds wait) {
  constexpr auto kEnd = std::chrono::steady_clock::time_point::max();
  return wait > kEnd - now ? kEnd : now + wait;
}

}  // namespace dtrace
