// SPDX-License-Identifier: Apache-2.0
// The consumer: takes records out of the rings, CPUs one after another, or merged by time when records carry it. Rows
// go to RowActions, faults to the sink; policies ring and fill keep them until tracing ends.
#pragma once

#include <sys/types.h>

#include <chrono>
#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/options.h"
#include "base/progress.h"
#include "base/result.h"
#include "plan/plan.h"
#include "runtime/consume/aggregator.h"
#include "runtime/consume/fault_reports.h"
#include "runtime/consume/kept_records.h"
#include "runtime/consume/record.h"
#include "runtime/consume/row_actions.h"
#include "runtime/events/sink.h"
#include "runtime/load/enabling.h"
#include "runtime/probes/catalog.h"
#include "runtime/symbols/symbolizer_impl.h"
#include "runtime/symbols/unnamed_code.h"

namespace dtrace::runtime {

class Consumer final : public ProcessWatcher {
 public:
  struct Parts {
    Enabling &enabling;
    Catalog &catalog;
    TypeTable &types;
    Options &options;
    Aggregator &aggregator;
    SystemSymbolizer &symbolizer;
    Sink &sink;
    pid_t target_pid = 0;
    /// Called when rows have been taken and before they are processed: what the symbolizer must know by then.
    std::function<void()> before_rows;
    /// What is wrong with tracing itself: a line without "dtrace: " and newline.
    std::function<void(std::string_view)> report;
    /// A remark on what was reported last.
    std::function<void(std::string_view)> note;
    /// Should a command that has run for so long since an interrupt be ended?
    std::function<bool(std::chrono::nanoseconds)> give_up;
    /// From the time when this is true, records are counted and not printed: a second interrupt.
    std::function<bool()> abandoned;
    CgroupTexts *cgroups = nullptr;
    /// How many frames of the stacks that are shown next have been named.
    TellProgress naming{};
    /// Where a clause is in its program: "line 9 of tcp.d".
    std::function<std::string(uint32_t clause)> position_of{};
  };
  explicit Consumer(Parts parts);
  ~Consumer() override;
  Consumer(const Consumer &) = delete;
  Consumer &operator=(const Consumer &) = delete;

  /// One pass over all rings: everything committed before the call is processed (policy switch), kept (ring), or left
  /// where it is until tracing ends (fill).
  Result<Unit> consume();
  /// Programs run no more: what ring and fill kept is processed, aggregations are drained, and snapshots cost nothing.
  Result<Unit> finish();
  /// Faults that were counted and not reported, since the last call.
  void report_more_faults() { faults_.report_more(parts_.sink); }
  /// At exit: aggregations that no printa() has shown.
  void print_remaining_aggregations() { actions_.show_remaining(); }
  /// All of them as they are, whatever has shown them.
  void show_all_aggregations() { actions_.show_all(); }
  /// See RowActions.
  void visit_aggregations(const AggregationVisitor &visitor) { actions_.visit_all(visitor); }
  /// Options of the run were changed.
  void refresh() { actions_.refresh_contexts(); }

  std::optional<int> exit_status() const { return actions_.exit_status(); }
  bool saw_exit() const { return exit_status().has_value(); }

  uint64_t nr_abandoned() const { return actions_.nr_abandoned(); }
  uint64_t nr_commands_ended() const { return actions_.nr_commands_ended(); }
  bool has_failed_command() const { return actions_.has_failed_command(); }
  /// Records that were not printed because there was no memory for that.
  uint64_t nr_without_memory() const { return nr_without_memory_; }
  /// Rows by CPU for which policy fill had no room.
  const std::map<unsigned, uint64_t> &refused() const { return refused_; }
  /// See RowActions.
  uint64_t nr_too_late() const { return actions_.nr_too_late(); }

  void saw_process(pid_t pid) override;

  /// Code without names in the stacks that aggregations have shown.
  const UnnamedCode &unnamed_code() const { return unnamed_code_; }

 private:
  /// BEGIN's rows come before all others: its CPU is the first of every pass.
  void place_begin_first();
  /// Takes what a ring holds, to the first record that fired after `until_ns`.
  void gather(Ring &ring, uint64_t until_ns);
  void keep_or_process();
  void keep_batch();
  void process_batch();
  void process_kept();
  void process(std::span<const Record> records);
  void process_record(const Record &record, const Record *next);
  void process_fault(std::span<const std::byte> bytes);
  void take_snapshot();
  /// Commits that had no record since the last call, as records. Their slots are idle again.
  std::vector<dt_record> unheard_commits();
  void look_for_unnamed_code(AggregationViews views);
  /// Stacks are shown next.
  void prepare(const std::vector<UserStack> &stacks);

  Parts parts_;
  RowFinder finder_;
  FaultReports faults_;
  RowActions actions_;
  UnnamedCode unnamed_code_;
  std::optional<KeptRecords> kept_;  // policies ring, and fill if there are speculations; until finish()
  std::vector<Record> batch_;
  std::set<pid_t> seen_processes_;
  bool placed_begin_ = false;    // once, at the first pass
  bool snapshot_taken_ = false;  // within this pass
  bool finished_ = false;
  size_t nr_processed_ = 0;  // of the records at hand
  uint64_t nr_without_memory_ = 0;
  uint64_t nr_unheard_seen_ = 0;  // of dt_control::nr_unheard
  std::map<unsigned, uint64_t> refused_;
};

}  // namespace dtrace::runtime
