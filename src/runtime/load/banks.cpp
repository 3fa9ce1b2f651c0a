// SPDX-License-Identifier: Apache-2.0
#include "runtime/load/banks.h"

#include <bpf/bpf.h>

#include <cerrno>

#include "bpf/dt_abi.h"

namespace dtrace::runtime {

Banks::Banks(Parts parts) : parts_(std::move(parts)) {
  if (parts_.plan.aggregations.empty()) return;
  const Room room = parts_.room();
  for (const AggregationPlan &aggregation : parts_.plan.aggregations)
    tables_.emplace_back().wanted = first_table_entries(parts_.plan, aggregation, parts_.options, room);
}

Result<Unit> Banks::make_first() {
  for (const AggregationPlan &aggregation : parts_.plan.aggregations)
    if (Result<Unit> begun = begin_tables(aggregation.index, 0); !begun) return begun;
  return ok();
}

void Banks::use(dt_control &control, std::span<uint64_t> totals) {
  control_ = &control;
  totals_ = totals;
}

uint32_t Banks::active() const { return __atomic_load_n(&control_->state, __ATOMIC_RELAXED) & DT_STATE_BANK; }

void Banks::switch_active() { __atomic_fetch_xor(&control_->state, DT_STATE_BANK, __ATOMIC_SEQ_CST); }

Result<Unit> Banks::prepare(uint32_t bank) {
  for (const AggregationPlan &aggregation : parts_.plan.aggregations)
    if (Result<Unit> begun = begin_tables(aggregation.index, bank); !begun) return begun;
  return parts_.filler.settle();
}

Result<Unit> Banks::begin_tables(uint32_t index, uint32_t bank) {
  const AggregationPlan &aggregation = parts_.plan.aggregations[index];
  Tables &tables = tables_[index];
  Tables::Bank &made = tables.banks[bank];
  const int outer = parts_.map_fd(aggregation.map);
  if (aggregation.is_single() || outer < 0 || made.capacity >= tables.wanted) return ok();
  std::vector<Fd> fds(parts_.nr_possible);
  LIBBPF_OPTS(bpf_map_create_opts, opts, .map_flags = BPF_F_NO_PREALLOC);
  for (const int cpu : parts_.cpus) {
    Fd &fd = fds[static_cast<size_t>(cpu)];
    while (!fd) {
      fd = Fd(bpf_map_create(BPF_MAP_TYPE_HASH, "dt_agg", aggregation.table_key_bytes(),
                             aggregation.table_value_bytes(), tables.wanted, &opts));
      if (fd) break;
      if (!made.fds.empty()) return ok();  // no memory for larger ones: the old ones serve on
      if (errno != ENOMEM || tables.wanted <= kSmallestTable)
        return Error::from_errno("cannot create an aggregation's table", errno);
      tables.wanted /= 2;
    }
  }
  parts_.filler.fill(outer, aggregation.set(bank) * parts_.nr_possible, fds);
  if (!made.fds.empty())
    if (Result<Unit> filled = parts_.filler.settle(); !filled) return filled;  // before what they replace is closed
  made.fds = std::move(fds);
  made.capacity = tables.wanted;
  return ok();
}

void Banks::want_more(uint32_t index) {
  uint32_t &wanted = tables_[index].wanted;
  wanted = next_table_entries(wanted, parts_.plan, parts_.plan.aggregations[index], parts_.options, parts_.room());
}

std::span<uint64_t> Banks::totals(uint32_t index, uint32_t bank) const {
  if (totals_.empty()) return {};
  const AggregationPlan &aggregation = parts_.plan.aggregations[index];
  const size_t words = size_t{aggregation.total_bytes} / 8 * parts_.nr_possible;
  return totals_.subspan(aggregation.total_offset / 8 + bank * words, words);
}

}  // namespace dtrace::runtime
