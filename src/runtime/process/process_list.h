// SPDX-License-Identifier: Apache-2.0
// What -p takes: numbers of processes and, as kill(1) has them, of process groups, "12,34" or "-56".
#pragma once

#include <sys/types.h>

#include <string_view>
#include <vector>

#include "base/result.h"

namespace dtrace::runtime {

/// A process, or all of a group.
struct ProcessWord {
  pid_t number = 0;
  bool is_group = false;
  bool operator==(const ProcessWord &) const = default;
};

/// Errors: "invalid pid: TEXT".
Result<std::vector<ProcessWord>> parse_processes(std::string_view text);

/// The processes of a group, without this one: its leader first, then ascending. Errors: there is none.
Result<std::vector<pid_t>> processes_of_group(pid_t group);

}  // namespace dtrace::runtime
