// SPDX-License-Identifier: Apache-2.0
// What the sinks share that draw histograms over time at the end of a run.
#pragma once

#include <string>
#include <vector>

#include "runtime/output/heat_map.h"
#include "runtime/output/reporting_sink.h"
#include "runtime/output/run_facts.h"

namespace dtrace::runtime {

/// What stands where there is nothing to draw.
inline constexpr std::string_view kNoHistograms =
    "No histograms were recorded. A heat map shows quantize(), lquantize() and llquantize() over time: each time that "
    "the program prints one, tick-1s { printa(@); }, is a column.";

class HeatSink : public ReportingSink {
 public:
  void refresh(const Options &options) override;
  void fault(const FaultEvent &fault) override;
  void more_faults(std::string_view clause, uint64_t count) override;

  void begin_row(const RowEvent &, const RowEvent *) override { open_.push_back(false); }
  void trace(const ActionPlan &, const ValuePlan &, const Value &) override { open_.back() = true; }
  void object(const ActionPlan &, const ObjectEvent &) override { open_.back() = true; }
  void memory(const ActionPlan &, std::string_view) override { open_.back() = true; }
  void formatted(const ActionPlan &, std::span<const Value>) override { open_.back() = true; }
  void end_row(const RowEvent &) override;
  /// The values are those of now: the row that asked for them was before.
  void aggregations(const ActionPlan &, AggregationViews views) override { show(views); }
  void did(const ActionPlan &action, std::string_view, std::optional<int64_t> number) override;

  void interrupted() override {}
  void remaining(AggregationViews views) override;
  void ended(int, std::span<const Loss> all_losses) override;

  Result<Unit> redirect(const std::string &path) override;
  Result<Unit> truncate() override;
  void flush() override {}

 protected:
  HeatSink(const SinkParts &parts, std::string_view format);
  /// The whole of the output.
  virtual std::string picture(const std::vector<HeatMap> &maps, const RunFacts &facts) const = 0;

 private:
  void show(AggregationViews views);
  std::vector<std::string> left_out() const;

  std::string_view format_;
  RunClock clock_;
  RowValues values_;
  HeatMaps maps_;
  std::vector<bool> open_;  // rows: do they show something? One more is within a row that commits it
  uint64_t rows_left_out_ = 0, faults_ = 0;
};

/// Buckets that a map has reached, ends included. A map without values: first > last.
struct HeatRange {
  uint32_t first = UINT32_MAX, last = 0;
};
HeatRange reached_buckets(const HeatMap &map);

}  // namespace dtrace::runtime
