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

const RunTime &this_machines_time() {
  static const RunTime time;
  return time;
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

RunClock::RunClock(const RunTime *time) : time_(time) {
  if (time_ == nullptr) return;
  began_ns_ = time_->now_ns(CLOCK_REALTIME);
  start_ns_ = end_ns_ = time_->now_ns(CLOCK_MONOTONIC);
}

void RunClock::stop() {
  if (start_ns_ != 0 && end_ns_ == start_ns_) end_ns_ = time_->now_ns(CLOCK_MONOTONIC);
}

std::string row_stamp(const RowEvent &row, const RunTime &time) {
  return wall_time_text(row.time_ns ? time.wall_ns(*row.time_ns) : time.now_ns(CLOCK_REALTIME));
}

}  // namespace dtrace::runtime
