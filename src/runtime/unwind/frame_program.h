// SPDX-License-Identifier: Apache-2.0
// The programs of call frame information (DWARF 5, section 6.4): from the instructions of an entry to rows, each the
// rule that holds from an address on.
//
// A file's rules know all registers and any expression. Ours know what compilers and the C library's hand-written code
// use (bpf/dt_unwind.h); where a file wants more there is no rule, and a walk ends there and says so.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <span>
#include <vector>

#include "arch/machine.h"
#include "bpf/dt_unwind.h"

namespace dtrace::runtime {

/// What the entries of functions have in common (a CIE).
struct CommonEntry {
  uint64_t code_align = 1;
  int64_t data_align = 1;
  uint64_t return_register = 0;
  uint8_t pointer_encoding = 0;
  bool has_augmentation_size = false;
  bool is_signal = false;
  std::vector<std::byte> instructions;
};

/// The code that an entry is about: [start, end), addresses in the file.
struct CodeRange {
  uint64_t start = 0, end = 0;
};

/// `rule` holds from `start` to `end`.
using TakeRule = std::function<void(uint64_t start, uint64_t end, const dt_unwind_rule &rule)>;

/// Runs the programs of an entry, and gives its rules in the order of addresses, those of empty ranges left out.
/// `nr_operations`: how many instructions may run, and how many are left afterwards. False: the entry is damaged, or
/// would take more; the rules until then were given.
bool run_frame_program(const CommonEntry &common, std::span<const std::byte> instructions, const CodeRange &code,
                       const arch::FrameRegisters &registers, uint64_t &nr_operations, const TakeRule &take);

bool operator==(const dt_unwind_rule &a, const dt_unwind_rule &b);

}  // namespace dtrace::runtime
