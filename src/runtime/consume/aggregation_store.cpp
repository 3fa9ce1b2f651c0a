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
  }
}

void AggregationStore::add(uint32_t index, std::span<std::byte> key, std::span<const uint64_t> words, unsigned cpu) {
  if (has_probe_part_[index]) canonicalise(plan(index), key);
  if (!tables_[index].add(key, words, cpu)) ++nr_refused_;
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
