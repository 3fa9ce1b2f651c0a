// SPDX-License-Identifier: Apache-2.0
// All the places where a function is left: its return instructions, the jumps to other functions that take the place of
// its return, and those of the parts that the compiler moved out of it.
//
// For processes whose stacks are unwound by their own code (exceptions of C++, panics of Rust, threads that are
// cancelled): the kernel's return probe replaces the return address, and an unwinder that finds it knows no function
// there. The program ends, or does not clean up.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "runtime/user/user_object.h"

namespace dtrace {

struct FunctionExit {
  uint64_t file_offset = 0;      ///< of the instruction
  uint32_t function_offset = 0;  ///< from the function's start; 0 in a part that lies elsewhere
};

/// Nothing: the code does not tell them all, or no probe may be set at one. Empty: the function does not return.
std::optional<std::vector<FunctionExit>> exits_of(UserObject &object, const UserFunction &function);

/// Does the process have code that unwinds its stacks?
bool unwinds_stacks(const std::vector<MappedObject> &objects);

}  // namespace dtrace
