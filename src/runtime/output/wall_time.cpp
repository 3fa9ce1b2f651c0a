// SPDX-License-Identifier: Apache-2.0
#include "runtime/output/wall_time.h"

#include <fmt/format.h>

#include <cstdlib>

namespace dtrace::runtime {

uint64_t nanoseconds_of(clockid_t clock) {
  timespec now{};
  clock_gettime(clock, &now);
  return static_cast<uint64_t>(now.tv_sec) * 1'000'000'000 + static_cast<uint64_t>(now.tv_nsec);
}

uint64_t wall_time_ns(uint64_t monotonic_ns) {
  return nanoseconds_of(CLOCK_REALTIME) - nanoseconds_of(CLOCK_MONOTONIC) + monotonic_ns;
}

std::string wall_time_text(uint64_t wall_ns) {
  const auto seconds = static_cast<time_t>(wall_ns / 1'000'000'000);
  tm local{};
  localtime_r(&seconds, &local);
  const long minutes = std::labs(local.tm_gmtoff) / 60;
  return fmt::format("{:04}-{:02}-{:02}T{:02}:{:02}:{:02}.{:06}{}{:02}:{:02}", local.tm_year + 1900, local.tm_mon + 1,
                     local.tm_mday, local.tm_hour, local.tm_min, local.tm_sec, wall_ns % 1'000'000'000 / 1000,
                     local.tm_gmtoff < 0 ? '-' : '+', minutes / 60, minutes % 60);
}

RunClock::RunClock(bool is_live) {
  if (!is_live) return;
  began_ns_ = nanoseconds_of(CLOCK_REALTIME);
  start_ns_ = end_ns_ = nanoseconds_of(CLOCK_MONOTONIC);
}

void RunClock::stop() {
  if (start_ns_ != 0 && end_ns_ == start_ns_) end_ns_ = nanoseconds_of(CLOCK_MONOTONIC);
}

std::string row_stamp(const RowEvent &row) {
  return wall_time_text(row.time_ns ? wall_time_ns(*row.time_ns) : nanoseconds_of(CLOCK_REALTIME));
}

}  // namespace dtrace::runtime
