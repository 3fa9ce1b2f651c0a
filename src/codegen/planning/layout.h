// SPDX-License-Identifier: Apache-2.0
// The plan with what only the emitters need beside it: which clauses each program runs for which probe, and where
// variables and key fields lie. Made once, before any IR; emission changes nothing in it.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <set>
#include <string>
#include <vector>

#include "base/number_table.h"
#include "codegen/planning/compile_input.h"
#include "plan/plan.h"

namespace dtrace::codegen {

/// A clause of any program text; its position is ClausePlan::index.
struct ClauseLayout {
  const tree::Clause *clause = nullptr;
  std::map<const tree::If *, uint32_t> guards;  ///< index of the then-branch's guard; the else-branch's is the next
  std::map<const tree::RecordLeaf *, uint32_t> leaves;  ///< index into ClausePlan::leaves
  std::map<const tree::Action *, uint32_t> actions;     ///< recorded actions: index into ClausePlan::actions
  bool speculates = false;
  bool only_commits = false;  ///< the record has nothing but commit/discard: dropped if no id was valid
};

/// The probes of one BPF program, and what runs for each.
struct ProgramLayout {
  uint32_t plan = 0;              ///< index into Plan::programs
  std::vector<uint32_t> clauses;  ///< every clause any of its probes runs, ascending
  /// Distinct sets of clauses, each ascending, the first empty; and which of them each probe (as in
  /// ProgramPlan::probes) runs. Some sets may be no probe's.
  std::vector<std::vector<uint32_t>> sets{{}};
  std::map<std::vector<uint32_t>, uint32_t> set_by_clauses{{{}, 0}};
  std::vector<uint32_t> set_of_probe;
  std::vector<const ProbeHook *> hooks;  ///< of each probe; a probe with several hooks may be listed several times
  ProbeHook prototype;                   ///< of any of its probes, so that there need be none yet
  bool may_grow = false;                 ///< probes may be added while tracing runs
  bool wants_registers = false;          ///< a system call's arguments, or its number at exit
};

struct Layout {
  std::unique_ptr<Plan> whole_plan = std::make_unique<Plan>();  ///< stays where it is when a layout moves
  Plan &plan = *whole_plan;
  std::vector<ClauseLayout> clauses;
  std::vector<ProgramLayout> programs;
  std::vector<uint32_t> error_clauses;  ///< clauses on the ERROR probe, ascending
  ProbeId error_probe;
  uint32_t globals_bytes = 0;  ///< size of the .bss structure
  uint32_t thread_bytes = 0;   ///< size of a task's storage
  std::vector<uint32_t>
      presence;  ///< per variable: offset of its "is set" byte in the task storage; thread strings only
  /// Per variable: has it a byte that says that it was assigned NULL? Of globals, where in the globals; of `this`
  /// strings it lies behind the string. Those that are never given what may be NULL have none.
  std::vector<std::optional<uint32_t>> null_flags;
  std::vector<uint32_t> pointed;  ///< global variables that pointers are made of, ascending: an element's address
  std::vector<std::vector<ValuePlan>> array_keys;  ///< per variable: where the parts of its key lie; arrays only
  std::set<uint32_t> exact;                        ///< ids of probes whose `cheaper` hook would not do
  /// By probe id: hooks that are used instead of the probe's own, of system calls at their functions and of tracepoints
  /// that share a program.
  std::map<uint32_t, const ProbeHook *> instead;
  std::map<uint32_t, std::unique_ptr<ProbeHook>> tracepoint_copies;  ///< by TracepointCopiesHook::words
  NumberTable<std::pair<uint32_t, uint32_t>> where;  ///< probe id: index into `programs`, and of the probe in it
  /// The same of where else a probe fires: probe id, and index into ProbeHook::also.
  std::map<std::pair<uint32_t, size_t>, std::pair<uint32_t, uint32_t>> where_also;
};

/// Errors: a limit that a program exceeds, or what this kernel does not let programs do.
Result<Layout> make_layout(const CompileInput &input);

/// Whether the clause can never run, by the constants of its predicate alone.
bool never_runs(const tree::Clause &clause);

/// Layout::instead, Layout::tracepoint_copies: many tracepoints whose clauses ask for no types share a program.
void share_tracepoints(const CompileInput &input, Layout &layout);

/// Layout::instead: system calls are probed at their own functions if they are few and all of them can be.
/// Errors: option syscalls wants that, and one cannot.
Result<Unit> choose_functions_of_calls(const CompileInput &input, Layout &layout);

/// How one value is recorded or used as a key. `in_key`: nothing of the record's head can be shared.
ValuePlan plan_value(const CompileInput &input, const tree::Expr &expr, bool in_key);
/// Frames that a stack value holds, and the most that any may: option maxframes within bounds. User stacks in keys and
/// records have only dtrace's own bound if the option is not set.
uint32_t frames_of(const CompileInput &input, const tree::StackValue &stack);
int64_t most_frames(const CompileInput &input);
int64_t most_user_frames(const CompileInput &input);
/// Aggregations: keys of all uses, merged, and value sizes.
std::vector<AggregationPlan> plan_aggregations(const CompileInput &input, const std::vector<ClauseLayout> &clauses);
/// Gives each aggregation without keys its offset in the totals; returns the size of the totals, in bytes.
uint64_t place_totals(std::vector<AggregationPlan> &aggregations, uint32_t nr_cpus);
/// Fills ProgramPlan::own_slot.
void give_own_slots(Layout &layout);
/// Fills AggregationPlan::has_lone_writer.
void find_lone_writers(Layout &layout);
/// Gives every field its offset, widest alignment first, so that there are no holes; the size is a multiple of 4.
uint32_t pack_key(std::vector<ValuePlan> &fields, uint32_t reserved_bytes = 0);
/// The same with field `last` behind all others, at a multiple of 8; the size is a multiple of 16.
uint32_t pack_key_open(std::vector<ValuePlan> &fields, size_t last);
/// A value of type `type` as it lies in a key or record.
ValuePlan plan_typed(const CompileInput &input, TypeId type);
/// Whether the clause can be compiled for this kernel at all.
Result<Unit> check_clause_limits(const CompileInput &input, const tree::Clause &clause);
/// Whether the kernel takes elements, keys and storage as large as planned.
Result<Unit> check_size_limits(const Layout &layout);
/// The record of one clause; fills the maps of `layout`. Errors: it is larger than a record can be.
Result<ClausePlan> plan_clause(const CompileInput &input, ClauseLayout &layout, uint32_t index,
                               const std::string &source_name);

constexpr uint32_t align_up(uint32_t value, uint32_t alignment) {
  return (value + alignment - 1) / alignment * alignment;
}

}  // namespace dtrace::codegen
