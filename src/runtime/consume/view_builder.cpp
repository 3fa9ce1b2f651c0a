// SPDX-License-Identifier: Apache-2.0
#include "runtime/consume/view_builder.h"

#include <algorithm>

#include "runtime/print/aggregation_print.h"

namespace dtrace::runtime {
namespace {

std::vector<CpuWords> cpu_shares(const AggregationTable &table, size_t entry, unsigned nr_cpus) {
  std::vector<CpuWords> shares;
  if (!table.per_cpu()) return shares;
  for (unsigned cpu = 0; cpu < nr_cpus; ++cpu) shares.push_back({cpu, table.cpu_words(entry, cpu)});
  return shares;
}

AggregationView view_of(AggregationStore &store, uint32_t index, const Decoder &decoder) {
  const AggregationPlan &plan = store.plan(index);
  const AggregationTable &table = store.table(index);
  AggregationView view;
  view.id = index;
  view.name = plan.name;
  view.shape = shape_of(plan);
  view.normal = store.normal(index);
  view.counted_ns = store.counted_ns(index);
  // Cgroups of one container, and those whose names became known meanwhile.
  view.has_late_texts =
      std::ranges::any_of(plan.keys, [](const ValuePlan &key) { return key.kind == ValuePlan::Kind::kCgroupName; });
  for (size_t i = 0; i < table.size(); ++i) {
    AggregationEntry entry;
    entry.keys = decoder.decode_all(plan.keys, table.key(i));
    entry.words = table.words(i);
    entry.per_cpu = cpu_shares(table, i, store.nr_cpus());
    view.entries.push_back(std::move(entry));
  }
  return view;
}

}  // namespace

AggregationShape shape_of(const AggregationPlan &plan) {
  AggregationShape shape;
  shape.function = aggregating_function(plan.function);
  shape.params = plan.params;
  return shape;
}

BuiltViews::BuiltViews(AggregationStore &store, std::span<const uint32_t> indexes, const Decoder &decoder,
                       const TextContext &context) {
  views_.reserve(indexes.size());
  for (uint32_t index : indexes) views_.push_back(view_of(store, index, decoder));
  std::vector<AggregationView *> to_merge;
  for (AggregationView &view : views_) {
    pointers_.push_back(&view);
    to_merge.push_back(&view);
  }
  merged_ = merge_symbol_keys(to_merge, context);
}

std::vector<UserStack> BuiltViews::stacks() const {
  std::vector<UserStack> stacks;
  size_t entries = 0;
  for (const AggregationView &view : views_) entries += view.entries.size();
  stacks.reserve(entries);
  for (const AggregationView &view : views_)
    for (const AggregationEntry &entry : view.entries)
      for (const Value &key : entry.keys)
        if (const auto *stack = std::get_if<UserStack>(&key)) stacks.push_back(*stack);
  return stacks;
}

void BuiltViews::keep(int64_t count, uint32_t position) { keep_ranked(views_, count, position); }

void BuiltViews::append_table_entries(size_t i, uint32_t entry, std::vector<uint32_t> &entries) const {
  const std::vector<std::vector<uint32_t>> &sources = merged_[i].sources;
  if (sources.empty())
    entries.push_back(entry);
  else
    entries.insert(entries.end(), sources[entry].begin(), sources[entry].end());
}

}  // namespace dtrace::runtime
