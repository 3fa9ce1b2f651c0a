// SPDX-License-Identifier: Apache-2.0
// Where a parameter's value is while a function's first instruction runs, from its location in the debug information.
//
// What a reader would get wrong: without optimisation a parameter is said to be in the function's frame from the first
// instruction on, but the code that stores it there has not run yet. Such a parameter is where the calling convention
// passes it.
#pragma once

#include <elfutils/libdw.h>

#include <cstdint>
#include <string>
#include <vector>

#include "plan/user_operand.h"

namespace dtrace::runtime {

struct ValueLocation {
  enum class Kind : uint8_t {
    kMissing,     ///< `reason` says why
    kConvention,  ///< where the function's caller put it, by the calling convention
    kWords,       ///< `words`: registers or constants, 8 bytes each, the last may have less
    kMemory,      ///< at the address that `words.front()` computes
  };
  Kind kind = Kind::kMissing;
  std::vector<UserOperand> words;
  std::string reason;
};

/// `parameter` has the location, `function` the frame that it may be relative to; `pc`: address of the function's first
/// instruction in the file. `size_bytes`: of the value.
ValueLocation location_at_entry(Dwarf_Die *parameter, Dwarf_Die *function, uint64_t pc, uint64_t size_bytes);

}  // namespace dtrace::runtime
