// SPDX-License-Identifier: Apache-2.0
// Turns what the consumer sees into what waits for the caller. Texts are the text format's. What stands around the data
// of a row is up to the caller.
#pragma once

#include <functional>
#include <memory>
#include <set>
#include <string>
#include <vector>

#include "capi/events.h"
#include "plan/compile_host.h"
#include "runtime/consume/decode.h"
#include "runtime/output/text_sink.h"

namespace dtrace::capi {

/// All of it outlives the sink.
struct RowSinkParts {
  dtrace_hdl_t *handle = nullptr;
  runtime::Symbolizer &symbolizer;
  const TypeTable &types;
  const Plan &plan;
  CompileHost &host;
  uint32_t strsize = 0;
  unsigned nr_cpus = 0;
  pid_t target_pid = 0;
  Events &events;
  /// Hands over what has come until now: a command is about to run. `open`: rows that have not ended.
  std::function<void(const std::vector<std::shared_ptr<Row>> &open)> hand_over;
  runtime::CgroupTexts *cgroups = nullptr;
};

/// A base, so that it is there before the text sink that refers to it.
class PartCollector {
 protected:
  PartCollector();
  ~PartCollector();
  class Pieces;
  class NoOutput;
  std::unique_ptr<NoOutput> no_output_;
  std::function<std::shared_ptr<AggregationData>(const runtime::AggregationView &, const runtime::AggregationEntry &)>
      copy_;
  std::vector<TextPart> *parts_into_ = nullptr;  // null: text is of no action
};

class RowSink final : private PartCollector, public runtime::TextSink {
 public:
  explicit RowSink(RowSinkParts parts);
  ~RowSink() override;

  void refresh(const Options &options) override;

  void begin_row(const runtime::RowEvent &row, const runtime::RowEvent *next) override;
  void aggregations(const ActionPlan &action, runtime::AggregationViews views) override;
  void did(const ActionPlan &action, std::string_view what, std::optional<int64_t> value) override;
  void end_row(const runtime::RowEvent &row) override;

  void fault(const runtime::FaultEvent &fault) override;
  void more_faults(std::string_view clause, uint64_t count) override;
  void failed(const runtime::RowEvent &row, std::string_view message) override;
  void lost(std::span<const runtime::Loss> losses) override;

  void interrupted() override {}
  void remaining(runtime::AggregationViews) override {}  // the caller walks

  Result<Unit> redirect(const std::string &path) override;
  Result<Unit> truncate() override;
  void flush() override;
  std::optional<Error> failure() const override { return std::nullopt; }
  uint64_t nr_lost_rows() const override { return 0; }

  /// The text of aggregations that no printa() has shown, in default layout and order.
  std::vector<TextPart> print(runtime::AggregationViews views);
  /// The same of one entry.
  std::vector<TextPart> print(const runtime::AggregationView &view, const runtime::AggregationEntry &entry);
  bool was_printed(uint32_t aggregation) const { return printed_.contains(aggregation); }
  /// A copy of an entry.
  std::shared_ptr<AggregationData> copy(const runtime::AggregationView &view, const runtime::AggregationEntry &entry);

 private:
  void begin_item(const ActionPlan &action) override;
  const EnabledProbe *enabled_of(std::string_view clause, const Probe &probe);

  RowSinkParts c_;
  runtime::Decoder decoder_;
  EnabledProbes enabled_;
  std::vector<AggregationLayout> layouts_;
  runtime::RowPrinter flow_;
  bool flowindent_ = false, ends_when_full_ = false, tags_drops_ = false;
  std::vector<std::shared_ptr<Row>> open_;  // one more is within a row that commits it
  std::vector<const runtime::RowEvent *> open_events_;
  std::set<uint32_t> printed_;
  bool runs_command_ = false;
};

}  // namespace dtrace::capi
