// SPDX-License-Identifier: Apache-2.0
// Names that D had not when old scripts were written: built-in variables and variables of the D library that only this
// DTrace has. A program that assigns or declares such a name has a variable of its own by that name, and the built-in
// one is hidden from it. A new variable that scripts may have used for something else is added here.
#pragma once

#include <algorithm>
#include <string_view>

namespace dtrace {

inline constexpr std::string_view kOwnNames[] = {
    "cgroup",  "cgrouppath", "container", "elapsed", "errno_name", "execarg", "loadavg",     "locals",
    "memfree", "memtotal",   "nspid",     "nstid",   "pod",        "regs",    "signal_name", "uptime",
};

constexpr bool is_own_name(std::string_view name) { return std::ranges::find(kOwnNames, name) != std::end(kOwnNames); }

}  // namespace dtrace
