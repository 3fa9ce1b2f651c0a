// SPDX-License-Identifier: Apache-2.0
// In which pid namespace dtrace runs: numbers of processes that users write and read are those of its own.
#pragma once

#include <cstdint>

#include "base/result.h"

namespace dtrace::runtime {

/// Inode of our pid namespace; 0: it is the initial one. Asked once.
uint32_t nested_pid_namespace();

/// Errors: /proc shows another pid namespace than ours, so that a process's number means another process there.
Result<Unit> check_proc_namespace();

}  // namespace dtrace::runtime
