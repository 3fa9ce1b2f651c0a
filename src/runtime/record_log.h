// SPDX-License-Identifier: Apache-2.0
// One CPU's log of option bufpolicy=ring: the kernel keeps its last records there, and nobody reads them before
// programs run no more. A map of slots that are taken in turn; bpf/log.bpf.c says how.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "base/owned.h"
#include "base/result.h"

namespace dtrace {

class RecordLog {
 public:
  /// `slot_bytes` as the plan has it, `nr_slots` at least 1. Errors: the kernel's, ENOMEM among them.
  static Result<RecordLog> make(int cpu, uint32_t slot_bytes, uint32_t nr_slots);

  int cpu() const { return cpu_; }
  int fd() const { return fd_.get(); }
  /// The records, oldest first. Good while the log is; no program may be writing.
  std::vector<std::span<const std::byte>> records() const;

 private:
  RecordLog() = default;

  Fd fd_;
  Mapping mapping_;
  int cpu_ = 0;
  uint32_t slot_bytes_ = 0;  // the record's space with its head
  uint32_t nr_slots_ = 0;
};

}  // namespace dtrace
