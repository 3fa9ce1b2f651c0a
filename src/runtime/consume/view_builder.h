// SPDX-License-Identifier: Apache-2.0
// From the consumer's tables of aggregations to what the printers take. Keys that are symbols merge here
// (symbol_keys.h).
#pragma once

#include <span>
#include <vector>

#include "runtime/consume/aggregation_store.h"
#include "runtime/consume/decode.h"
#include "runtime/consume/symbol_keys.h"
#include "runtime/events/aggregation_value.h"
#include "runtime/print/text.h"

namespace dtrace::runtime {

/// Views of aggregations that are printed together, and what they borrow from.
class BuiltViews {
 public:
  /// The views borrow from `store`'s tables: valid until those change.
  BuiltViews(AggregationStore &store, std::span<const uint32_t> indexes, const Decoder &decoder,
             const TextContext &context);

  const std::vector<const AggregationView *> &views() const { return pointers_; }
  const AggregationView &operator[](size_t i) const { return views_[i]; }
  /// Their keys that are user stacks.
  std::vector<UserStack> stacks() const;
  /// As keep_ranked(); afterwards append_table_entries() has no meaning.
  void keep(int64_t count, uint32_t position);
  /// Adds the table's entries behind entry `entry` of view `i`.
  void append_table_entries(size_t i, uint32_t entry, std::vector<uint32_t> &entries) const;

 private:
  std::vector<AggregationView> views_;
  std::vector<const AggregationView *> pointers_;
  std::vector<MergedEntries> merged_;
};

AggregationShape shape_of(const AggregationPlan &plan);

}  // namespace dtrace::runtime
