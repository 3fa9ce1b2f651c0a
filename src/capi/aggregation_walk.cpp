// SPDX-License-Identifier: Apache-2.0
#include "capi/aggregation_walk.h"

#include <algorithm>

namespace dtrace::capi {
namespace {

struct Ranked {
  EntryRef ref;
  runtime::ValueRank rank;
};

/// Fewer keys come first.
int compare_keys(const std::vector<runtime::Value> &a, const std::vector<runtime::Value> &b) {
  if (a.size() != b.size()) return a.size() < b.size() ? -1 : 1;
  for (size_t i = 0; i < a.size(); ++i)
    if (const int order = runtime::compare_values(a[i], b[i]); order != 0) return order;
  return 0;
}

int compare_numbers(uint32_t a, uint32_t b) { return a < b ? -1 : a > b; }

}  // namespace

std::vector<EntryRef> entries_in_order(runtime::AggregationViews views, WalkOrder order) {
  const bool by_value = order == WalkOrder::kValue || order == WalkOrder::kValueReversed;
  std::vector<Ranked> ranked;
  for (uint32_t view = 0; view < views.size(); ++view)
    for (uint32_t entry = 0; entry < views[view]->entries.size(); ++entry)
      ranked.push_back({{view, entry},
                        by_value ? runtime::value_rank(views[view]->shape, views[view]->entries[entry].words)
                                 : runtime::ValueRank{}});
  const auto keys_of = [&](const Ranked &of) -> const std::vector<runtime::Value> & {
    return views[of.ref.view]->entries[of.ref.entry].keys;
  };
  const auto compare = [&](const Ranked &a, const Ranked &b) {
    const int variables = compare_numbers(a.ref.view, b.ref.view);
    if (order == WalkOrder::kKeyBeforeVariable) {
      const int keys = compare_keys(keys_of(a), keys_of(b));
      return keys != 0 ? keys : variables;
    }
    if (variables != 0) return variables;
    if (by_value && a.rank != b.rank) return a.rank < b.rank ? -1 : 1;
    return compare_keys(keys_of(a), keys_of(b));
  };
  if (order != WalkOrder::kNone) {
    std::ranges::stable_sort(ranked, [&](const Ranked &a, const Ranked &b) { return compare(a, b) < 0; });
    if (order == WalkOrder::kValueReversed) std::ranges::reverse(ranked);
  }
  std::vector<EntryRef> refs;
  refs.reserve(ranked.size());
  for (const Ranked &one : ranked) refs.push_back(one.ref);
  return refs;
}

}  // namespace dtrace::capi
