// SPDX-License-Identifier: Apache-2.0
// The consumer: takes records out of the rings and does what their actions say, in order. One row per record; CPUs one
// after another, or merged by time when records carry it. What there is to show goes to a sink.
#pragma once

#include <sys/types.h>

#include <chrono>
#include <cstdint>
#include <deque>
#include <functional>
#include <map>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <vector>

#include "base/options.h"
#include "base/result.h"
#include "plan/plan.h"
#include "runtime/consume/aggregator.h"
#include "runtime/consume/decode.h"
#include "runtime/consume/speculations.h"
#include "runtime/consume/view_builder.h"
#include "runtime/events/sink.h"
#include "runtime/load/enabling.h"
#include "runtime/print/printf.h"
#include "runtime/print/system_names.h"
#include "runtime/probes/catalog.h"
#include "runtime/symbols/symbolizer_impl.h"

namespace dtrace {

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
    /// Should a command that has run for so long since an interrupt be ended?
    std::function<bool(std::chrono::nanoseconds)> give_up;
    /// From the time when this is true, records are counted and not printed: a second interrupt.
    std::function<bool()> abandoned;
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
  /// Faults that were counted and not reported, since the last call: after kMaxFaults of a clause.
  void report_more_faults();
  /// At exit: aggregations that no printa() has shown.
  void print_remaining_aggregations();
  /// All of them as they are, whatever has shown them.
  void show_all_aggregations();

  /// Status of the last exit() consumed.
  std::optional<int> exit_status() const { return exit_status_; }
  bool saw_exit() const { return exit_status_.has_value(); }

  /// Records and aggregations that were not printed because they were abandoned.
  uint64_t nr_abandoned() const { return nr_abandoned_; }
  /// Records that were not printed because there was no memory for that.
  uint64_t nr_without_memory() const { return nr_without_memory_; }
  /// Commands of system() that an interrupt ended, or that were not run after that.
  uint64_t nr_commands_ended() const { return nr_commands_ended_; }

  void saw_process(pid_t pid) override;

 private:
  struct Record {
    int cpu;
    std::span<const std::byte> bytes;
  };
  struct Row : RowEvent {
    Row(const ClausePlan &clause_, const Probe &probe_, std::string_view function_, int cpu_,
        std::optional<uint64_t> time_ns_, std::span<const std::byte> bytes_)
        : RowEvent{clause_, probe_, function_, static_cast<unsigned>(cpu_), time_ns_}, bytes(bytes_) {}
    std::span<const std::byte> bytes;
  };
  using Handler = void (Consumer::*)(const Row &, const ActionPlan &);
  /// What is done for an action; null: nothing (speculate() only tags its record).
  static Handler handler_of(Builtin action);

  /// BEGIN's rows come before all others: its CPU is the first of every pass.
  void place_begin_first();
  /// Takes what a ring holds, to the first record that fired after `until_ns`.
  void gather(Ring &ring, uint64_t until_ns);
  void keep_or_process();
  void process_kept();
  void process(std::span<const Record> records);
  void process_record(const Record &record, const Record *next);
  void process_fault(std::span<const std::byte> bytes);
  void print_row(const Row &row, const Row *next);
  void abandon_row(const Row &row);
  std::optional<Row> row_of(const Record &record);
  bool guard_allows(const Row &row, const ActionPlan &action) const;
  void refresh_contexts();
  void take_snapshot();

  void note_exit(const Row &row, const ActionPlan &action);

  void act_trace(const Row &, const ActionPlan &);
  void act_print(const Row &, const ActionPlan &);
  void act_printf(const Row &, const ActionPlan &);
  void act_printa(const Row &, const ActionPlan &);
  void act_tracemem(const Row &, const ActionPlan &);
  void act_exit(const Row &, const ActionPlan &);
  void act_system(const Row &, const ActionPlan &);
  void act_freopen(const Row &, const ActionPlan &);
  void act_ftruncate(const Row &, const ActionPlan &);
  void act_setopt(const Row &, const ActionPlan &);
  void act_clear(const Row &, const ActionPlan &);
  void act_trunc(const Row &, const ActionPlan &);
  void act_normalize(const Row &, const ActionPlan &);
  void act_denormalize(const Row &, const ActionPlan &);
  void act_commit(const Row &, const ActionPlan &);
  void act_discard(const Row &, const ActionPlan &);

  std::string formatted(const Row &row, const ActionPlan &action);
  int64_t integer_value(const Row &row, const ActionPlan &action, size_t index);

  Parts parts_;
  Decoder decoder_;
  Speculations speculations_;
  SystemNames names_;
  FormatContext format_;  // of commands, paths and names in keys
  std::vector<Record> batch_;
  std::map<int, std::deque<std::vector<std::byte>>> kept_;  // policy ring, by CPU; fill, if there are speculations
  std::map<int, size_t> kept_bytes_;
  std::set<uint32_t> printed_aggregations_;
  std::set<pid_t> seen_processes_;
  std::optional<int> exit_status_;
  bool keeps_ = false;           // records are kept until finish()
  bool placed_begin_ = false;    // once, at the first pass
  bool snapshot_taken_ = false;  // within this pass
  bool finished_ = false;
  /// Reports of faults of one clause.
  struct Faults {
    uint64_t reported = 0;
    uint64_t more = 0;  ///< since it was last said how many
  };
  static constexpr uint64_t kMaxFaults = 100;
  std::map<uint32_t, Faults> faults_;  // by clause
  size_t nr_processed_ = 0;            // of the records at hand
  uint64_t nr_without_memory_ = 0;
  uint64_t nr_abandoned_ = 0;
  uint64_t nr_commands_ended_ = 0;
};

}  // namespace dtrace
