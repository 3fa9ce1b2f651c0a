// SPDX-License-Identifier: Apache-2.0
// What calls would pass for parameters that the compiler has removed from the function (gcc's clones: .isra,
// .constprop).
//
// What a reader would get wrong: the debug information's name of the called function does not matter. With link-time
// optimisation it is often that of another copy. The instruction in front of the return address says what is called.
// A call states a value as it is for the caller. When the function's first instruction runs, the caller's registers and
// stack still have it.
#pragma once

#include <elfutils/libdw.h>

#include <cstdint>
#include <memory>
#include <optional>
#include <unordered_map>
#include <vector>

#include "plan/user_operand.h"
#include "plan/user_site.h"
#include "runtime/debug_info/code_frames.h"
#include "runtime/debug_info/dwarf_file.h"
#include "usdt/elf_file.h"

namespace dtrace::runtime {

class CallValues {
 public:
  /// The others outlive this. `file`: has the code.
  CallValues(DwarfFile &debug, std::shared_ptr<const UserFile> file, CodeFrames &frames)
      : debug_(debug), file_(std::move(file)), frames_(frames) {}

  /// What calls of the function at `entry` pass for a parameter, for a probe at `entry`. The debug information is
  /// walked once, at the first call. Nothing: no call states it in a way that a program can read.
  std::optional<UserOperand> of(uint64_t entry, Dwarf_Die parameter);

 private:
  struct Call {
    uint64_t return_address = 0;
    Dwarf_Die value;     ///< DW_TAG_call_site_parameter
    Dwarf_Die function;  ///< around the call
  };
  void read();
  void read_scope(Dwarf_Die *scope, const Dwarf_Die &function, unsigned depth);
  void add_call(Dwarf_Die *site, const Dwarf_Die &function);
  std::optional<uint64_t> called_by(const Call &call, const usdt::ElfFile &elf) const;
  std::optional<UserOperand> value_of(const Call &call, uint64_t entry);
  std::optional<UserOperand> frame_address(const Call &call, int64_t offset);

  DwarfFile &debug_;
  std::shared_ptr<const UserFile> file_;
  CodeFrames &frames_;
  bool is_read_ = false;
  size_t calls_left_ = limits::kMaxKnownCalls;
  std::unordered_map<const void *, std::vector<Call>> by_parameter_;  // of the source
};

}  // namespace dtrace::runtime
