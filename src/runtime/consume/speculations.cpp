// SPDX-License-Identifier: Apache-2.0
#include "runtime/consume/speculations.h"

#include <utility>

#include "bpf/dt_speculation.h"

namespace dtrace::runtime {

Speculations::Slot *Speculations::slot_of(uint32_t id) {
  const uint32_t number = DT_SPEC_SLOT(id);
  if (number == 0 || number >= slots_.size()) return nullptr;
  Slot &slot = slots_[number];
  if (slot.id == id) return &slot;
  const uint32_t ahead = DT_SPEC_USE(id - DT_SPEC_SLOT(id) - (slot.id - DT_SPEC_SLOT(slot.id)));  // uses wrap
  if (slot.id != 0 && ahead >= 1u << (DT_SPEC_USE_BITS - 1)) return nullptr;
  slot = {id, State::kOpen, {}};  // rows of an earlier use were never settled: the clause that meant to had a fault
  return &slot;
}

bool Speculations::hold(uint32_t id, int cpu, std::span<const std::byte> record) {
  Slot *slot = slot_of(id);
  if (slot == nullptr || slot->state == State::kDiscarded) return true;
  if (slot->state == State::kCommitted) return false;
  slot->rows.push_back({cpu, {record.begin(), record.end()}});
  return true;
}

std::vector<Speculations::Row> Speculations::commit(uint32_t id) {
  Slot *slot = slot_of(id);
  if (slot == nullptr) return {};
  slot->state = State::kCommitted;
  return std::exchange(slot->rows, {});
}

void Speculations::discard(uint32_t id) {
  Slot *slot = slot_of(id);
  if (slot == nullptr) return;
  slot->state = State::kDiscarded;
  slot->rows.clear();
}

}  // namespace dtrace::runtime
