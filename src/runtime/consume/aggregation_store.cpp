// SPDX-License-Identifier: Apache-2.0
#include "runtime/consume/aggregation_store.h"

#include <algorithm>
#include <cstring>

#include "frontend/lang/probe_part.h"

namespace dtrace::runtime {

AggregationStore::AggregationStore(const Plan &plan, CompileHost &host, unsigned nr_cpus, bool per_cpu,
                                   MemoryBudget *budget)
    : plan_(plan),
      host_(host),
      nr_cpus_(nr_cpus),
      normals_(plan.aggregations.size(), 1),
      since_ns_(plan.aggregations.size(), 0) {
  const auto is_part = [](const ValuePlan &key) { return key.kind == ValuePlan::Kind::kProbePart; };
  for (const AggregationPlan &aggregation : plan.aggregations) {
    tables_.emplace_back(aggregation.function, aggregation.key_bytes, aggregation.value_words, nr_cpus, per_cpu,
                         budget);
    has_probe_part_.push_back(std::ranges::any_of(aggregation.keys, is_part));
    has_stacks_.push_back(StackKeys::has_stacks(aggregation));
  }
}

void AggregationStore::add(uint32_t index, std::span<std::byte> key, std::span<const uint64_t> words, unsigned cpu) {
  if (has_probe_part_[index]) canonicalise(plan(index), key);
  if (stack_keys_ && has_stacks_[index]) (void)stack_keys_->change(plan(index), key, false);
  if (!tables_[index].add(key, words, cpu)) ++nr_refused_;
}

void AggregationStore::share_stacks(StackSharing sharing) {
  if (std::ranges::find(has_stacks_, true) != has_stacks_.end()) stack_keys_.emplace(std::move(sharing));
}

void AggregationStore::begin_drain() {
  if (stack_keys_) stack_keys_->begin_drain();
}

void AggregationStore::end_drain() {
  for (uint32_t index = 0; stack_keys_ && index < tables_.size(); ++index)
    if (has_stacks_[index]) share_entries(index);
}

void AggregationStore::share_entries(uint32_t index) {
  AggregationTable &table = tables_[index];
  std::vector<std::byte> key;
  std::vector<uint32_t> kept;
  const size_t before = table.size();
  for (uint32_t entry = 0; entry < before; ++entry) {
    const std::span<const std::byte> own = table.key(entry);
    bool is_merged = false;
    if (stack_keys_->wants_change(plan(index), own)) {
      key.assign(own.begin(), own.end());
      is_merged = stack_keys_->change(plan(index), key, true) && table.merge_into(entry, key);
    }
    if (!is_merged) kept.push_back(entry);
  }
  if (kept.size() == before) return;
  for (size_t entry = before; entry < table.size(); ++entry) kept.push_back(static_cast<uint32_t>(entry));
  table.retain(kept);
}

void AggregationStore::set_times(uint64_t begin_ns, uint64_t until_ns) {
  begin_ns_ = begin_ns;
  until_ns_ = until_ns;
}

uint64_t AggregationStore::counted_ns(uint32_t index) const {
  const uint64_t since_ns = std::max(since_ns_[index], begin_ns_);
  return until_ns_ > since_ns ? until_ns_ - since_ns : 0;
}

void AggregationStore::canonicalise(const AggregationPlan &aggregation, std::span<std::byte> key) {
  for (const ValuePlan &value : aggregation.keys) {
    if (value.kind != ValuePlan::Kind::kProbePart) continue;
    std::byte *field = key.data() + value.offset;
    uint32_t id = 0;
    std::memcpy(&id, field, sizeof id);
    auto [known, inserted] = canonical_.try_emplace(uint64_t{static_cast<uint8_t>(value.part)} << 32 | id, id);
    if (inserted) {
      std::string text =
          std::to_string(static_cast<int>(value.part)) + probe_part(host_.probe(ProbeId{id}), value.part);
      known->second = canonical_by_text_.try_emplace(std::move(text), id).first->second;
    }
    std::memcpy(field, &known->second, sizeof id);
  }
}

}  // namespace dtrace::runtime
