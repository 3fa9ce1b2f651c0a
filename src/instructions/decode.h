// SPDX-License-Identifier: Apache-2.0
// Machine code of user programs, as far as probes must know it: where instructions begin, and where control may go from
// each. The decoder is LLVM's; nobody else sees it.
//
// What a reader would get wrong: nothing tells code from data. Bytes are decoded one after another from the start of a
// function; where data lies in between, the result is boundaries of no instruction. So a result that is not `complete`
// is good for nothing behind its last instruction, and one that is complete is as good as the symbol's size.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace dtrace {

enum class MachineIsa : uint8_t { kX86_64, kX86_32, kAarch64 };

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
  bool is_vector = false;        ///< has a VEX, EVEX or XOP prefix
  bool writes_general = true;    ///< some general register; known to be false of vector instructions only
  bool is_through_slot = false;  ///< kIndirectJump: to an address kept in a fixed place, as those of other files are
  bool is_case_jump = false;     ///< kIndirectJump: to one of the function's own cases, by a table of distances
  bool is_tail_call = false;     ///< kIndirectJump: to another function, in place of a call and a return
  uint64_t target = 0;           ///< kJump, kBranch: address
};

struct DecodedCode {
  std::vector<Instruction> instructions;
  bool complete = false;  ///< every byte belongs to an instruction
};

/// Decodes all of `code`, which lies at `address`.
DecodedCode decode_instructions(MachineIsa isa, std::span<const std::byte> code, uint64_t address);

}  // namespace dtrace
