// SPDX-License-Identifier: Apache-2.0
// What is done for the actions of rows, in order: items for the sink, changes of aggregations, commands, speculations.
#pragma once

#include <sys/types.h>

#include <chrono>
#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "base/options.h"
#include "plan/plan.h"
#include "runtime/consume/aggregation_store.h"
#include "runtime/consume/decode.h"
#include "runtime/consume/record.h"
#include "runtime/consume/speculations.h"
#include "runtime/consume/view_builder.h"
#include "runtime/events/sink.h"
#include "runtime/print/printf.h"
#include "runtime/print/system_names.h"
#include "runtime/process/command_guard.h"

namespace dtrace::runtime {

/// What is to become of aggregations that were looked at: entries by the number of their view and their own.
struct AggregationChanges {
  using Entry = std::pair<uint32_t, uint32_t>;
  std::vector<Entry> cleared;            ///< values become zero
  std::vector<Entry> removed;            ///< keys go, too
  std::map<uint32_t, uint64_t> normals;  ///< by view: as normalize() sets it
};
/// Looks at all aggregations, the order of which is that of the plan's.
using AggregationVisitor = std::function<void(AggregationViews, AggregationChanges &)>;

class RowActions {
 public:
  struct Parts {
    const Plan &plan;
    CompileHost &host;
    TypeTable &types;
    Options &options;  ///< which setopt() changes
    AggregationStore &store;
    Symbolizer &symbolizer;
    ProcessWatcher &watcher;
    Sink &sink;
    pid_t target_pid = 0;
    /// Brings the store up to date.
    std::function<void()> snapshot;
    /// Should a command that has run for so long since an interrupt be ended?
    std::function<bool(std::chrono::nanoseconds)> give_up;
    /// From the time when this is true, rows are counted and not shown: a second interrupt. Null: never.
    std::function<bool()> abandoned;
    CgroupTexts *cgroups = nullptr;
    /// Called with aggregations that have been shown.
    std::function<void(AggregationViews)> shown{};
    /// Called with the user stacks of aggregations before they are shown. Null: there is nothing to prepare.
    std::function<void(const std::vector<UserStack> &)> prepare = {};
  };
  explicit RowActions(Parts parts);

  /// Shows the row and takes its actions. `next`: Sink::begin_row's.
  void take(const RecordedRow &row, const RecordedRow *next);
  /// Holds the row if it is one of a speculation that is still open.
  bool hold(const RecordedRow &row);
  /// Shows the rows of a speculation whose commit is no action of a row.
  void commit(uint32_t id);
  /// See Speculations.
  uint64_t nr_too_late() const { return speculations_.nr_too_late(); }
  /// Notes an exit() of a row that is not taken yet.
  void notice_exit(const RecordedRow &row);
  bool is_abandoned() const { return parts_.abandoned && parts_.abandoned(); }
  void count_abandoned() { ++nr_abandoned_; }

  /// Options have changed.
  void refresh_contexts();

  /// Aggregations that no printa() has shown.
  void show_remaining();
  /// All aggregations as they are.
  void show_all();
  /// The same to `visitor`, and the changes that it wants.
  void visit_all(const AggregationVisitor &visitor);

  /// Status of the first exit(), or of END's.
  std::optional<int> exit_status() const { return exit_status_; }
  /// Rows and aggregations that were not shown because they were abandoned.
  uint64_t nr_abandoned() const { return nr_abandoned_; }
  /// Commands of system() that an interrupt ended, or that were not run after that.
  uint64_t nr_commands_ended() const { return nr_commands_ended_; }
  /// A command of system() did not come to its end, or was not run.
  bool has_failed_command() const { return nr_commands_ended_ + nr_commands_failed_ != 0; }

 private:
  using Handler = void (RowActions::*)(const RecordedRow &, const ActionPlan &);
  /// What is done for an action; null: nothing (speculate() only tags its record).
  static Handler handler_of(Builtin action);

  void abandon_row(const RecordedRow &row);
  void change(const BuiltViews &built, const AggregationChanges &changes);
  void note_exit(const RecordedRow &row, const ActionPlan &action);
  std::string formatted(const RecordedRow &row, const ActionPlan &action);
  int64_t integer_value(const RecordedRow &row, const ActionPlan &action, size_t index);

  void act_trace(const RecordedRow &, const ActionPlan &);
  void act_print(const RecordedRow &, const ActionPlan &);
  void act_printf(const RecordedRow &, const ActionPlan &);
  void act_printa(const RecordedRow &, const ActionPlan &);
  void act_tracemem(const RecordedRow &, const ActionPlan &);
  void act_exit(const RecordedRow &, const ActionPlan &);
  void act_system(const RecordedRow &, const ActionPlan &);
  void act_freopen(const RecordedRow &, const ActionPlan &);
  void act_ftruncate(const RecordedRow &, const ActionPlan &);
  void act_setopt(const RecordedRow &, const ActionPlan &);
  void act_clear(const RecordedRow &, const ActionPlan &);
  void act_trunc(const RecordedRow &, const ActionPlan &);
  void act_normalize(const RecordedRow &, const ActionPlan &);
  void act_denormalize(const RecordedRow &, const ActionPlan &);
  void act_commit(const RecordedRow &, const ActionPlan &);
  void act_discard(const RecordedRow &, const ActionPlan &);

  Parts parts_;
  RowFinder finder_;
  Decoder decoder_;
  Speculations speculations_;
  SystemNames names_;
  CommandGuard guard_;
  FormatContext format_;  // of commands, paths and names in keys
  std::set<uint32_t> printed_aggregations_;
  std::optional<int> exit_status_;
  uint64_t nr_abandoned_ = 0;
  uint64_t nr_commands_ended_ = 0, nr_commands_failed_ = 0;
};

}  // namespace dtrace::runtime
