// SPDX-License-Identifier: Apache-2.0
// Waiting until every BPF program that runs now has ended.
#pragma once

#include "base/result.h"

namespace dtrace::runtime {

/// Returns when every program that does not sleep and was running has ended: after an RCU grace period, 10 to 50 ms.
Result<Unit> wait_for_running_programs();

/// The same, for kernels with nohz_full, which refuse the global memory barrier: to replace a map in an array of maps
/// waits, too.
Result<Unit> wait_by_replacing_a_map();

}  // namespace dtrace::runtime
