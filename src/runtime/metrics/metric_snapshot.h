// SPDX-License-Identifier: Apache-2.0
// A consistent copy of what the consumer's tables hold, within the bound of option maxseries. It is made in one go and
// quickly; its text is made later, a part at a time, while the tables go on changing.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "runtime/consume/aggregation_store.h"
#include "runtime/consume/decode.h"
#include "runtime/metrics/metric_family.h"
#include "runtime/print/text.h"

namespace dtrace::runtime {

/// Makes the values of labels. Invalid UTF-8 becomes U+FFFD.
class LabelTexts {
 public:
  LabelTexts(const Decoder &decoder, const TextContext &context) : decoder_(decoder), context_(context) {}
  /// Values of an entry's labels, as they are before any escaping.
  std::vector<std::string> of(const AggregationPlan &plan, std::span<const std::byte> key) const;

 private:
  const Decoder &decoder_;
  TextContext context_;
};

struct FamilySnapshot {
  const MetricFamily *family = nullptr;
  const AggregationPlan *plan = nullptr;
  size_t nr_entries = 0;
  std::vector<std::byte> keys;                   ///< nr_entries × plan->key_bytes; or
  std::vector<std::vector<std::string>> labels;  ///< where keys may differ whose texts do not: merged by their texts
  std::vector<uint64_t> words;                   ///< nr_entries × plan->value_words
  uint64_t nr_left_out = 0;                      ///< entries beyond the bound, or all of an aggregation with stacks
  uint64_t nr_negative = 0;                      ///< histograms with counts below 0, which no format has

  std::span<const uint64_t> words_of(size_t entry) const {
    return {words.data() + entry * plan->value_words, plan->value_words};
  }
  std::vector<std::string> labels_of(size_t entry, const LabelTexts &texts) const {
    if (!labels.empty()) return labels[entry];
    return texts.of(*plan, {keys.data() + entry * plan->key_bytes, plan->key_bytes});
  }
};

/// Divides a bounded number of series among aggregations. Entries that were served once are served as long as they are
/// there: what others want is shared among the rest, evenly.
class SeriesBudget {
 public:
  explicit SeriesBudget(uint64_t max_series) : max_series_(max_series) {}

  struct Want {
    uint64_t entries = 0;
    uint64_t series_of_entry = 1;
  };
  /// How many entries of each may be served. The same aggregations at each call, in the same order.
  const std::vector<uint64_t> &grant(std::span<const Want> wants);

 private:
  uint64_t max_series_;
  std::vector<uint64_t> granted_;
};

class MetricSnapshots {
 public:
  /// `families` are those of `store`'s plan. All of it outlives this.
  MetricSnapshots(AggregationStore &store, const std::vector<MetricFamily> &families, const LabelTexts &texts,
                  uint64_t max_series);

  std::vector<FamilySnapshot> take();
  const Bounds &bounds(uint32_t aggregation) const { return bounds_[aggregation]; }

 private:
  void copy(FamilySnapshot &snapshot, uint64_t entries);
  void copy_by_text(FamilySnapshot &snapshot, uint64_t entries);

  AggregationStore &store_;
  const std::vector<MetricFamily> &families_;
  const LabelTexts &texts_;
  std::vector<Bounds> bounds_;
  SeriesBudget budget_;
};

/// Has a histogram counts below 0, as increments may make them?
bool has_negative_count(std::span<const uint64_t> words);

}  // namespace dtrace::runtime
