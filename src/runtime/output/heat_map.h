// SPDX-License-Identifier: Apache-2.0
// Histograms over time: what heat maps are drawn from. Each time a program shows quantize(), lquantize() or
// llquantize(), what was added since it was shown last is a column.
//
// What a reader would get wrong: an aggregation that goes on growing and one that is cleared at each tick give the same
// columns.
#pragma once

#include <cstdint>
#include <map>
#include <set>
#include <span>
#include <string>
#include <vector>

#include "plan/plan.h"
#include "runtime/events/aggregation_value.h"
#include "runtime/events/sink.h"
#include "runtime/output/row_values.h"

namespace dtrace::runtime {

struct HeatCell {
  uint32_t key = 0;     ///< index of HeatMap::keys
  uint32_t bucket = 0;  ///< of the aggregating function
  int64_t count = 0;    ///< never 0; negative if the program took away more than it added
};

struct HeatColumn {
  uint64_t begin_ns = 0, end_ns = 0;  ///< CLOCK_MONOTONIC
  std::vector<HeatCell> cells;        ///< ascending by key, then by bucket
};

/// One aggregation.
struct HeatMap {
  std::string name;  ///< "@NAME"
  AggregationShape shape;
  Quantity quantity;                   ///< what its buckets measure
  std::vector<std::string> key_names;  ///< D texts
  std::vector<std::string> keys;       ///< of an entry: its keys as one text; without keys one, which is empty
  std::vector<HeatColumn> columns;     ///< by time; neighbours
  uint32_t joined = 1;                 ///< so many snapshots are one column
};

class HeatMaps {
 public:
  /// If there are more columns, neighbours are merged in pairs, so that memory is bounded however long a run is.
  static constexpr size_t kMaxColumns = 2048;

  /// Both outlive it. `begin_ns`: when tracing began.
  HeatMaps(const Plan &plan, const RowValues &values, uint64_t begin_ns)
      : plan_(plan), values_(values), begin_ns_(begin_ns) {}

  /// printa(), or the end.
  void show(AggregationViews views, uint64_t now_ns);
  /// clear(), or trunc() of everything.
  void clear(std::span<const uint32_t> aggregations);

  /// In the order in which they were shown first.
  const std::vector<HeatMap> &maps() const { return maps_; }
  /// Aggregations that are no histograms.
  const std::set<std::string> &others() const { return others_; }

 private:
  using Words = std::vector<uint64_t>;
  struct Known {
    size_t map = 0;
    std::map<std::string, uint32_t> keys;  // their indexes
    std::map<uint32_t, Words> before;      // by key: as shown last
  };

  Known &known(const AggregationView &view);
  std::string key_text(const AggregationPlan &plan, const AggregationEntry &entry) const;
  static void join_columns(HeatMap &map);

  const Plan &plan_;
  const RowValues &values_;
  uint64_t begin_ns_;
  std::vector<HeatMap> maps_;
  std::map<uint32_t, Known> known_;  // by aggregation
  std::set<std::string> others_;
};

}  // namespace dtrace::runtime
