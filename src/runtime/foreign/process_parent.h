// SPDX-License-Identifier: Apache-2.0
// Which process started a process.
#pragma once

#include <sys/types.h>

namespace dtrace::runtime {

/// The parent; 0 if there is none in our PID namespace, or the process is gone.
pid_t parent_of(pid_t pid);

}  // namespace dtrace::runtime
