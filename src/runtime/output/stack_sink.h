// SPDX-License-Identifier: Apache-2.0
// What the sinks share that make one file of a run's stacks, at its end.
#pragma once

#include <string>

#include "runtime/output/reporting_sink.h"
#include "runtime/output/stack_samples.h"
#include "runtime/output/wall_time.h"

namespace dtrace::runtime {

class StackSink : public ReportingSink {
 public:
  void begin_row(const RowEvent &row, const RowEvent *next) override;
  void trace(const ActionPlan &action, const ValuePlan &plan, const Value &value) override;
  void object(const ActionPlan &action, const ObjectEvent &object) override;
  void memory(const ActionPlan &action, std::string_view bytes) override;
  void formatted(const ActionPlan &action, std::span<const Value> values) override;
  void aggregations(const ActionPlan &action, AggregationViews views) override;
  void did(const ActionPlan &action, std::string_view what, std::optional<int64_t> value) override;
  void end_row(const RowEvent &row) override;

  void interrupted() override {}
  void remaining(AggregationViews views) override;
  void ended(int status, std::span<const Loss> all_losses) override;

  Result<Unit> redirect(const std::string &path) override;
  Result<Unit> truncate() override;
  void flush() override {}

 protected:
  StackSink(const SinkParts &parts, std::string_view format, bool with_mappings);
  /// The whole of the output. Values that the format cannot hold are left out, and counted by leave_out().
  virtual std::string contents(const StackSamples &samples, std::span<const Loss> losses) = 0;
  void leave_out(const SampleSource &source, std::string_view why);
  /// The number that the text shows; of a histogram, how many values it has. Nothing: it has none, or one that is left
  /// out because it cannot be a width.
  std::optional<uint64_t> width_of(const SampleSource &source, const StackSample &sample);
  /// Everything that has been left out, for people.
  std::vector<std::string> left_out() const;
  const RunClock &clock() const { return clock_; }

 private:
  std::string_view format_;
  RunClock clock_;
  StackSamples samples_;
  std::map<std::string, uint64_t> values_left_out_;  // by source and reason
};

}  // namespace dtrace::runtime
