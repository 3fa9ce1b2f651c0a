// SPDX-License-Identifier: Apache-2.0
#include "runtime/consume/symbol_keys.h"

#include <algorithm>
#include <map>
#include <numeric>
#include <optional>
#include <string>
#include <unordered_map>

#include "runtime/consume/aggregation_table.h"

namespace dtrace::runtime {
namespace {

int compare_keys(std::span<const Value> a, std::span<const Value> b) {
  for (size_t i = 0; i < std::min(a.size(), b.size()); ++i)
    if (const int order = compare_values(a[i], b[i]); order != 0) return order;
  return 0;
}

struct LessSymbol {
  bool operator()(const Symbol &a, const Symbol &b) const { return compare_values(a, b) < 0; }
};

/// The representative of each symbol: the least of those with its text.
class Representatives {
 public:
  explicit Representatives(const TextContext &context) : context_(context) {}

  void add(const Symbol &symbol) {
    const auto [known, inserted] = by_symbol_.try_emplace(symbol, nullptr);
    if (!inserted) return;
    const auto [same, first] = by_text_.try_emplace(symbol_text(symbol, context_), symbol);
    known->second = &same->second;
    if (!first && LessSymbol{}(symbol, same->second)) same->second = symbol;
  }
  const Symbol &of(const Symbol &symbol) const { return *by_symbol_.at(symbol); }

 private:
  const TextContext &context_;
  std::unordered_map<std::string, Symbol> by_text_;  // elements keep their addresses
  std::map<Symbol, const Symbol *, LessSymbol> by_symbol_;
};

/// Calls `use` with each symbol among the keys of `view`; returns whether there was one.
template <typename Use>
bool for_each_symbol(AggregationView &view, Use &&use) {
  bool found = false;
  for (AggregationEntry &entry : view.entries) {
    for (Value &key : entry.keys) {
      auto *symbol = std::get_if<Symbol>(&key);
      if (symbol == nullptr) continue;
      use(*symbol);
      found = true;
    }
    if (!found) return false;  // all entries of a view have keys of the same kinds
  }
  return found;
}

/// The entry's own copy of its words, into which others are merged.
AggregationEntry with_own_words(const AggregationEntry &entry, std::vector<std::vector<uint64_t>> &storage) {
  AggregationEntry own = entry;
  own.words = storage.emplace_back(entry.words.begin(), entry.words.end());
  for (CpuWords &cpu : own.per_cpu) cpu.words = storage.emplace_back(cpu.words.begin(), cpu.words.end());
  return own;
}

/// Both sides list the same CPUs.
void merge_entry(AggregatingFunction function, size_t first, const AggregationEntry &from,
                 std::vector<std::vector<uint64_t>> &storage) {
  merge_words(function, storage[first], from.words);
  for (size_t i = 0; i < from.per_cpu.size(); ++i) merge_words(function, storage[first + 1 + i], from.per_cpu[i].words);
}

MergedEntries merge_equal(AggregationView &view) {
  const std::vector<AggregationEntry> entries = std::move(view.entries);
  view.entries.clear();
  std::vector<uint32_t> order(entries.size());
  std::iota(order.begin(), order.end(), 0);
  std::ranges::stable_sort(order,
                           [&](uint32_t a, uint32_t b) { return compare_keys(entries[a].keys, entries[b].keys) < 0; });

  MergedEntries merged;
  std::optional<size_t> own_words;  // where the last entry's copy lies
  for (const uint32_t index : order) {
    const AggregationEntry &entry = entries[index];
    if (view.entries.empty() || compare_keys(view.entries.back().keys, entry.keys) != 0) {
      view.entries.push_back(entry);
      merged.sources.push_back({index});
      own_words.reset();
      continue;
    }
    if (!own_words) {
      own_words = merged.words.size();
      view.entries.back() = with_own_words(view.entries.back(), merged.words);
    }
    merge_entry(view.shape.function, *own_words, entry, merged.words);
    merged.sources.back().push_back(index);
  }
  return merged;
}

}  // namespace

std::vector<MergedEntries> merge_symbol_keys(std::span<AggregationView *const> views, const TextContext &context) {
  Representatives representatives(context);
  for (AggregationView *view : views)
    for_each_symbol(*view, [&](const Symbol &symbol) { representatives.add(symbol); });
  std::vector<MergedEntries> merged;
  for (AggregationView *view : views) {
    const bool has_symbols = for_each_symbol(*view, [&](Symbol &symbol) { symbol = representatives.of(symbol); });
    merged.push_back(has_symbols || view->has_late_texts ? merge_equal(*view) : MergedEntries{});
  }
  return merged;
}

}  // namespace dtrace::runtime
