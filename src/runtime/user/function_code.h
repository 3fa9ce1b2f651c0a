// SPDX-License-Identifier: Apache-2.0
// The machine code of one function: its instructions, the ways out of it, and where a probe would do harm.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

#include "arch/machine_code.h"
#include "runtime/user/user_object.h"

namespace dtrace::runtime {

using arch::Instruction;

/// Where calls of the function are seen, as FunctionCode::entry(). Decodes only if it must.
std::optional<uint32_t> entry_of(UserObject &object, const UserFunction &function);

class FunctionCode {
 public:
  /// Reads and decodes. What cannot be read has no instructions.
  FunctionCode(UserObject &object, const UserFunction &function);

  const std::vector<Instruction> &instructions() const { return code_.instructions; }
  /// Every byte was decoded; else there may be more behind the last instruction.
  bool complete() const { return code_.complete; }
  /// The instruction at that offset from the function's start; null: none begins there.
  const Instruction *at(uint64_t offset) const;

  /// Where to see calls of the function: its first instruction, or if no probe may be set there, a later one before
  /// which nothing has happened to arguments and stack. Nothing if there is none.
  std::optional<uint32_t> entry() const;
  /// Every return instruction.
  std::vector<uint32_t> returns() const;
  /// Whether all ways out of the function are its return instructions, and each may have a probe. Not so if it jumps
  /// elsewhere (a tail call, a part that the compiler moved away) or nobody knows where to.
  bool leaves_by_returns_only() const;
  /// It calls no other function: nothing can unwind the stack through it, and it cannot be running twice.
  bool calls_nothing() const;

  /// Why no probe may be set at one of instructions(); empty: one may.
  std::string_view hazard(const Instruction &instruction) const;

 private:
  uint64_t address_;
  uint64_t size_bytes_;
  arch::DecodedCode code_;
  std::vector<std::string_view> hazards_;  // per instruction
};

}  // namespace dtrace::runtime
