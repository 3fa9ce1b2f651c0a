// SPDX-License-Identifier: Apache-2.0
// Macro variables that stand for ids: $pid $ppid $pgid $sid $uid $euid $gid $egid $target, and illumos' $projid $taskid
// $zoneid, which are 0 here. $0..$N are the command line's, not the process's.
#pragma once

#include <sys/types.h>

#include <cstdint>
#include <optional>
#include <string_view>

namespace dtrace::runtime {

/// The value of macro variable `name` (without its '$'); nothing if there is no such macro. The ids are those of this
/// process; `target` is the pid of the first -c or -p, 0 if none.
std::optional<int64_t> macro_value(std::string_view name, pid_t target);

}  // namespace dtrace::runtime
