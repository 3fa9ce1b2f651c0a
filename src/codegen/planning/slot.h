// SPDX-License-Identifier: Apache-2.0
// A slot of scratch memory: the head (bpf/dt_slot.h), the strings and structures of `this`, then the memory of
// the clause that runs: temporaries at fixed offsets, allocated upwards, and the arena of alloca() and copyin().
#pragma once

#include <cstddef>
#include <cstdint>

#include "bpf/dt_slot.h"

namespace dtrace::codegen {

inline constexpr uint32_t kSlotToken = offsetof(dt_slot, token);
inline constexpr uint32_t kSlotBase = offsetof(dt_slot, base);
inline constexpr uint32_t kSlotArenaUsed = offsetof(dt_slot, arena_used);
inline constexpr uint32_t kSlotAllocated = offsetof(dt_slot, allocated);
inline constexpr uint32_t kSlotHead = sizeof(dt_slot);
static_assert(kSlotHead % 8 == 0);

/// Slots a CPU: how deep programs may interrupt each other.
inline constexpr uint32_t kSlots = 4;
inline constexpr uint32_t kSlotsPreemptible = 8;

}  // namespace dtrace::codegen
