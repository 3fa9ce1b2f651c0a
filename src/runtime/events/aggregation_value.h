// SPDX-License-Identifier: Apache-2.0
// Aggregations as the printer sees them: function and parameters, then entries of keys and value words.
//
// The words of a value are those of bpf/dt_abi.h. Entries borrow: keys and words stay in the consumer's table.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/buckets.h"
#include "frontend/lang/aggregating.h"
#include "runtime/events/value.h"

namespace dtrace::runtime {

/// What an aggregation keeps.
struct AggregationShape {
  AggregatingFunction function = AggregatingFunction::kCount;
  AggregatingParams params;

  constexpr bool is_histogram() const { return row(function).shown == Shown::kHistogram; }
  /// Number of u64 words of a value.
  constexpr uint32_t words() const { return value_words(function, params); }
};

struct CpuWords {
  unsigned cpu = 0;
  std::span<const uint64_t> words;
};

struct AggregationEntry {
  std::vector<Value> keys;
  std::span<const uint64_t> words;  ///< merged over CPUs; AggregationShape::words() of them
  std::vector<CpuWords> per_cpu;    ///< ascending by CPU; filled only under option aggpercpu
};

struct AggregationView {
  uint32_t id = 0;  ///< order of first appearance in the program
  std::string_view name;
  AggregationShape shape;
  uint64_t normal = 1;  ///< normalize(); 0 counts as 1
  std::vector<AggregationEntry> entries;
  bool has_late_texts = false;  ///< keys that differ in the table may have the same text
  uint64_t counted_ns = 0;      ///< for how long it was counted: since tracing began, or since it was cleared
};

/// Merges one partial value into another; both have AggregationPlan::value_words words.
void merge_words(AggregatingFunction function, std::span<uint64_t> into, std::span<const uint64_t> from);
inline void merge_words(Builtin function, std::span<uint64_t> into, std::span<const uint64_t> from) {
  merge_words(aggregating_function(function), into, from);
}

/// What normalize() makes of a count; `normal` is signed, and 0 counts as 1.
int64_t normalised(int64_t value, uint64_t normal);

/// The one number of a scalar aggregation's value, normalised: sum, count, least, greatest, average, deviation.
struct ScalarResult {
  int64_t value = 0;
  bool is_signed = true;
};
ScalarResult scalar_result(const AggregationShape &shape, std::span<const uint64_t> words, uint64_t normal);

/// The same without rounding.
long double exact_result(const AggregationShape &shape, std::span<const uint64_t> words, uint64_t normal);

/// Rank of a value among those of its aggregation: by `weight`, then by `tie`.
struct ValueRank {
  long double weight = 0;
  int64_t tie = 0;  ///< histograms: count of the bucket that holds zero
  friend bool operator==(const ValueRank &, const ValueRank &) = default;
  friend auto operator<=>(const ValueRank &, const ValueRank &) = default;
};
ValueRank value_rank(const AggregationShape &shape, std::span<const uint64_t> words);

}  // namespace dtrace::runtime
