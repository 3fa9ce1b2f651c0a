// SPDX-License-Identifier: Apache-2.0
#include "runtime/consume/speculations.h"

#include <algorithm>
#include <utility>

#include "bpf/dt_speculation.h"

namespace dtrace::runtime {
namespace {

/// Is the use of `id` a later one of the same slot? Uses wrap.
bool is_later(uint32_t id, uint32_t than) {
  const uint32_t ahead = DT_SPEC_USE(id - than);
  return ahead != 0 && ahead < 1U << (DT_SPEC_USE_BITS - 1);
}

}  // namespace

Speculations::Use *Speculations::use_of(uint32_t id) {
  const uint32_t number = DT_SPEC_SLOT(id);
  if (number == 0 || number >= slots_.size()) return nullptr;
  std::deque<Use> &uses = slots_[number];
  const auto place = std::ranges::find_if(uses, [id](const Use &use) { return !is_later(id, use.id); });
  if (place != uses.end() && place->id == id) return &*place;
  if (place == uses.begin() && uses.size() == kUses) return nullptr;
  Use &added = *uses.insert(place, {id, State::kOpen, {}});
  if (uses.size() <= kUses) return &added;
  // The slot has been used since, so the oldest was settled. It was discarded, in a clause whose record had no room, or
  // its clause ended at a fault.
  uses.pop_front();
  return use_of(id);
}

bool Speculations::hold(uint32_t id, int cpu, std::span<const std::byte> record) {
  Use *use = use_of(id);
  if (use == nullptr) ++nr_too_late_;
  if (use == nullptr || use->state == State::kDiscarded) return true;
  if (use->state == State::kCommitted) return false;
  use->rows.push_back({cpu, {record.begin(), record.end()}});
  return true;
}

std::vector<Speculations::Row> Speculations::commit(uint32_t id) {
  Use *use = use_of(id);
  if (use == nullptr) return {};
  use->state = State::kCommitted;
  return std::exchange(use->rows, {});
}

void Speculations::discard(uint32_t id) {
  Use *use = use_of(id);
  if (use == nullptr) return;
  use->state = State::kDiscarded;
  use->rows.clear();
}

}  // namespace dtrace::runtime
