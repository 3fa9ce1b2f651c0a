// SPDX-License-Identifier: Apache-2.0
// The clock of the probes: CLOCK_MONOTONIC, as `timestamp` has it.
#pragma once

#include <cstdint>
#include <ctime>

namespace dtrace {

inline uint64_t monotonic_ns() {
  timespec now{};
  clock_gettime(CLOCK_MONOTONIC, &now);
  return static_cast<uint64_t>(now.tv_sec) * 1'000'000'000 + static_cast<uint64_t>(now.tv_nsec);
}

}  // namespace dtrace
