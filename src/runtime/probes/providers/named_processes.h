// SPDX-License-Identifier: Apache-2.0
// Processes as messages name them.
#pragma once

#include <sys/types.h>

#include <span>
#include <string>

namespace dtrace::runtime {

/// "process 12 (cache)", "3 processes". Where there are several, a name would be one of many.
std::string named_processes(std::span<const pid_t> pids);

}  // namespace dtrace::runtime
