// SPDX-License-Identifier: Apache-2.0
#include "evaluator/speculation_ids.h"

#include "bpf/dt_speculation.h"

namespace dtrace::evaluator {

uint32_t SpeculationIds::start() {
  for (uint32_t i = 0; i < slots_.size(); i++) {
    Slot &slot = slots_[i];
    if (slot.is_active) continue;
    slot.is_active = true;
    slot.bytes = 0;
    return (i + 1) | slot.use << DT_SPEC_SLOT_BITS;
  }
  return 0;
}

SpeculationIds::Slot *SpeculationIds::active(uint32_t id) {
  const uint32_t number = DT_SPEC_SLOT(id);
  if (number == 0 || number > slots_.size()) return nullptr;
  Slot &slot = slots_[number - 1];
  return slot.is_active && slot.use == DT_SPEC_USE(id) ? &slot : nullptr;
}

SpeculationIds::Room SpeculationIds::add(uint32_t id, uint64_t bytes) {
  Slot *slot = active(id);
  if (slot == nullptr) return Room::kNotActive;
  if (slot->bytes + bytes > specsize_) return Room::kFull;
  slot->bytes += bytes;
  return Room::kRoom;
}

bool SpeculationIds::settle(uint32_t id) {
  Slot *slot = active(id);
  if (slot == nullptr) return false;
  slot->is_active = false;
  slot->use = DT_SPEC_USE(uint32_t{slot->use + 1} << DT_SPEC_SLOT_BITS);
  return true;
}

bool SpeculationIds::is_id(uint32_t id) const { return id == 0 || DT_SPEC_SLOT(id) - 1 < slots_.size(); }

}  // namespace dtrace::evaluator
