// SPDX-License-Identifier: Apache-2.0
// Runs the clauses of a firing and shows what comes of them: what programs in the kernel and the consumer do in a live
// run. Where firings come from is the caller's.
#pragma once

#include <functional>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

#include "base/options.h"
#include "codegen/planning/layout.h"
#include "evaluator/clause_run.h"
#include "evaluator/evaluator.h"
#include "plan/compile_host.h"
#include "runtime/cgroups/cgroup_texts.h"
#include "runtime/consume/aggregation_store.h"
#include "runtime/consume/fault_reports.h"
#include "runtime/consume/row_actions.h"
#include "runtime/consume/stack_keys.h"
#include "runtime/events/sink.h"
#include "runtime/symbols/symbolizer.h"

namespace dtrace::replay {

/// Leaves that can tell ERROR's arguments: the firing goes on to be the one that faulted.
class FiringLeaves : public evaluator::Leaves {
 public:
  /// Until end_error() the probe is `error`, and arg0, arg1, ... are `args`.
  virtual void begin_error(ProbeId error, std::span<const uint64_t> args) = 0;
  virtual void end_error() = 0;
};

class Firings {
 public:
  /// References outlive this.
  struct Parts {
    codegen::Layout &layout;
    const tree::Unit &unit;
    TypeTable &types;
    Options &options;  ///< of the run, which setopt() changes
    CompileHost &host;
    runtime::Symbolizer &symbolizer;
    runtime::Sink &sink;
    FiringLeaves &leaves;
    unsigned nr_cpus = 1;
    runtime::CgroupTexts *cgroups = nullptr;
    /// Option stackkeys; nothing: stacks of each process are keys of their own.
    std::optional<runtime::StackSharing> sharing{};
    /// A remark on a fault that was reported. Null: none.
    std::function<void(std::string_view)> note{};
    /// Where a clause is in its program. Null: not known.
    std::function<std::string(uint32_t clause)> position_of{};
    /// RowActions::Parts. Null: never.
    std::function<bool(std::chrono::nanoseconds)> give_up{};
    std::function<bool()> abandoned{};
    /// A clause ended because the firing does not tell a leaf. Null: NotTold is thrown.
    std::function<void(uint32_t clause, const evaluator::NotTold &why)> not_told{};
  };
  explicit Firings(Parts parts);

  /// The time from which aggregations count. Before the first firing.
  void begin(uint64_t time_ns);
  /// Does any clause run at the probe?
  bool has_clauses(ProbeId probe) const { return clauses_.contains(probe.value); }
  /// Runs the clauses of a probe in their order. `thread`: whose thread-local variables are meant.
  void fire(ProbeId probe, const evaluator::FiringHead &firing, uint64_t thread);
  /// What has not been shown yet, then the losses: of this run, and `more` of elsewhere. Exit status; `failed`: it is 1
  /// in any case.
  int finish(std::span<const runtime::Loss> more = {}, bool failed = false);

  /// A clause has called exit().
  bool exited() const { return exited_; }
  std::optional<int> exit_status() const { return actions_.exit_status(); }
  uint64_t nr_abandoned() const { return actions_.nr_abandoned(); }

 private:
  struct Watcher final : runtime::ProcessWatcher {
    void saw_process(pid_t) override {}
  };
  struct Kept {
    unsigned cpu = 0;
    std::vector<std::byte> bytes;
  };

  void lose(uint32_t clause, Cause cause) { losses_[{clause, cause}]++; }
  /// False: the firing ends with it.
  bool run_clause(uint32_t index, const evaluator::FiringHead &firing);
  void fail(uint32_t clause, const evaluator::FiringHead &firing, const evaluator::Fault &fault);
  void keep(std::vector<std::byte> record, const evaluator::FiringHead &firing);
  /// Shows the records of a firing. Under option flowindent each waits for the next one of its CPU; `all`: not any
  /// more.
  void show(bool all);
  void show_fault(std::span<const std::byte> bytes);
  void show_record(const Kept &record, const Kept *next);

  Parts parts_;
  evaluator::Variables variables_;
  evaluator::Memory memory_;
  evaluator::SpeculationIds speculations_;
  runtime::AggregationStore store_;
  runtime::FaultReports faults_;
  runtime::RowFinder finder_;
  Watcher watcher_;
  evaluator::Evaluator evaluator_;
  evaluator::ClauseRun runs_;
  runtime::RowActions actions_;
  std::unordered_map<uint32_t, std::vector<uint32_t>> clauses_;  // by probe, ascending
  std::vector<Kept> records_;
  std::map<std::pair<uint32_t, Cause>, uint64_t> losses_;
  uint64_t begin_ns_ = 0, now_ns_ = 0;
  unsigned cpu_ = 0;  // of the firing
  uint64_t thread_ = 0;
  bool exits_ = false;  // the firing
  bool exited_ = false;
};

}  // namespace dtrace::replay
