// SPDX-License-Identifier: Apache-2.0
// One CPU's log of option bufpolicy=ring: the kernel keeps its last records there, and nobody reads them before
// programs run no more. A map of slots that are taken in turn; bpf/log.bpf.c says how.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <utility>
#include <vector>

#include "base/owned.h"
#include "base/result.h"
#include "bpf/dt_abi.h"

namespace dtrace::runtime {

class RecordLog {
 public:
  /// `slot_bytes` as the plan has it, `nr_slots` at least 1. Errors: the kernel's, ENOMEM among them.
  static Result<RecordLog> make(int cpu, uint32_t slot_bytes, uint32_t nr_slots);

  int cpu() const { return cpu_; }
  /// The map's descriptor, for the caller to keep until the map is in its slot.
  Fd take_fd() { return std::move(fd_); }
  /// The records, oldest first. Good while the log is; no program may be writing.
  std::vector<std::span<const std::byte>> records() const;
  /// How many slots of the last round hold neither their record nor the one before. At the same time as records().
  uint64_t gaps() const;

 private:
  RecordLog() = default;
  dt_log_slot head_of(uint32_t index) const;

  Fd fd_;
  Mapping mapping_;
  int cpu_ = 0;
  uint32_t slot_bytes_ = 0;  // the record's space with its head
  uint32_t nr_slots_ = 0;
};

}  // namespace dtrace::runtime
