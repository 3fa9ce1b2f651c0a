// SPDX-License-Identifier: Apache-2.0
// All addresses at which a function is left: its return instructions, the jumps to other functions that replace
// its return, and those of the parts that the compiler moved out of it.
//
// For processes that unwind their stacks (stack_use.h), in which a function that calls others must not get the kernel's
// return probe.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "runtime/user/user_object.h"

namespace dtrace::runtime {

struct FunctionExit {
  uint64_t file_offset = 0;      ///< of the instruction
  uint32_t function_offset = 0;  ///< from the function's start; 0 in a part that lies elsewhere
};

/// Nothing: the code does not tell them all, or no probe may be set at one. Empty: the function does not return.
std::optional<std::vector<FunctionExit>> exits_of(UserObject &object, const UserFunction &function);

}  // namespace dtrace::runtime
