// SPDX-License-Identifier: Apache-2.0
// Tracing itself: arms the probes, runs BEGIN, lets processes go, consumes until something ends it, runs END, shows
// what is left. What there is to show goes to a sink.
#pragma once

#include <chrono>
#include <cstddef>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "base/options.h"
#include "base/owned.h"
#include "base/result.h"
#include "codegen/compile.h"
#include "runtime/cgroups/cgroup_watch.h"
#include "runtime/consume/aggregator.h"
#include "runtime/consume/consumer.h"
#include "runtime/consume/held_losses.h"
#include "runtime/consume/ledger.h"
#include "runtime/events/sink.h"
#include "runtime/late/late_matcher.h"
#include "runtime/late/stack_rules.h"
#include "runtime/load/enabling.h"
#include "runtime/load/walks.h"
#include "tracer/client.h"
#include "tracer/compiler.h"
#include "tracer/metrics_feed.h"

namespace dtrace::tracer {

/// What start() leaves to its caller.
struct LeftToCaller {
  bool rows_of_begin = false;  ///< they wait for the first step
  bool processes = false;      ///< they wait for resume()
};

class TraceLoop {
 public:
  /// What is said of the start beside what went wrong.
  struct Talk {
    bool of_reductions = true;
    bool of_mechanisms = false;  ///< how kernel functions are probed
  };

  /// All of it outlives the loop.
  TraceLoop(Compiler &compiler, runtime::Enabling &enabling, runtime::Sink &sink, Client &client, Talk talk);
  ~TraceLoop();
  TraceLoop(const TraceLoop &) = delete;
  TraceLoop &operator=(const TraceLoop &) = delete;

  /// Metrics go to an exporter. Before start().
  void export_metrics(MetricsTarget target);
  /// Probes are set, BEGIN runs, processes go. Errors: the kernel's, in a sentence.
  Result<Unit> start(LeftToCaller left = {});
  /// Lets process `pid` go, if it waits.
  Result<Unit> resume(pid_t pid);
  /// Handles what there is, then waits for more, not longer than `longest`. False: tracing is to be finished.
  bool step(std::optional<std::chrono::milliseconds> longest = {});
  /// The two halves of a step. False: tracing is to be finished.
  bool turn();
  void sleep(std::optional<std::chrono::milliseconds> longest = {});
  /// Readable when step() has something to do. An epoll(7) descriptor. Errors: the system's.
  Result<int> poll_fd();
  /// Removes the probes, runs END, shows what is left.
  void finish();
  /// The aggregations as they are now, to the sink.
  Result<Unit> show_aggregations();
  /// Takes what programs have aggregated until now, without showing it. Before finish().
  Result<Unit> snapshot() { return aggregator_.snapshot(); }
  /// All aggregations as they were at the last snapshot; see RowActions.
  void visit_aggregations(const runtime::AggregationVisitor &visitor);
  /// Sets an option of the run. Errors: options that are fixed when tracing starts.
  OptionError set_option(std::string_view name, std::optional<std::string_view> value);
  /// As they are now.
  const Options &options() const { return options_; }
  /// A program has called exit().
  bool saw_exit() const { return consumer_.saw_exit(); }

  /// What went wrong with tracing: there may be more than one, of which the first counts.
  const std::optional<Error> &failure() const { return failure_; }
  bool is_out_of_memory() const { return out_of_memory_; }
  /// Records and aggregations that a second request kept from being shown.
  uint64_t nr_abandoned() const { return consumer_.nr_abandoned(); }
  /// 0, exit()'s argument, or 1: something of the above is, or the sink, a command of system() or the export of metrics
  /// failed.
  int status() const;
  const runtime::Ledger &ledger() const { return ledger_; }

 private:
  using Clock = std::chrono::steady_clock;

  void adjust_rates();
  void report_attachments();
  Result<Unit> start_stack_rules();
  Result<Unit> start_following();
  Result<Unit> start_cgroups();
  runtime::MappedFunction mapped_function();
  bool take_turn();
  Result<Unit> pass();
  /// What is to be done between two parts of a walk. False: tracing is to be finished.
  bool empty_buffers();
  void walk_at_begin();
  /// Runs a step of the consumer. Memory that is not to be had ends tracing; what there is can be shown by what is kept
  /// in reserve for that.
  void guarded(const std::function<void()> &step);
  std::chrono::milliseconds time_to_next(bool &listens_to_rings) const;
  void wait(std::chrono::milliseconds longest, bool listens_to_rings);
  void arm_timer(std::chrono::milliseconds longest);
  void check_status(bool is_end = false);
  bool collect_exits();
  void note_mappings();
  void note_running();
  bool is_met_in_linker(const runtime::Target &target) const;
  void note_late(bool is_end);
  void begin_hold(pid_t pid);
  void end_hold(pid_t pid);
  void report_no_hold(pid_t pid, const Result<Unit> &holds);
  void match_late(std::optional<pid_t> changed = {}, std::optional<pid_t> held = {});
  void report_refused();
  void report_managed();
  /// Something has said that tracing ends, or its time is over.
  bool is_to_end() const;
  bool rings_filling() const;
  /// Rings wake us, and not the clock alone.
  bool rings_wake() const;

  Compiler &compiler_;
  runtime::Enabling &enabling_;
  runtime::Sink &sink_;
  Client &client_;
  Talk talk_;
  Options options_;  ///< of the run: setopt() changes them, and no compiled program
  runtime::AggregationStore aggregations_;
  runtime::Aggregator aggregator_;
  runtime::Ledger ledger_;
  runtime::HeldLosses held_losses_;
  runtime::Walks walks_;
  bool walked_at_begin_ = false;
  std::vector<pid_t> to_note_;  // processes that ran before tracing, not noted yet; taken from the end
  runtime::LateMatcher late_;
  std::unique_ptr<runtime::StackRules> stack_rules_;
  std::unique_ptr<runtime::CgroupWatch> cgroups_;
  runtime::Consumer consumer_;
  std::unique_ptr<MetricsFeed> metrics_;
  std::optional<Error> failure_;
  Clock::time_point next_pass_, next_status_, next_snapshot_, next_close_;
  Clock::time_point end_ = Clock::time_point::max();  ///< option duration
  Fd poll_, timer_;
  static constexpr size_t kReserveBytes = 16 << 20;  // never touched: it takes addresses only
  size_t programs_begun_ = 0;                        // since stacks were shared
  std::unique_ptr<std::byte[]> reserve_{new std::byte[kReserveBytes]};
  bool out_of_memory_ = false;
  uint64_t refused_keys_ = 0;  // as the ledger knows
  uint64_t unanswered_ = 0;    // likewise
};

}  // namespace dtrace::tracer
