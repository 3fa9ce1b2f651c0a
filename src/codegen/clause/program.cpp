// SPDX-License-Identifier: Apache-2.0
#include "codegen/clause/program.h"

#include <algorithm>

#include "codegen/clause/clause.h"
#include "frontend/tree/walk.h"
#include "plan/typed_section.h"

namespace dtrace::codegen {
namespace {

constexpr unsigned kInlineInstructions = 250;  // clauses beyond this stay subprograms when a program has several

/// libbpf derives a program's type, its kind of link and whether it may sleep from the section's name.
std::string section_of_sites(const ProgramPlan &plan) {
  const HookFacts &facts = plan.hook.facts();
  if (!plan.trampoline.empty()) return (facts.at_return ? "fexit/" : "fentry/") + plan.trampoline;
  std::string name(facts.section);
  if (plan.multi) name += ".multi";
  if (plan.sleepable) name += ".s";
  return name;
}

constexpr auto kTailCall = static_cast<Helper>(12);  // a helper that nothing else may call
constexpr uint32_t kProgramArray = 3;                // BPF_MAP_TYPE_PROG_ARRAY

/// Since 6.13 the frames of a program are in memory of the CPU and not on the kernel's stack. Programs on user probes
/// are preempted, and sleep while they wait for a page: the next task's firing on that CPU would write over the frame
/// of the one that waits, pointers that the verifier has checked among it. A program with a tail call keeps the
/// kernel's stack, also if the verifier sees that the call is never reached.
void keep_kernel_stack(ObjectBuilder &object, Builder &b, llvm::Function *function, llvm::Value *context,
                       llvm::BasicBlock *out) {
  auto *never = llvm::BasicBlock::Create(object.context(), "never", function);
  auto *always = llvm::BasicBlock::Create(object.context(), "always", function);
  // Only the verifier is to know that it is 0.
  llvm::Type *word = object.i64();
  llvm::Value *zero = llvm::ConstantInt::get(word, 0);
  b.CreateCondBr(b.CreateICmpNE(opaque_value(b, zero), zero), never, always);
  b.SetInsertPoint(never);
  call_helper(object, b, kTailCall, word, {context, zero, zero});
  b.CreateBr(out);
  b.SetInsertPoint(always);
}

/// Makes a clause a function of its own. Without a result, its register may hold a pointer to the caller's stack in the
/// end, which the verifier refuses. So there is one, and LLVM does not know that it is 0 and of no use.
void keep_function(llvm::Function *clause) {
  clause->addFnAttr(llvm::Attribute::NoInline);
  for (llvm::BasicBlock &block : *clause) {
    auto *end = llvm::dyn_cast<llvm::ReturnInst>(block.getTerminator());
    if (end == nullptr) continue;
    Builder b(end);
    end->setOperand(0, opaque_value(b, end->getReturnValue()));
  }
}

void call_clause(Builder &b, llvm::Function *clause, llvm::Value *context, llvm::Value *firing) {
  llvm::Value *result = b.CreateCall(clause, {context, firing});
  if (clause->hasFnAttribute(llvm::Attribute::NoInline)) opaque_value(b, result);
}

/// Programs that are attached once and do not sleep can call others. A trampoline's has a copy for each function, of a
/// type of its own.
bool can_call_programs(const ProgramPlan &plan) { return !plan.sleepable && plan.trampoline.empty(); }

}  // namespace

ProgramEmitter::ProgramEmitter(Compilation &compilation, const ProgramLayout &layout)
    : compilation_(compilation), object_(compilation.object) {
  context_.layout = &layout;
  context_.plan = &compilation.layout.plan.programs[layout.plan];
  context_.first_hook = &layout.prototype;
}

std::string ProgramEmitter::section() const {
  const Hook &hook = context_.plan->hook;
  if (hook.facts().has_sites || hook.is_of_call_functions()) return section_of_sites(*context_.plan);
  if (context_.plan->as_btf_tracepoint)
    return kTypedTracepointSection + std::to_string(hook.as<RawTracepointHook>()->btf_id);
  return std::visit([](const auto &target) { return target.section(); }, hook.target);
}

Span ProgramEmitter::span() const { return compilation_.layout.clauses[context_.layout->clauses.front()].clause->span; }

void ProgramEmitter::plan_firing() {
  std::vector<uint32_t> all = context_.layout->clauses;
  all.insert(all.end(), compilation_.layout.error_clauses.begin(), compilation_.layout.error_clauses.end());
  const auto note = [&](const tree::Expr &expr) {
    auto *ref = std::get_if<tree::VarRef>(&expr.node);
    if (ref == nullptr) return;
    const tree::VariableInfo &info = compilation_.input.unit.variables[ref->var.value];
    if (info.scope != Scope::kClause) return;
    if (!compilation_.types.is_scalar(info.type)) {
      std::vector<uint32_t> &list = context_.this_in_slot;
      if (std::find(list.begin(), list.end(), ref->var.value) == list.end()) list.push_back(ref->var.value);
      return;
    }
    if (context_.this_cells.emplace(ref->var.value, context_.firing_bytes).second) context_.firing_bytes += 8;
  };
  // What the probe is derived by has variables, too: those of the library's inlines.
  if (const tree::Derivation *derivation = compilation_.input.unit.derivation(context_.first_hook->hook.derivation)) {
    if (derivation->condition != nullptr) walk(*derivation->condition, note);
    for (const tree::Expr *arg : derivation->args) walk(*arg, note);
  }
  for (uint32_t index : all) {
    const tree::Clause &clause = *compilation_.layout.clauses[index].clause;
    walk(clause, note);
    walk_statements(clause.body, [&](const tree::Stmt &stmt) {
      context_.uses_bank |= std::holds_alternative<tree::AggUpdate>(stmt.node);
    });
  }
}

void ProgramEmitter::plan_lag() {
  if (!context_.plan->hook.is<PerfClockHook>()) return;
  context_.lag_cell = context_.firing_bytes;
  context_.firing_bytes += 8;
}

void ProgramEmitter::plan_exit() {
  const Hook &hook = context_.plan->hook;
  if (hook.is<TestRunHook>() && hook.as<TestRunHook>()->at_end) return;
  if (hook.is<WalkHook>() && hook.as<WalkHook>()->at_end()) return;
  const auto exits = [&](uint32_t index) { return compilation_.layout.plan.clauses[index].exits(); };
  if (!std::ranges::any_of(context_.layout->clauses, exits) &&
      !std::ranges::any_of(compilation_.layout.error_clauses, exits))
    return;
  context_.exit_cell = context_.firing_bytes;
  context_.firing_bytes += 8;
}

void ProgramEmitter::plan_walk() {
  const auto *walk = context_.plan->hook.as<WalkHook>();
  if (walk == nullptr) return;
  context_.walk_cells = context_.firing_bytes;
  context_.firing_bytes += walk->words * 8;
}

void ProgramEmitter::emit() {
  plan_firing();
  plan_walk();
  plan_lag();
  plan_exit();
  context_.fail = emit_fail();
  std::vector<llvm::Function *> clauses;
  for (uint32_t index : context_.layout->clauses) {
    ClauseEmitter clause(compilation_, context_, index, ClauseEmitter::Role::kProbe);
    llvm::Function *function = clause.emit();
    const bool is_small = context_.layout->clauses.size() == 1 || function->getInstructionCount() < kInlineInstructions;
    const bool inlined = clause.walks_stack() || (is_small && !compilation_.division.clauses_apart);
    if (inlined)
      function->addFnAttr(llvm::Attribute::AlwaysInline);
    else
      keep_function(function);
    clauses.push_back(function);
    walks_stack_.push_back(clause.walks_stack());
  }
  emit_entry(clauses);
}

// ---------------------------------------------------------------- faults

llvm::Function *ProgramEmitter::emit_fail() {
  llvm::Type *parameters[] = {object_.pointer(), object_.pointer(), object_.i64(), object_.i64(), object_.i64()};
  llvm::Function *function =
      object_.function("fail_" + context_.plan->function, object_.void_type(), parameters, "", span());
  function->addFnAttr(llvm::Attribute::NoInline);
  function->addFnAttr(llvm::Attribute::Cold);
  llvm::Value *context = function->getArg(0), *firing = function->getArg(1), *clause = function->getArg(2);
  llvm::Value *kind = function->getArg(3), *address = function->getArg(4);

  Builder b(llvm::BasicBlock::Create(object_.context(), "entry", function));
  b.SetCurrentDebugLocation(object_.location(span(), function));
  const std::vector<uint32_t> &error_clauses = compilation_.layout.error_clauses;
  std::vector<llvm::Function *> handlers;
  if (!error_clauses.empty()) {
    context_.error_cells = context_.firing_bytes;
    for (uint32_t index : error_clauses) {
      handlers.push_back(ClauseEmitter(compilation_, context_, index, ClauseEmitter::Role::kError).emit());
      keep_function(handlers.back());
    }
  }

  llvm::Value *ring = nullptr;
  if (compilation_.layout.plan.one_ring)
    ring = b.CreateCall(object_.library("dt_ring_of_all"));
  else
    ring =
        b.CreateCall(object_.library("dt_ring"), {call_helper(object_, b, Helper::kSmpProcessorId, object_.i32(), {})});
  llvm::Value *probe = b.CreateZExt(probe_id(compilation_, b, context_, firing), object_.i64());
  llvm::Value *both = b.CreateOr(b.CreateShl(clause, uint64_t{32}), probe);
  llvm::Value *time = compilation_.layout.plan.timestamps ? call_helper(object_, b, Helper::kKtime, object_.i64(), {})
                                                          : llvm::ConstantInt::get(object_.i64(), 0);
  llvm::Value *failed =
      b.CreateCall(object_.library("dt_report_fault"), {ring, both, time, b.CreateTrunc(kind, object_.i32()), address});

  auto *lost = llvm::BasicBlock::Create(object_.context(), "lost", function);
  auto *handle = llvm::BasicBlock::Create(object_.context(), "handle", function);
  b.CreateCondBr(b.CreateICmpSLT(failed, llvm::ConstantInt::get(object_.i32(), 0)), lost, handle);
  b.SetInsertPoint(lost);
  llvm::Value *index =
      b.CreateAdd(b.CreateTrunc(clause, object_.i32()),
                  llvm::ConstantInt::get(object_.i32(), drop_index(compilation_.layout, Cause::kErrorLost, 0)));
  b.CreateCall(object_.library("dt_count_drop"), {compilation_.drops(), index});
  b.CreateBr(handle);

  b.SetInsertPoint(handle);
  if (!handlers.empty()) {
    const uint32_t bytes = context_.error_cells + 5 * 8;
    llvm::AllocaInst *error_firing = entry_alloca(*function, object_.bytes(bytes));
    b.CreateMemSet(error_firing, llvm::ConstantInt::get(object_.i8(), 0), bytes, llvm::Align(8));
    llvm::Value *slot = b.CreateLoad(object_.pointer(), cell(object_, b, firing, kCellSlot));
    b.CreateStore(slot, cell(object_, b, error_firing, kCellSlot));
    if (context_.uses_slot) clear_this(b, slot, true);
    b.CreateStore(b.CreateLoad(object_.i32(), cell(object_, b, firing, kCellBank)),
                  cell(object_, b, error_firing, kCellBank));
    llvm::Value *args[] = {probe, clause, llvm::ConstantInt::getSigned(object_.i64(), -1), kind, address};
    for (uint32_t i = 0; i < 5; i++)
      b.CreateStore(args[i], cell(object_, b, error_firing, context_.error_cells + 8 * i));
    for (llvm::Function *handler : handlers) call_clause(b, handler, context, error_firing);
    if (context_.exit_cell) {
      llvm::Value *in_error = b.CreateLoad(object_.i32(), cell(object_, b, error_firing, *context_.exit_cell));
      llvm::Value *in_firing = cell(object_, b, firing, *context_.exit_cell);
      b.CreateStore(b.CreateOr(b.CreateLoad(object_.i32(), in_firing), in_error), in_firing);
    }
  }
  b.CreateRetVoid();
  return function;
}

/// The verifier would take the context's words for pointers that may be null, and follow them through the clauses. A
/// copy has numbers, as the context of a raw tracepoint.
void ProgramEmitter::take_object(Builder &b, llvm::Function *function, llvm::Value *context, llvm::Value *firing,
                                 llvm::BasicBlock *out) {
  const WalkHook &walk = *context_.plan->hook.as<WalkHook>();
  llvm::Type *word = object_.i64();
  call_helper(
      object_, b, Helper::kProbeReadKernel, word,
      {cell(object_, b, firing, context_.walk_cells), llvm::ConstantInt::get(object_.i32(), walk.words * 8), context});
  llvm::Value *object = b.CreateLoad(word, cell(object_, b, firing, context_.walk_cells + walk.object * 8));
  auto *there = llvm::BasicBlock::Create(object_.context(), "there", function);
  b.CreateCondBr(b.CreateIsNull(object), out, there);
  b.SetInsertPoint(there);
  llvm::Value *left = cell(object_, b, compilation_.control(), offsetof(dt_control, walk_left));
  llvm::Value *number = b.CreateLoad(word, left, /*isVolatile=*/true);
  auto *pause = llvm::BasicBlock::Create(object_.context(), "pause", function);
  auto *go_on = llvm::BasicBlock::Create(object_.context(), "go_on", function);
  unlikely(b.CreateCondBr(b.CreateIsNull(number), pause, go_on));
  b.SetInsertPoint(pause);
  b.CreateRet(llvm::ConstantInt::get(object_.i32(), 1));
  b.SetInsertPoint(go_on);
  b.CreateStore(b.CreateSub(number, llvm::ConstantInt::get(word, 1)), left, /*isVolatile=*/true);
}

// ---------------------------------------------------------------- entry

void ProgramEmitter::call_clauses(Builder &b, llvm::Function *function, llvm::Value *context, llvm::Value *firing,
                                  llvm::Value *index, const std::vector<llvm::Function *> &clauses, size_t first,
                                  size_t end) {
  const ProgramLayout &layout = *context_.layout;
  const size_t words = (layout.clauses.size() + 63) / 64;
  const bool by_site = context_.by_site();
  const size_t rows = by_site ? context_.plan->rows.size() : layout.set_of_probe.size();
  std::vector<uint64_t> masks(rows * words, 0);
  for (size_t p = 0; p < rows; p++) {
    for (uint32_t clause : by_site ? context_.plan->rows[p] : layout.sets[layout.set_of_probe[p]]) {
      const auto bit = static_cast<size_t>(std::lower_bound(layout.clauses.begin(), layout.clauses.end(), clause) -
                                           layout.clauses.begin());
      masks[p * words + bit / 64] |= uint64_t{1} << bit % 64;
    }
  }
  bool all_alike = true;
  for (size_t i = words; i < masks.size(); i++) all_alike &= masks[i] == masks[i - words];

  llvm::GlobalVariable *table = all_alike ? nullptr : object_.constant_table(masks, object_.i64());
  llvm::Value *mask = nullptr;
  for (size_t i = first; i < end; i++) {
    if (all_alike) {
      call_clause(b, clauses[i], context, firing);
      continue;
    }
    if (i % 64 == 0 || i == first) {
      llvm::Value *row = b.CreateMul(b.CreateZExt(index, object_.i64()), llvm::ConstantInt::get(object_.i64(), words));
      row = b.CreateAdd(row, llvm::ConstantInt::get(object_.i64(), i / 64));
      mask = b.CreateLoad(object_.i64(), b.CreateInBoundsGEP(object_.i64(), table, row));
    }
    auto *run = llvm::BasicBlock::Create(object_.context(), "run", function);
    auto *next = llvm::BasicBlock::Create(object_.context(), "next", function);
    llvm::Value *bit = b.CreateAnd(mask, llvm::ConstantInt::get(object_.i64(), uint64_t{1} << i % 64));
    b.CreateCondBr(b.CreateICmpNE(bit, llvm::ConstantInt::get(object_.i64(), 0)), run, next);
    b.SetInsertPoint(run);
    call_clause(b, clauses[i], context, firing);
    b.CreateBr(next);
    b.SetInsertPoint(next);
  }
}

void ProgramEmitter::emit_entry(const std::vector<llvm::Function *> &clauses) {
  llvm::Type *parameters[] = {object_.pointer()};
  llvm::Function *function = object_.function(context_.plan->function, object_.i32(), parameters, section(), span());
  llvm::Value *context = function->getArg(0);
  Builder b(llvm::BasicBlock::Create(object_.context(), "entry", function));
  b.SetCurrentDebugLocation(object_.location(span(), function));
  auto *out = llvm::BasicBlock::Create(object_.context(), "out", function);
  auto go_on_if = [&](llvm::Value *condition) {
    auto *next = llvm::BasicBlock::Create(object_.context(), "go_on", function);
    likely(b.CreateCondBr(condition, next, out));
    b.SetInsertPoint(next);
  };

  const Hook &hook = context_.plan->hook;
  if (hook.is_of_user_code()) keep_kernel_stack(object_, b, function, context, out);
  if (context_.shows_managed) call_with_managed(b, context);
  llvm::AllocaInst *firing = entry_alloca(*function, object_.bytes(context_.firing_bytes));
  llvm::Value *index = select_probe(b, function, context, out);
  llvm::Value *state = b.CreateLoad(object_.i32(), compilation_.control(), /*isVolatile=*/true);
  llvm::Value *active_bank = state;
  const auto *walk = hook.as<WalkHook>();
  if (hook.is<TestRunHook>() || (walk != nullptr && walk->at_end())) {
    active_bank = b.CreateAnd(state, DT_STATE_BANK);
  } else {
    go_on_if(b.CreateICmpULT(state, llvm::ConstantInt::get(object_.i32(), DT_ACTIVE_STATES)));
    if (compilation_.input.options.is_set(Opt::cpu)) {
      llvm::Value *cpu = call_helper(object_, b, Helper::kSmpProcessorId, object_.i32(), {});
      go_on_if(b.CreateICmpEQ(cpu, llvm::ConstantInt::get(object_.i32(), compilation_.input.options.number(Opt::cpu))));
    }
  }

  llvm::Value *task = fires_in_functions(hook) ? reject_own_process(b, function, out) : nullptr;
  if (hook.family != 0) task = reject_other_families(b, function, task, out);
  b.CreateMemSet(firing, llvm::ConstantInt::get(object_.i8(), 0), context_.firing_bytes, llvm::Align(8));
  if (task != nullptr) b.CreateStore(task, cell(object_, b, firing, kCellTask));
  if (walk != nullptr && !walk->table.empty()) take_object(b, function, context, firing, out);
  keep_selected(b, firing, index);
  const bool counts_itself = context_.uses_bank && context_.plan->sleepable;
  if (context_.uses_bank && !counts_itself) b.CreateStore(active_bank, cell(object_, b, firing, kCellBank));

  llvm::Value *slot = nullptr;
  bool owns_slot = false;
  if (context_.uses_slot) {
    const uint32_t count = compilation_.slots_per_cpu();
    llvm::Value *cpu = call_without_effect(object_, b, Helper::kSmpProcessorId, object_.i32(), {});
    llvm::Value *first = b.CreateMul(cpu, b.CreateLoad(object_.i32(), compilation_.slots_apart()));
    const std::optional<uint32_t> own = context_.plan->own_slot;
    owns_slot = own.has_value();
    slot = owns_slot
               ? b.CreateCall(object_.library("dt_scratch_own"),
                              {compilation_.scratch(), b.CreateAdd(first, llvm::ConstantInt::get(object_.i32(), *own))})
               : b.CreateCall(object_.library("dt_scratch_claim"),
                              {compilation_.scratch(), first, llvm::ConstantInt::get(object_.i32(), count)});
    auto *claimed = llvm::BasicBlock::Create(object_.context(), "claimed", function);
    auto *none = llvm::BasicBlock::Create(object_.context(), "none", function);
    unlikely(b.CreateCondBr(b.CreateIsNull(slot), none, claimed));
    b.SetInsertPoint(none);
    for (uint32_t clause : context_.layout->clauses)
      b.CreateCall(object_.library("dt_count_drop"),
                   {compilation_.drops(),
                    llvm::ConstantInt::get(object_.i32(), drop_index(compilation_.layout, Cause::kNoScratch, clause))});
    b.CreateBr(out);
    b.SetInsertPoint(claimed);
    b.CreateStore(slot, cell(object_, b, firing, kCellSlot));
    clear_this(b, slot, false);
  }
  llvm::Value *bank = nullptr;
  if (counts_itself) {
    bank = b.CreateCall(object_.library("dt_bank_enter"), {compilation_.running()});
    b.CreateStore(bank, cell(object_, b, firing, kCellBank));
  }
  for (const ClauseRun &run : make_runs(clauses)) {
    if (run.group != nullptr) {
      b.CreateCall(run.group, {context, firing, index});
    } else {
      call_clauses(b, function, context, firing, index, clauses, run.first, run.end);
    }
  }
  if (counts_itself) b.CreateCall(object_.library("dt_bank_leave"), {compilation_.running(), bank});
  if (slot != nullptr && !owns_slot) b.CreateCall(object_.library("dt_scratch_release"), {slot});
  b.CreateBr(out);
  b.SetInsertPoint(out);
  b.CreateRet(llvm::ConstantInt::get(object_.i32(), 0));
  out->moveAfter(&function->back());
}

/// What managed frames take is two thirds of the verifier's work on a walk: the loader gives it to another program, if
/// this one can call it, which is loaded when there is a process that needs it. The call fails until then.
void ProgramEmitter::call_with_managed(Builder &b, llvm::Value *context) {
  if (!can_call_programs(*context_.plan)) {
    compilation_.facts.shows_managed = true;
    return;
  }
  const std::string name = "dt_managed_" + context_.plan->function;
  llvm::GlobalVariable *map = object_.map(name, {.type = kProgramArray, .value_bytes = 4});
  call_helper(object_, b, kTailCall, object_.i64(), {context, map, llvm::ConstantInt::get(object_.i64(), 0)});
  compilation_.facts.managed_maps[context_.layout->plan] = name;
}

/// `this` strings and structures are zero at the start of a firing; of a string one byte is enough.
void ProgramEmitter::clear_this(Builder &b, llvm::Value *slot, bool in_error) {
  for (uint32_t variable : context_.this_in_slot) {
    llvm::Value *at = cell(object_, b, slot, compilation_.this_offset(variable, in_error));
    const bool is_string = compilation_.types.is_string(compilation_.input.unit.variables[variable].type);
    const uint32_t bytes = is_string ? 1 : compilation_.layout.plan.variables[variable].size_bytes;
    emit_zero(object_, b, at, bytes);
    if (const std::optional<uint32_t> null_flag = compilation_.layout.null_flags[variable])
      b.CreateStore(llvm::ConstantInt::get(object_.i8(), 0), cell(object_, b, at, *null_flag));
  }
}

}  // namespace dtrace::codegen
