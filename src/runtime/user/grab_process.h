// SPDX-License-Identifier: Apache-2.0
// The processes that probe descriptions name by number: pid1234, plockstat1234, watchpoint1234.
#pragma once

#include <sys/types.h>

#include <string_view>
#include <vector>

#include "base/result.h"
#include "runtime/user/user_object.h"

namespace dtrace::runtime {

/// The number behind a provider's name. Errors: D_PROC_BADPID, for what is no number of a process.
Result<pid_t> process_number(std::string_view digits);

/// UserObjects::of_process(). Errors: D_PROC_GRAB, by the process's number.
Result<std::vector<MappedObject>> grab_process(UserObjects &objects, pid_t pid,
                                               std::vector<UserObjects::Refusal> *refusals = nullptr);

}  // namespace dtrace::runtime
