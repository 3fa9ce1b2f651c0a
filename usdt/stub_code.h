// SPDX-License-Identifier: Apache-2.0
// Machine code of the call stubs. A probe's stub is a landing pad, copies of floating-point arguments, the site's
// one-byte (or one-word) nop and a return; that of an is-enabled test returns the semaphore.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "usdt/target.h"

namespace dtrace::usdt {

/// A reference from code to the semaphore.
struct CodeReference {
  uint64_t offset;
  uint32_t type;
  int64_t addend;
};

struct MachineCode {
  uint16_t machine;
  std::string_view probe;
  uint64_t nop_offset;  ///< in `probe`; a return of the same size follows
  std::string_view test;
  std::vector<CodeReference> test_references;
  uint32_t address_32, address_64;  ///< relocation types of a whole address
  uint64_t alignment;
  /// GNU property of code that indirect branches and shadow stacks may meet, and what of it holds for ours.
  uint32_t property, property_bits;

  std::string_view nop() const { return probe.substr(nop_offset, (probe.size() - nop_offset) / 2); }
};

/// Copies of the vector registers that hold floating-point arguments of these sizes, to where a note can name them: the
/// red zone of x86-64, scratch registers of AArch64. To be inserted in `probe` at `nop_offset`.
std::string copies_of_reals(uint16_t machine, const std::vector<unsigned> &sizes_bytes);

/// Null: no stubs for that machine.
const MachineCode *machine_code(const Target &target);

}  // namespace dtrace::usdt
