// SPDX-License-Identifier: Apache-2.0
// Lines of Python functions, from the tables that code objects carry.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>

namespace dtrace::runtime {

/// The line of a position in a function's code. `version`: (major << 8 | minor); `table`: co_lnotab (3.9) or
/// co_linetable, or its beginning if `is_cut`; `position`: in units of two bytes of code. Nothing: the code there has
/// no line, or the table does not reach so far.
std::optional<uint32_t> python_line(uint32_t version, std::span<const std::byte> table, bool is_cut,
                                    uint32_t first_line, uint32_t position);

}  // namespace dtrace::runtime
