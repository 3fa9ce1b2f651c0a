// SPDX-License-Identifier: Apache-2.0
// How much of the stack the programs of an object need. BPF programs have 512 bytes for all functions of a chain of
// calls, which LLVM does not know: it sees one function at a time.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

namespace dtrace::codegen {

/// The chains of calls of an object's functions, each counted on its own.
struct CallDepth {
  static constexpr uint32_t kMaxStackBytes = 512;
  static constexpr uint32_t kMaxFrames = 8;

  uint32_t stack_bytes = 0;  ///< of the chain that needs most
  uint32_t frames = 0;       ///< of the longest chain
  bool fits() const { return stack_bytes <= kMaxStackBytes && frames <= kMaxFrames; }
};

/// As the verifier counts, frames rounded up to 32 bytes, which older kernels do; newer ones round up to 16.
/// `elf`: a relocatable BPF object. `linked`: another that has the functions that `elf` calls and does not have, or
/// nothing. Functions that call themselves, and objects that cannot be read, count as nothing: the verifier will say.
CallDepth call_depth(std::span<const char> elf, std::span<const std::byte> linked);

}  // namespace dtrace::codegen
