// SPDX-License-Identifier: Apache-2.0
// Feeds an exporter with snapshots of the aggregations: when it asks, and at the rate of option otlprate. A snapshot is
// taken in one go, its text is made a part at a time between two turns of the loop. The exporter may be slow or
// malicious: nothing here waits for it but the end of a run that pushes, and that not for long. If it has ended, it is
// started again some times.
#pragma once

#include <chrono>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/exporter.h"
#include "base/exporter_protocol.h"
#include "base/owned.h"
#include "base/restarts.h"
#include "base/result.h"
#include "plan/plan.h"
#include "runtime/consume/aggregation_store.h"
#include "runtime/consume/decode.h"
#include "runtime/metrics/metric_snapshot.h"
#include "runtime/metrics/metric_writer.h"
#include "tracer/client.h"

namespace dtrace::tracer {

/// How metrics leave this process.
struct MetricsTarget {
  Exporter *exporter = nullptr;  ///< runs, and outlives the feed
  bool pushes = false;
  int64_t push_rate_ns = 0;
  uint64_t max_series = 0;
  std::string version, service_name;
};

class MetricsFeed {
 public:
  using Clock = std::chrono::steady_clock;

  struct Parts {
    const Plan &plan;
    runtime::AggregationStore &store;
    CompileHost &host;
    const TypeTable &types;
    runtime::ProcessWatcher &watcher;
    runtime::Symbolizer &symbolizer;
    Client &client;
    /// Brings the store and the ledger up to date.
    std::function<void()> refresh;
    std::function<std::vector<runtime::Loss>()> losses;
    std::function<std::vector<runtime::ProgramCost>()> programs;
    runtime::CgroupTexts *cgroups = nullptr;
  };
  MetricsFeed(MetricsTarget target, Parts parts);

  /// Readable when the exporter says something; -1: it has gone.
  int poll_fd() const { return control_.get(); }
  /// When turn() has something to do by itself.
  Clock::time_point next() const;
  /// Hears requests, takes snapshots, makes more of their texts.
  void turn();
  /// After the last event: pushes what there is, and waits for that as long as a push may take.
  void finish();
  /// Something was not exported that should have been: the exporter ended too often, or the last push failed.
  bool has_failed() const { return has_failed_; }
  /// The most keys that a snapshot left out because of the bound, since the last call.
  uint64_t take_left_out();

 private:
  struct Job {
    ExportedText text = ExportedText::kPrometheus;
    std::unique_ptr<runtime::MetricRendering> rendering;
    Fd file;
    bool is_last = false;
  };

  void hear();
  void answer(const FromExporter &message);
  void take_snapshot(uint32_t wanted, bool is_last);
  /// Makes more of the first job's text; false: there was nothing to do.
  bool advance(size_t entries);
  void push_last();
  void exporter_ended(std::string_view how);
  void start_again();
  void give_up(std::string_view reason);
  std::unique_ptr<runtime::MetricWriter> writer_of(ExportedText text) const;
  void send(Job &job);

  MetricsTarget target_;
  Parts parts_;
  Fd control_;  // socket to the exporter; none: it has ended
  Restarts restarts_;
  std::optional<Clock::time_point> start_again_at_;
  runtime::Decoder decoder_;
  runtime::LabelTexts texts_;
  std::vector<runtime::MetricFamily> families_;
  runtime::MetricSnapshots snapshots_;
  std::vector<Job> jobs_;
  uint32_t wanted_ = 0;
  Clock::time_point next_snapshot_, next_push_;
  runtime::OwnCost cost_;
  uint64_t start_ns_ = 0;
  uint64_t most_left_out_ = 0, told_left_out_ = 0;
  bool is_done_ = false;  // the last push, one way or the other
  bool has_failed_ = false;
};

}  // namespace dtrace::tracer
