// SPDX-License-Identifier: Apache-2.0
// Aggregations as a live screen shows them: a table each, whose rows have a value, a rate and the texts of the keys.
//
// What a reader would get wrong: a rate is the difference to the update before, divided by the time between both. After
// clear() and trunc() a value is smaller than before; all of it is then new.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "plan/plan.h"
#include "runtime/events/aggregation_value.h"
#include "runtime/events/sink.h"
#include "runtime/output/row_values.h"

namespace dtrace::runtime {

/// A key of an entry.
struct LiveKey {
  std::string text;    ///< printable, one line
  uint64_t order = 0;  ///< keys of one column are ordered by it, then by text
};

struct LiveRow {
  std::shared_ptr<const std::vector<LiveKey>> keys;
  int64_t value = 0;  ///< normalised; of a histogram: how many values are in it
  bool is_signed = true;
  std::optional<double> rate;   ///< a second; none: min() and max() have no rate
  std::string middle, high;     ///< histograms: bounds of the 50 % and 99 % quantiles
  std::vector<uint8_t> levels;  ///< histograms: height of each bucket, 0 to kMaxLevel
};

/// What rows are ordered by: value, rate, or a key.
struct LiveOrder {
  static constexpr size_t kValue = 0, kRate = 1, kFirstKey = 2;
  size_t column = kValue;
  bool is_ascending = false;
  friend bool operator==(const LiveOrder &, const LiveOrder &) = default;
};

struct LiveTable {
  static constexpr uint8_t kMaxLevel = 8;
  static constexpr size_t kMaxBars = 24;  ///< columns of a histogram; neighbours are joined beyond that

  uint32_t id = 0;
  std::string title;  ///< "@reads = count()"
  bool is_histogram = false;
  Quantity quantity;           ///< what values and rates measure; of a histogram nothing, its quantiles have units
  bool rate_has_unit = false;  ///< the rate is of the values themselves, not of how many there are
  std::string value_name;      ///< "COUNT", "SUM", ...
  std::vector<std::string> key_names;  ///< D texts
  std::vector<LiveRow> rows;           ///< ordered
  size_t nr_all = 0;                   ///< rows before a filter; 0: none was applied
  size_t nr_columns() const { return LiveOrder::kFirstKey + key_names.size(); }
  void sort(LiveOrder order);
  /// The rows that have `text` in a key.
  LiveTable with(std::string_view text) const;
};

class LiveTables {
 public:
  /// Both outlive it. `begin_ns`: when tracing began, by the same clock as update()'s.
  LiveTables(const Plan &plan, const RowValues &values, uint64_t begin_ns)
      : plan_(plan), values_(values), before_ns_(begin_ns) {}

  /// All aggregations as they are now. Rows of each are ordered by `orders`, by id; no order: largest values first.
  /// Keys that have not been seen before are named until `name_until_ns`, of each table the largest value first and one
  /// in any case: names of stacks take long. The others are kUnnamed, until a later update.
  void update(AggregationViews views, uint64_t now_ns, const std::map<uint32_t, LiveOrder> &orders,
              uint64_t name_until_ns = UINT64_MAX);
  void sort(uint32_t id, LiveOrder order);

  static constexpr std::string_view kUnnamed = "(being named)";

  /// In the order of the program.
  const std::vector<LiveTable> &tables() const { return tables_; }

 private:
  using Keys = std::shared_ptr<const std::vector<LiveKey>>;
  struct Known {
    Keys keys;             // none: not named yet
    uint64_t counter = 0;  // what the rate is of, at the last update
  };
  using KnownEntries = std::unordered_map<std::string, Known>;  // by the bytes of the keys

  struct Unnamed {
    size_t row = 0;  // of the table
    const AggregationEntry *entry = nullptr;
    Known *known = nullptr;
  };

  Keys texts_of(const AggregationPlan &plan, const AggregationEntry &entry) const;
  LiveTable table_of(const AggregationView &view, double seconds, uint64_t name_until_ns);
  void name(LiveTable &table, std::vector<Unnamed> unnamed, const AggregationPlan &plan, uint64_t until_ns) const;

  const Plan &plan_;
  const RowValues &values_;
  uint64_t before_ns_;
  std::map<uint32_t, KnownEntries> known_;  // by aggregation
  std::vector<LiveTable> tables_;
};

}  // namespace dtrace::runtime
