// SPDX-License-Identifier: Apache-2.0
// Where a parameter's or variable's value is while an instruction is about to run, from its location in the debug
// information.
//
// What a reader would get wrong: without optimisation a parameter is said to be in the function's frame from the first
// instruction on, but the code that stores it there has not run yet. At the first instruction such a parameter is where
// the calling convention passes it; from there until the function's body begins nothing says where it is.
#pragma once

#include <elfutils/libdw.h>

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "plan/user_operand.h"
#include "runtime/debug_info/code_frames.h"

namespace dtrace::runtime {

struct ValueLocation {
  enum class Kind : uint8_t {
    kMissing,     ///< `reason` says why
    kConvention,  ///< where the function's caller put it, by the calling convention
    kWords,       ///< `words`: registers or constants, 8 bytes each, the last may have less
    kMemory,      ///< at the address that `words.front()` computes
    kPointed,     ///< at the address that `words.front()` loads from memory
    kByCaller,    ///< the compiler removed it: calls state what they would pass for `parameter` (call_values.h)
  };
  Kind kind = Kind::kMissing;
  std::vector<UserOperand> words;
  std::string reason;  ///< kByCaller: that holds if no call states it
  Dwarf_Die parameter{};
  bool is_not_said = false;    ///< kMissing: the location list leaves out the function's first instruction
  bool is_everywhere = false;  ///< it is stated for the whole function, which may have to put the value there first
};

/// Why a parameter of a clone (.isra, .constprop) has no value where nothing is known of the function's caller.
inline constexpr std::string_view kOnlyCallersKnow =
    "the compiler removed this parameter; only the callers know its value";

/// Why a value in a floating-point register is missing, for messages.
inline constexpr std::string_view kInVectorRegister =
    "it is in a floating-point or vector register, which the kernel does not show to probes";

/// An instruction, and the function that it is in.
struct CodePoint {
  uint64_t pc = 0;  ///< its address in the file
  Dwarf_Die function{};
  bool is_entry = false;           ///< it is the function's first
  CodeFrames *frames = nullptr;    ///< of the file; null: not known. Entries need none
  uint64_t start = 0, end = 0;     ///< the function's code around it
  std::optional<uint64_t> body{};  ///< where the frame is set up and has the parameters
  bool begins_call = false;        ///< the variable is of an inlined call that begins here, and has stored nothing yet
};

/// `variable` has the location. `size_bytes`: of the value.
ValueLocation location_at(Dwarf_Die *variable, const CodePoint &point, uint64_t size_bytes);

}  // namespace dtrace::runtime
