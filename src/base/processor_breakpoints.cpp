// SPDX-License-Identifier: Apache-2.0
#include "base/processor_breakpoints.h"

#include <linux/hw_breakpoint.h>
#include <linux/perf_event.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <cstdint>

#include "base/owned.h"

namespace dtrace {
namespace {

bool try_breakpoint() {
  alignas(8) static volatile uint64_t watched;
  perf_event_attr attributes{};
  attributes.size = sizeof attributes;
  attributes.type = PERF_TYPE_BREAKPOINT;
  attributes.bp_type = HW_BREAKPOINT_W;
  attributes.bp_addr = reinterpret_cast<uintptr_t>(&watched);
  attributes.bp_len = HW_BREAKPOINT_LEN_8;
  attributes.exclude_kernel = 1;
  attributes.exclude_hv = 1;
  const Fd event(static_cast<int>(::syscall(SYS_perf_event_open, &attributes, 0, -1, -1, PERF_FLAG_FD_CLOEXEC)));
  if (!event) return true;
  watched = 1;
  uint64_t nr_fired = 0;
  return ::read(event.get(), &nr_fired, sizeof nr_fired) != sizeof nr_fired || nr_fired != 0;
}

}  // namespace

bool processor_breakpoints_fire() {
  static const bool fire = try_breakpoint();
  return fire;
}

}  // namespace dtrace
