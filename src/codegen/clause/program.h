// SPDX-License-Identifier: Apache-2.0
// One BPF program: finds out which probe fired, and calls the clauses in order.
//
// The state of a firing is a structure on the program's stack, passed to every clause; where clauses are inlined, which
// is the rule, it becomes registers. Cells that are 0 have not been computed yet.
#pragma once

#include <map>
#include <optional>
#include <vector>

#include "codegen/clause/compilation.h"
#include "codegen/clause/emit.h"
#include "codegen/llvm/ir.h"
#include "codegen/planning/layout.h"

namespace dtrace::codegen {

/// Bytes of the firing's structure.
enum FiringCell : uint32_t {
  kCellTime = 0,     ///< u64 ns; 0: not read yet
  kCellTask = 8,     ///< struct task_struct *
  kCellSlot = 16,    ///< scratch
  kCellThread = 24,  ///< the task's storage; null: not looked up, or there is none
  kCellRing = 32,    ///< ring buffer of this CPU
  kCellIndex = 40,   ///< u32: index of the probe in the program; its id under Selector::kSite
  kCellBank = 44,    ///< u32: aggregation bank
  kCellCpu = 48,     ///< u32
  kCellSite = 52,    ///< u32: the upper half of the site's cookie
  kCellCgroup = 56,  ///< u64: id of the thread's cgroup
  kCellsEnd = 64,    ///< scalars of `this` follow
};

/// What the clauses of one program know of it.
struct ProgramContext {
  const ProgramLayout *layout = nullptr;
  const ProgramPlan *plan = nullptr;
  std::map<uint32_t, uint32_t> this_cells;  ///< scalars of `this`: variable -> byte of the firing
  std::vector<uint32_t> this_in_slot;       ///< strings and structures of `this`
  uint32_t firing_bytes = kCellsEnd;
  /// u32 of the firing: exit() was called, so that no later clause of the firing runs. Not in END, and not where no
  /// clause exits.
  std::optional<uint32_t> exit_cell;
  uint32_t lag_cell = 0;     ///< u64 of a clock's firing: how late it is, + 1 ns; 0: not read yet
  uint32_t walk_cells = 0;   ///< words of a walk's context, 8 bytes each
  uint32_t error_cells = 0;  ///< arg1..arg5 of ERROR, 8 bytes each; only in an ERROR firing
  bool uses_slot = false;
  bool uses_bank = false;
  bool shows_managed = false;      ///< managed frames on user stacks
  llvm::Function *fail = nullptr;  ///< (ctx, firing, clause, kind, address): reports a fault and runs ERROR
  const ProbeHook *first_hook = nullptr;
  bool by_site() const { return plan->hook.selector == Selector::kSite; }
};

/// Clauses [first, end) of a program, called in order: one by one, or by a function of their own.
struct ClauseRun {
  size_t first = 0;
  size_t end = 0;
  llvm::Function *group = nullptr;
};

class ProgramEmitter {
 public:
  ProgramEmitter(Compilation &compilation, const ProgramLayout &layout);
  void emit();

 private:
  void plan_firing();
  void plan_lag();
  void plan_exit();
  void plan_walk();
  llvm::Function *emit_fail();
  void emit_entry(const std::vector<llvm::Function *> &clauses);
  void call_with_managed(Builder &b, llvm::Value *context);
  /// Puts runs of small clauses into one subprogram each if there are many clauses: the entry must not grow with their
  /// number, and the kernel allows 256 subprograms.
  std::vector<ClauseRun> make_runs(const std::vector<llvm::Function *> &clauses);
  llvm::Function *emit_group(const std::vector<llvm::Function *> &clauses, size_t first, size_t end);
  /// Branches to `out` if no enabled probe fired; returns the probe index (under Selector::kSite, that of its set of
  /// clauses). Fills the cells that identify the probe.
  llvm::Value *select_probe(Builder &b, llvm::Function *function, llvm::Value *context, llvm::BasicBlock *out);
  void keep_selected(Builder &b, llvm::Value *firing, llvm::Value *index);
  llvm::Value *selected_by_site(Builder &b, llvm::Function *function, llvm::Value *context, llvm::BasicBlock *out);
  llvm::Value *selected_by_copy(Builder &b, llvm::Function *function, llvm::Value *context, llvm::BasicBlock *out);
  llvm::Value *selected_by_number(Builder &b, llvm::Function *function, llvm::Value *number, llvm::BasicBlock *out);
  llvm::Value *selected_by_call(Builder &b, llvm::Function *function, llvm::Value *context, llvm::Value *number,
                                llvm::BasicBlock *out);
  llvm::Value *row_of_number(Builder &b, llvm::Function *function, llvm::Value *number,
                             const std::vector<std::pair<uint64_t, uint64_t>> &rows, llvm::IntegerType *type,
                             llvm::BasicBlock *out);
  llvm::Value *in_tables(Builder &b, llvm::Function *function, llvm::Value *index, llvm::BasicBlock *out);
  /// Whether 32-bit code makes the system call, i1.
  llvm::Value *is_narrow_call(Builder &b, llvm::Function *function, llvm::Value *context);
  /// Branches to `out` if the consumer itself runs; returns the task. Null: BTF does not say where a task's
  /// `mm` is, and there is no branch.
  llvm::Value *reject_own_process(Builder &b, llvm::Function *function, llvm::BasicBlock *out);
  /// Branches to `out` if the current process is not in the hook's family; returns the task, which may be given.
  llvm::Value *reject_other_families(Builder &b, llvm::Function *function, llvm::Value *task, llvm::BasicBlock *out);
  /// Branches to `out` if no object is left; returns 1, with which the kernel offers the object again, if the consumer
  /// has to empty its buffers first. Fills the firing's copy of the context.
  void take_object(Builder &b, llvm::Function *function, llvm::Value *context, llvm::Value *firing,
                   llvm::BasicBlock *out);
  void reject_compat(Builder &b, llvm::Function *function, llvm::Value *context, llvm::BasicBlock *out);
  void call_clauses(Builder &b, llvm::Function *function, llvm::Value *context, llvm::Value *firing, llvm::Value *index,
                    const std::vector<llvm::Function *> &clauses, size_t first, size_t end);
  void clear_this(Builder &b, llvm::Value *slot, bool in_error);
  const arch::Registers &machine_registers() const { return compilation_.input.machine.registers; }
  std::string section() const;
  Span span() const;

  Compilation &compilation_;
  ObjectBuilder &object_;
  ProgramContext context_;
  llvm::Value *cookie_ = nullptr;  ///< of the site that fired
  std::vector<bool> walks_stack_;  ///< per clause of the program
};

/// The program that the consumer runs once, to let reject_own_process() know it; if any needs that.
void emit_own_memory(Compilation &compilation);

/// True if the hook is in functions of user programs, and not at a static probe.
bool fires_in_functions(const Hook &hook);

/// Probe id of the firing, from its index.
llvm::Value *probe_id(Compilation &compilation, Builder &b, const ProgramContext &context, llvm::Value *firing);

}  // namespace dtrace::codegen
