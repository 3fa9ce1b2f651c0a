// SPDX-License-Identifier: Apache-2.0
// Texts of managed frames (bpf/dt_managed.h), from the records that programs have made in the pool.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "bpf/dt_managed.h"
#include "runtime/symbols/symbolizer.h"

namespace dtrace::runtime {

/// Is the value of a stack's frame one of a managed frame?
constexpr bool is_managed(uint64_t frame) { return frame >> DT_MANAGED_TAG_SHIFT == DT_MANAGED_TAG; }

/// The functions of a managed frame, innermost first. `pool`: its memory, of which programs may be writing other
/// parts; empty: there is none.
std::vector<StackFrame> managed_frames(std::span<const std::byte> pool, uint64_t frame);

/// A record, and what lies behind it, all of it inside of the pool.
struct ManagedRecord {
  dt_managed_record head;
  std::span<const std::byte> texts[DT_MANAGED_TEXTS];
  std::span<const std::byte> table;
};

/// A text of a record, in UTF-8 and printable.
std::string managed_text(const ManagedRecord &record, dt_managed_text_role role);

}  // namespace dtrace::runtime
