// SPDX-License-Identifier: Apache-2.0
#include "base/file_limit.h"

#include <fcntl.h>
#include <sys/resource.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>

namespace dtrace {
namespace {

/// The limit belongs to the process, and so does what it was.
std::atomic<bool> is_raised{false};
std::atomic<rlim_t> soft_before{0}, hard_before{0};

void change(const rlimit &from, const rlimit &to) {
  if (!is_raised) {
    soft_before = from.rlim_cur;
    hard_before = from.rlim_max;
  }
  if (setrlimit(RLIMIT_NOFILE, &to) == 0) is_raised = true;
}

}  // namespace

void raise_file_limit() {
  rlimit limit{};
  if (getrlimit(RLIMIT_NOFILE, &limit) == 0 && limit.rlim_cur < limit.rlim_max)
    change(limit, {limit.rlim_max, limit.rlim_max});
}

void raise_file_limit_to(size_t count) {
  rlimit limit{};
  if (getrlimit(RLIMIT_NOFILE, &limit) != 0 || limit.rlim_cur >= count) return;
  change(limit, {count, std::max<rlim_t>(limit.rlim_max, count)});
  raise_file_limit();  // without privileges, only what was given
}

void restore_file_limit() {
  if (!is_raised) return;
  const rlimit before{soft_before, hard_before};
  (void)setrlimit(RLIMIT_NOFILE, &before);
}

size_t file_limit() {
  constexpr rlim_t kMaxCounted = 1 << 20;
  rlimit limit{};
  return getrlimit(RLIMIT_NOFILE, &limit) == 0 ? std::min(limit.rlim_cur, kMaxCounted) : 0;
}

bool are_descriptors_scarce() {
  // The kernel gives the lowest number that is free.
  const int lowest = fcntl(STDERR_FILENO, F_DUPFD_CLOEXEC, 0);
  if (lowest < 0) return true;
  close(lowest);
  return static_cast<size_t>(lowest) > file_limit() / 4 * 3;
}

}  // namespace dtrace
