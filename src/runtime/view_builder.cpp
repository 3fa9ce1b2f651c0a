// SPDX-License-Identifier: Apache-2.0
#include "runtime/view_builder.h"

#include <unordered_map>

namespace dtrace {
namespace {

bool has_symbol_key(const AggregationPlan &plan) {
  for (const ValuePlan &key : plan.keys)
    if (key.kind == ValuePlan::Kind::kKernelSymbol || key.kind == ValuePlan::Kind::kUserSymbol) return true;
  return false;
}

std::vector<CpuWords> cpu_shares(const AggregationTable &table, size_t entry, unsigned nr_cpus) {
  std::vector<CpuWords> shares;
  if (!table.per_cpu()) return shares;
  for (unsigned cpu = 0; cpu < nr_cpus; ++cpu) shares.push_back({cpu, table.cpu_words(entry, cpu)});
  return shares;
}

/// Replaces symbol keys by their text and merges entries whose keys became equal.
void merge_symbols(BuiltView &built, const AggregationPlan &plan, std::span<const std::span<const std::byte>> raw_keys,
                   const TextContext &context) {
  std::unordered_map<std::string, size_t> known;
  std::vector<AggregationEntry> merged;
  for (size_t i = 0; i < built.view.entries.size(); ++i) {
    AggregationEntry entry = built.view.entries[i];
    std::string identity;
    for (size_t k = 0; k < entry.keys.size(); ++k) {
      if (const auto *symbol = std::get_if<Symbol>(&entry.keys[k])) {
        std::string_view text = built.texts.emplace_back(symbol_text(*symbol, context));
        entry.keys[k] = Symbol{*symbol};
        identity.append(text).push_back('\0');
      } else {
        const ValuePlan &value = plan.keys[k];
        std::span<const std::byte> bytes = raw_keys[i].subspan(value.offset, value.size_bytes);
        identity.append(reinterpret_cast<const char *>(bytes.data()), bytes.size());
      }
    }
    auto [found, inserted] = known.try_emplace(std::move(identity), merged.size());
    if (inserted) {
      std::vector<uint64_t> &words = built.merged_words.emplace_back(entry.words.begin(), entry.words.end());
      entry.words = words;
      merged.push_back(std::move(entry));
      built.sources.push_back({static_cast<uint32_t>(i)});
    } else {
      merge_words(plan.function, built.merged_words[found->second], entry.words);
      built.sources[found->second].push_back(static_cast<uint32_t>(i));
    }
  }
  built.view.entries = std::move(merged);
}

}  // namespace

AggregationShape shape_of(const AggregationPlan &plan) {
  AggregationShape shape;
  shape.function = aggregating_function(plan.function);
  shape.linear = plan.linear;
  shape.log_linear = plan.log_linear;
  return shape;
}

BuiltView build_view(Aggregator &aggregator, uint32_t index, const Decoder &decoder, const TextContext &context) {
  const AggregationPlan &plan = aggregator.plan(index);
  const AggregationTable &table = aggregator.table(index);
  BuiltView built;
  built.view.id = index;
  built.view.name = plan.name;
  built.view.shape = shape_of(plan);
  built.view.normal = aggregator.normal(index);
  const bool symbols = has_symbol_key(plan);
  std::vector<std::span<const std::byte>> raw_keys;
  for (size_t i = 0; i < table.size(); ++i) {
    AggregationEntry entry;
    entry.keys = decoder.decode_all(plan.keys, table.key(i));
    entry.words = table.words(i);
    entry.per_cpu = cpu_shares(table, i, aggregator.nr_cpus());
    built.view.entries.push_back(std::move(entry));
    if (symbols) raw_keys.push_back(table.key(i));
  }
  if (symbols) merge_symbols(built, plan, raw_keys, context);
  return built;
}

}  // namespace dtrace
