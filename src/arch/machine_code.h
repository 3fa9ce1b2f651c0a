// SPDX-License-Identifier: Apache-2.0
// Machine code of user programs, as far as probes must know it: where instructions begin, where control may go from
// each, and where the kernel takes no probe.
//
// What a reader would get wrong: nothing tells code from data. Bytes are decoded one after another from the start of a
// function; where data lies in between, the result is boundaries of no instruction. So a result that is not `complete`
// is good for nothing behind its last instruction, and one that is complete is as good as the symbol's size.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include "arch/machine.h"

namespace dtrace::arch {

struct Instruction {
  enum class Kind : uint8_t {
    kOther,         ///< goes on behind itself
    kReturn,        ///< from the function
    kJump,          ///< to `target` only
    kBranch,        ///< to `target` or on
    kIndirectJump,  ///< nobody knows where
    kCall,
    kNop,
    kTrap,  ///< breakpoint, undefined: does not go on
  };
  uint32_t offset = 0;  ///< from the start of the code
  uint8_t size_bytes = 0;
  Kind kind = Kind::kOther;
  bool is_vector = false;        ///< in an encoding of vector instructions only (VEX, EVEX, XOP)
  bool writes_general = true;    ///< some general register; known to be false of vector instructions only
  bool is_through_slot = false;  ///< kIndirectJump: to an address that a fixed location holds, such as a GOT entry
  bool is_case_jump = false;     ///< kIndirectJump: to one of the function's own cases, by a table of distances
  bool is_tail_call = false;     ///< kIndirectJump: to another function, in place of a call and a return
  /// Copies the link register (arm64: x30) to another register, or to memory that is not counted from the stack pointer
  /// or the frame pointer.
  bool copies_link = false;
  /// The instruction's one memory operand lies `memory_offset` bytes from this register, by DWARF's number: a load or a
  /// store on x86-64, POP among them; on arm64 a load into any register but the link register. kNoRegister: it has
  /// none, or an index takes part in its address.
  uint8_t memory_base = kNoRegister;
  int32_t memory_offset = 0;
  uint64_t target = 0;  ///< kJump, kBranch: address; is_through_slot: of the location, 0: not known

  static constexpr uint8_t kNoRegister = 0xff;
};

struct DecodedCode {
  std::vector<Instruction> instructions;
  bool complete = false;  ///< every byte belongs to an instruction
};

/// What call frame information says of a function's first instruction if a call, and nothing else, leads there.
struct CallState {
  FrameRegisters registers;
  int32_t cfa_offset;     ///< of the canonical frame address, from the stack pointer: bytes
  int32_t return_offset;  ///< of the return address, from that one: bytes; 0: the link register has it
};

/// What a folder supplies. `is_64bit`: of the program; 32-bit programs may have another instruction set.
struct MachineCode {
  /// Decodes all of `code`, which lies at `address`.
  DecodedCode (*decode)(bool is_64bit, std::span<const std::byte> code, uint64_t address);
  /// False: a function that begins with this byte can have a probe on its first instruction.
  bool (*may_be_hazard)(std::byte first);
  /// Why no probe may be set at each instruction of `code`, a function that has been decoded. Empty: one may.
  std::vector<std::string_view> (*hazards)(bool is_64bit, std::span<const std::byte> code, uint64_t address,
                                           std::span<const Instruction> instructions);
  /// The function that the instruction in front of `return_address` calls, if the call states it. `before`: its
  /// kMaxCallBytes or fewer bytes in front of that address. Bytes that only look like a call may give a wrong function.
  std::optional<uint64_t> (*called_before)(std::span<const std::byte> before, uint64_t return_address);
  static constexpr size_t kMaxCallBytes = 5;
  CallState (*after_call)(bool is_64bit);
};

extern const MachineCode kX86_64Code, kAarch64Code;

/// The code of an ELF file's machine (e_machine); an unknown number gives the machine that dtrace was built for.
const MachineCode &machine_code_of(uint16_t elf_machine);

}  // namespace dtrace::arch
