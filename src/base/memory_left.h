// SPDX-License-Identifier: Apache-2.0
// How much memory there is for buffers and tables. The kernel charges both to us: in a control group that is full, its
// allocations fail, which is a counted drop, but ours end the process.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace dtrace {

/// Bytes that this process may still take: the least of what the machine, its control groups and `ulimit -v` leave.
/// Pages of the file cache count as free. Reads a handful of files: some 50 microseconds.
uint64_t memory_left();

/// The same, by files below `root` in place of "/": for tests. `address_space` is what ulimit -v leaves.
uint64_t memory_left_in(const std::string &root, uint64_t address_space);

/// The number after `name` at the start of a line of `text`, 0 if there is none: "MemAvailable:   12 kB" gives 12.
uint64_t number_of_line(std::string_view text, std::string_view name);

}  // namespace dtrace
