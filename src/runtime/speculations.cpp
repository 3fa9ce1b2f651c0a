// SPDX-License-Identifier: Apache-2.0
#include "runtime/speculations.h"

#include <bpf/bpf.h>

#include "bpf/dt_abi.h"
#include "runtime/enabling.h"

namespace dtrace {

Speculations::Speculations(Enabling &enabling) : enabling_(enabling), rows_(enabling.plan().nr_speculations + 1) {}

void Speculations::hold(uint32_t id, int cpu, std::span<const std::byte> record) {
  if (id < rows_.size()) rows_[id].push_back({cpu, {record.begin(), record.end()}});
}

std::vector<Speculations::Row> Speculations::commit(uint32_t id) {
  if (id == 0 || id >= rows_.size()) return {};
  std::vector<Row> rows = std::exchange(rows_[id], {});
  set_idle(id);
  return rows;
}

void Speculations::discard(uint32_t id) {
  if (id == 0 || id >= rows_.size()) return;
  rows_[id].clear();
  set_idle(id);
}

void Speculations::set_idle(uint32_t id) {
  dt_speculation idle{};
  idle.state = DT_SPEC_IDLE;
  bpf_map_update_elem(enabling_.map_fd("dt_speculations"), &id, &idle, BPF_EXIST);
}

}  // namespace dtrace
