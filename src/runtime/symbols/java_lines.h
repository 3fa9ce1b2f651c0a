// SPDX-License-Identifier: Apache-2.0
// Lines of Java methods, from the tables that HotSpot keeps of them.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>

namespace dtrace::runtime {

/// The line of a bytecode. `bias`: dt_hotspot.number_bias; `table`: the memory behind the method's code, which begins
/// with the table of lines; `bytecode`: the offset in the method. Nothing: the table has no line for it, or no end.
std::optional<uint32_t> java_line(uint32_t bias, std::span<const std::byte> table, uint32_t bytecode);

}  // namespace dtrace::runtime
