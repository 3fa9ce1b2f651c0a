// SPDX-License-Identifier: Apache-2.0
// Perf's sources of dynamic probes, as sysfs describes them.
#pragma once

#include <cstdint>

namespace dtrace::runtime {

struct ProbeEvents {
  uint32_t type = 0;         ///< for perf_event_attr.type; 0: the kernel has none
  uint64_t return_flag = 0;  ///< bit of perf_event_attr.config that means "at return"

  /// Functions of the kernel. Read once.
  static const ProbeEvents &of_kernel();
  static const ProbeEvents &of_user_programs();
};

/// Each event is a file descriptor, and the usual limit is less than we allow: raises it as far as may be.
void allow_many_events();

}  // namespace dtrace::runtime
