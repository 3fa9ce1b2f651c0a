// SPDX-License-Identifier: Apache-2.0
// Starts a program as posix_spawn(3) does, with a step of ours in the child before it becomes the program.
#pragma once

#include <sys/types.h>

#include <functional>

#include "base/result.h"

namespace dtrace::runtime {

/// `program` is looked for in PATH unless it has a slash. `prepare` runs in the child, in our memory while we wait:
/// only system calls; false ends the child. Signals are blocked until then; handlers of ours are gone, and what is
/// ignored stays ignored. `started` is called with the child's pid before signals reach us again. Errors: the program
/// cannot be run, with errno.
Result<pid_t> start_program(const char *program, char *const *argv, const std::function<bool()> &prepare,
                            const std::function<void(pid_t)> &started = {});

}  // namespace dtrace::runtime
