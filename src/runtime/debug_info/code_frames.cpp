// SPDX-License-Identifier: Apache-2.0
#include "runtime/debug_info/code_frames.h"

#include <algorithm>
#include <map>

#include "arch/machine.h"
#include "base/foreign_limits.h"

namespace dtrace::runtime {

bool CodeFrames::open() {
  if (is_open_) return frames_.has_value();
  is_open_ = true;
  if (Result<CallFrames> opened = CallFrames::open(source_, arch::host_machine().frame_registers))
    frames_ = std::move(*opened);
  return frames_.has_value();
}

std::optional<CodeFrames::Cfa> CodeFrames::cfa_of(const dt_unwind_rule &rule) const {
  const arch::FrameRegisters &registers = arch::host_machine().frame_registers;
  if (rule.return_address == DT_UNWIND_END || (rule.flags & (DT_UNWIND_DEREFERENCE | DT_UNWIND_PLT)) != 0)
    return std::nullopt;
  switch (rule.cfa) {
    case DT_UNWIND_STACK:
      return Cfa{registers.stack, rule.cfa_offset};
    case DT_UNWIND_FRAME:
      return Cfa{registers.frame, rule.cfa_offset};
    case DT_UNWIND_OTHER:
      return Cfa{registers.other, rule.cfa_offset};
    case DT_UNWIND_REGISTER:
      return Cfa{rule.cfa_register, rule.cfa_offset};
    default:
      return std::nullopt;
  }
}

std::optional<CodeFrames::Cfa> CodeFrames::at(uint64_t address) {
  if (address == UINT64_MAX || !open()) return std::nullopt;
  const std::vector<FrameRow> rows = frames_->rows(address, address + 1);
  return rows.empty() ? std::nullopt : cfa_of(rows.front().rule);
}

std::optional<CodeFrames::Cfa> CodeFrames::of_body(uint64_t start, uint64_t end) {
  if (start >= end || end - start > limits::kMaxFunctionBytes || !open()) return std::nullopt;
  std::map<int64_t, uint64_t> bytes;  // by offset
  const std::vector<FrameRow> rows = frames_->rows(start, end);
  for (size_t i = 0; i < rows.size(); ++i) {
    const std::optional<Cfa> cfa = cfa_of(rows[i].rule);
    if (!cfa || cfa->reg != arch::host_machine().frame_registers.stack) continue;
    bytes[cfa->offset] += (i + 1 < rows.size() ? rows[i + 1].address : end) - rows[i].address;
  }
  const auto most = std::ranges::max_element(bytes, {}, [](const auto &one) { return one.second; });
  if (most == bytes.end()) return std::nullopt;
  return Cfa{arch::host_machine().frame_registers.stack, most->first};
}

}  // namespace dtrace::runtime
