// SPDX-License-Identifier: Apache-2.0
// Functions that the kernel runs while it sets and removes probes of other functions.
//
// Why they matter: the kernel writes into each function that gets a probe. For each it runs about 100 functions, the
// timer's among them. Where those have probes already, each firing delays the rest: entry probes of 43 000 functions
// took 3 s, return probes after them 45 s (6.12, emulated).
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

namespace dtrace::runtime {

/// A wrong answer costs time, and nothing else.
bool is_busy_function(std::string_view name);

/// Where those of the core kernel begin, ascending. `kallsyms`: text of /proc/kallsyms.
std::vector<uint64_t> busy_addresses(std::string_view kallsyms);

}  // namespace dtrace::runtime
