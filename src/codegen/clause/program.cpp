// SPDX-License-Identifier: Apache-2.0
#include "codegen/clause/program.h"

#include <llvm/IR/InlineAsm.h>
#include <llvm/IR/MDBuilder.h>
#include <llvm/Support/MathExtras.h>

#include <algorithm>
#include <bit>
#include <map>

#include "codegen/clause/clause.h"
#include "codegen/planning/walk.h"

namespace dtrace::codegen {
namespace {

constexpr size_t kComparedNumbers = 3;          // up to so many, comparing beats a table
constexpr uint64_t kAbsent = 0xffff;            // in the table of system call numbers
constexpr uint32_t kOften = 2000, kSeldom = 1;  // weights of branches
constexpr unsigned kInlineInstructions = 250;   // clauses beyond this stay subprograms when a program has several

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

llvm::Value *opaque_value(Builder &b, llvm::Value *value) {
  auto *type = llvm::FunctionType::get(value->getType(), {value->getType()}, false);
  return b.CreateCall(type, llvm::InlineAsm::get(type, "", "=r,0", /*hasSideEffects=*/true), {value});
}

llvm::Value *call_helper(ObjectBuilder &object, Builder &b, Helper helper, llvm::Type *result,
                         llvm::ArrayRef<llvm::Value *> args) {
  std::vector<llvm::Type *> types;
  for (llvm::Value *arg : args) types.push_back(arg->getType());
  auto *type = llvm::FunctionType::get(result, types, false);
  auto *callee = llvm::ConstantExpr::getIntToPtr(llvm::ConstantInt::get(object.i64(), static_cast<uint64_t>(helper)),
                                                 object.pointer());
  return b.CreateCall(type, callee, args);
}

llvm::Value *call_without_effect(ObjectBuilder &object, Builder &b, Helper helper, llvm::Type *result,
                                 llvm::ArrayRef<llvm::Value *> args) {
  auto *call = llvm::cast<llvm::CallInst>(call_helper(object, b, helper, result, args));
  call->setDoesNotAccessMemory();
  call->setDoesNotThrow();
  call->addFnAttr(llvm::Attribute::WillReturn);
  return call;
}

llvm::AllocaInst *entry_alloca(llvm::Function &function, llvm::Type *type) {
  llvm::BasicBlock &entry = function.getEntryBlock();
  Builder b(&entry, entry.begin());
  llvm::AllocaInst *variable = b.CreateAlloca(type);
  variable->setAlignment(llvm::Align(8));
  return variable;
}

void likely(llvm::BranchInst *branch) {
  branch->setMetadata(llvm::LLVMContext::MD_prof,
                      llvm::MDBuilder(branch->getContext()).createBranchWeights(kOften, kSeldom));
}

void unlikely(llvm::BranchInst *branch) {
  branch->setMetadata(llvm::LLVMContext::MD_prof,
                      llvm::MDBuilder(branch->getContext()).createBranchWeights(kSeldom, kOften));
}

llvm::Value *cell(ObjectBuilder &object, Builder &b, llvm::Value *firing, uint32_t offset) {
  return b.CreateConstInBoundsGEP1_64(object.i8(), firing, offset);
}

llvm::Value *register_test(ObjectBuilder &object, Builder &b, llvm::Value *registers, const arch::RegisterTest &test) {
  llvm::IntegerType *type = object.integer(test.size_bytes);
  llvm::Value *value = b.CreateLoad(type, cell(object, b, registers, test.offset));
  const uint64_t all = UINT64_MAX >> (64 - 8 * test.size_bytes);
  if (test.mask != all) value = b.CreateAnd(value, test.mask);
  return b.CreateICmpEQ(value, llvm::ConstantInt::get(type, test.value));
}

llvm::Value *probe_id(Compilation &compilation, Builder &b, const ProgramContext &context, llvm::Value *firing) {
  ObjectBuilder &object = compilation.object;
  const std::vector<ProbeId> &probes = context.plan->probes;
  if (context.by_site()) return b.CreateLoad(object.i32(), cell(object, b, firing, kCellIndex));
  if (probes.size() == 1) return llvm::ConstantInt::get(object.i32(), probes[0].value);
  std::vector<uint64_t> ids;
  for (ProbeId id : probes) ids.push_back(id.value);
  ids.resize(std::bit_ceil(ids.size()));
  llvm::GlobalVariable *table = object.constant_table(ids, object.i32());
  llvm::Value *index = b.CreateLoad(object.i32(), cell(object, b, firing, kCellIndex));
  return b.CreateLoad(object.i32(),
                      b.CreateInBoundsGEP(object.i32(), table, bounded_index(object, b, index, ids.size())));
}

llvm::Value *bounded_index(ObjectBuilder &object, Builder &b, llvm::Value *index, uint64_t rows) {
  return b.CreateAnd(b.CreateZExt(index, object.i64()), rows - 1);
}

ProgramEmitter::ProgramEmitter(Compilation &compilation, const ProgramLayout &layout)
    : compilation_(compilation), object_(compilation.object) {
  context_.layout = &layout;
  context_.plan = &compilation.layout.plan.programs[layout.plan];
  context_.first_hook = &layout.prototype;
}

std::string ProgramEmitter::section() const {
  const Hook &hook = context_.plan->hook;
  if (hook.facts().has_sites || hook.is_of_call_functions()) return section_of_sites(*context_.plan);
  if (context_.plan->as_btf_tracepoint) return "tp_btf/" + hook.text();
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

// ---------------------------------------------------------------- which probe

/// The row of a number, of pairs of numbers and rows; branches to `out` where it has none. A row of a table may be
/// kAbsent in all its bits.
llvm::Value *ProgramEmitter::row_of_number(Builder &b, llvm::Function *function, llvm::Value *number,
                                           const std::vector<std::pair<uint64_t, uint64_t>> &rows,
                                           llvm::IntegerType *type, llvm::BasicBlock *out) {
  if (rows.size() <= kComparedNumbers) {
    auto *found = llvm::BasicBlock::Create(object_.context(), "found", function);
    std::vector<uint32_t> weights(rows.size() + 1, kOften);
    weights[0] = kSeldom;  // the path of a call that is traced is the one that counts
    llvm::SwitchInst *numbers = b.CreateSwitch(number, out, static_cast<unsigned>(rows.size()),
                                               llvm::MDBuilder(object_.context()).createBranchWeights(weights));
    llvm::IRBuilder<> found_builder(found);
    llvm::PHINode *index = found_builder.CreatePHI(object_.i32(), static_cast<unsigned>(rows.size()));
    for (const auto &[its_number, row] : rows) {
      auto *which = llvm::BasicBlock::Create(object_.context(), "probe", function, found);
      numbers->addCase(llvm::ConstantInt::get(object_.i64(), its_number), which);
      llvm::IRBuilder<> at(which);
      at.SetCurrentDebugLocation(b.getCurrentDebugLocation());
      at.CreateBr(found);
      index->addIncoming(llvm::ConstantInt::get(object_.i32(), row), which);
    }
    b.SetInsertPoint(found);
    return index;
  }

  uint64_t limit = 0;
  for (const auto &[its_number, row] : rows) limit = std::max(limit, its_number + 1);
  const uint64_t none = llvm::maskTrailingOnes<uint64_t>(type->getBitWidth());
  std::vector<uint64_t> table_rows(limit, none);
  for (const auto &[its_number, row] : rows) table_rows[its_number] = row;

  auto *look = llvm::BasicBlock::Create(object_.context(), "look", function);
  likely(b.CreateCondBr(b.CreateICmpULT(number, llvm::ConstantInt::get(object_.i64(), limit)), look, out));
  b.SetInsertPoint(look);
  llvm::GlobalVariable *table = object_.constant_table(table_rows, type);
  return b.CreateZExt(b.CreateLoad(type, b.CreateInBoundsGEP(type, table, number)), object_.i32());
}

llvm::Value *ProgramEmitter::selected_by_number(Builder &b, llvm::Function *function, llvm::Value *number,
                                                llvm::BasicBlock *out) {
  const std::vector<const ProbeHook *> &probes = context_.layout->hooks;
  std::vector<std::pair<uint64_t, uint64_t>> rows;
  for (uint32_t i = 0; i < probes.size(); i++) rows.emplace_back(probes[i]->selector_value, i);
  llvm::Value *index = row_of_number(b, function, number, rows, object_.i16(), out);
  return rows.size() <= kComparedNumbers ? index : in_tables(b, function, index, out);
}

/// Compared with the count, not the mark, so that the verifier knows the index to be in every table.
llvm::Value *ProgramEmitter::in_tables(Builder &b, llvm::Function *function, llvm::Value *index,
                                       llvm::BasicBlock *out) {
  auto *found = llvm::BasicBlock::Create(object_.context(), "found", function);
  llvm::Value *count = llvm::ConstantInt::get(object_.i32(), context_.layout->hooks.size());
  likely(b.CreateCondBr(b.CreateICmpULT(index, count), found, out));
  b.SetInsertPoint(found);
  return index;
}

/// A number means one call of 64-bit and another of 32-bit code. It is looked up as both at once: a call that is traced
/// as neither costs no look at the task.
llvm::Value *ProgramEmitter::selected_by_call(Builder &b, llvm::Function *function, llvm::Value *context,
                                              llvm::Value *number, llvm::BasicBlock *out) {
  constexpr uint32_t kNarrowShift = 16;
  const std::vector<const ProbeHook *> &probes = context_.layout->hooks;
  std::map<uint64_t, uint64_t> rows;  // in the lower half the probe of the 64-bit call
  for (uint32_t i = 0; i < probes.size(); i++) {
    uint64_t &row = rows.try_emplace(probes[i]->selector_value, kAbsent << kNarrowShift | kAbsent).first->second;
    const uint32_t shift = probes[i]->narrow ? kNarrowShift : 0;
    row = (row & ~(kAbsent << shift)) | uint64_t{i} << shift;
  }
  llvm::Value *row = row_of_number(b, function, number, {rows.begin(), rows.end()}, object_.i32(), out);
  llvm::Value *narrow = b.CreateLShr(row, kNarrowShift), *wide = b.CreateAnd(row, kAbsent);
  return in_tables(b, function, b.CreateSelect(is_narrow_call(b, function, context), narrow, wide), out);
}

llvm::Value *ProgramEmitter::selected_by_site(Builder &b, llvm::Function *function, llvm::Value *context,
                                              llvm::BasicBlock *out) {
  // With tens of thousands of kernel functions the kernel searches for the cookie, so the call is left out where no
  // clause asks which probe fired.
  cookie_ = call_without_effect(object_, b, Helper::kAttachCookie, object_.i64(), {context});
  if (context_.plan->rows.size() == 1) return llvm::ConstantInt::get(object_.i32(), 0);
  llvm::Value *row = b.CreateAnd(b.CreateLShr(cookie_, uint64_t{32}), uint64_t{SiteCookie::kMaxRows - 1});
  // Only so that the verifier knows the row to be in the table.
  auto *known = llvm::BasicBlock::Create(object_.context(), "known", function);
  llvm::Value *rows = llvm::ConstantInt::get(object_.i64(), context_.plan->rows.size());
  likely(b.CreateCondBr(b.CreateICmpULT(row, rows), known, out));
  b.SetInsertPoint(known);
  return b.CreateTrunc(row, object_.i32());
}

/// A copy has a number, which the verifier knows as a constant. The program that copies are made of is never attached,
/// and has a number that the verifier does not know, so that it follows all that a copy might do.
llvm::Value *ProgramEmitter::selected_by_copy(Builder &b, llvm::Function *function, llvm::Value *context,
                                              llvm::BasicBlock *out) {
  auto *unknown = llvm::BasicBlock::Create(object_.context(), "unknown", function);
  auto *known = llvm::BasicBlock::Create(object_.context(), "known", function);
  llvm::Value *mark = opaque_value(b, llvm::ConstantInt::get(object_.i64(), CopyNumber::kMark));
  llvm::Value *number = b.CreateTrunc(mark, object_.i32());
  llvm::Value *is_copy = b.CreateIsNull(b.CreateLShr(mark, uint64_t{32}));
  llvm::BasicBlock *before = b.GetInsertBlock();
  likely(b.CreateCondBr(is_copy, known, unknown));
  b.SetInsertPoint(unknown);
  llvm::Value *any = b.CreateTrunc(b.CreateLoad(object_.i64(), context), object_.i32());
  b.CreateBr(known);
  b.SetInsertPoint(known);
  llvm::PHINode *index = b.CreatePHI(object_.i32(), 2);
  index->addIncoming(number, before);
  index->addIncoming(any, unknown);
  return in_tables(b, function, index, out);
}

void ProgramEmitter::keep_selected(Builder &b, llvm::Value *firing, llvm::Value *index) {
  if (cookie_ == nullptr) {
    b.CreateStore(index, cell(object_, b, firing, kCellIndex));
    return;
  }
  b.CreateStore(b.CreateTrunc(cookie_, object_.i32()), cell(object_, b, firing, kCellIndex));
  llvm::Value *high = b.CreateTrunc(b.CreateLShr(cookie_, uint64_t{32}), object_.i32());
  b.CreateStore(high, cell(object_, b, firing, kCellSite));
}

llvm::Value *ProgramEmitter::is_narrow_call(Builder &b, llvm::Function *function, llvm::Value *context) {
  const arch::NarrowCalls &calls = compilation_.input.machine.narrow_calls;
  const uint32_t state = *compilation_.kernel.offset("task_struct", calls.state_member);
  const auto by_state = [&] {
    llvm::Value *task = call_helper(object_, b, Helper::kCurrentTaskBtf, object_.pointer(), {});
    llvm::Value *bits = b.CreateAnd(b.CreateLoad(object_.i32(), cell(object_, b, task, state)), calls.state_mask);
    return b.CreateICmpNE(bits, llvm::ConstantInt::get(object_.i32(), 0));
  };
  if (!context_.plan->as_btf_tracepoint) return by_state();

  // Registers answer for nearly all calls, and cost less to read than the helper to call (20 ns).
  auto *look = llvm::BasicBlock::Create(object_.context(), "look_at_task", function);
  auto *known = llvm::BasicBlock::Create(object_.context(), "known", function);
  llvm::Value *regs = b.CreateLoad(object_.pointer(), context);
  llvm::Value *first = b.CreateLoad(object_.i64(), cell(object_, b, regs, calls.equal_in_wide[0]));
  llvm::Value *second = b.CreateLoad(object_.i64(), cell(object_, b, regs, calls.equal_in_wide[1]));
  llvm::Value *in_narrow_code = register_test(object_, b, regs, machine_registers().in_32bit_program);
  llvm::Value *is_wide = b.CreateAnd(b.CreateICmpEQ(first, second), b.CreateNot(in_narrow_code));
  llvm::BasicBlock *before = b.GetInsertBlock();
  likely(b.CreateCondBr(is_wide, known, look));
  b.SetInsertPoint(look);
  llvm::Value *answer = by_state();
  b.CreateBr(known);
  b.SetInsertPoint(known);
  llvm::PHINode *result = b.CreatePHI(b.getInt1Ty(), 2);
  result->addIncoming(b.getFalse(), before);
  result->addIncoming(answer, look);
  return result;
}

void ProgramEmitter::reject_compat(Builder &b, llvm::Function *function, llvm::Value *context, llvm::BasicBlock *out) {
  // A 32-bit task's numbers mean other calls. A register of its own tells it, and costs little to read.
  llvm::Value *regs = nullptr;
  if (context_.plan->as_btf_tracepoint) {
    regs = b.CreateLoad(object_.pointer(), context);
  } else if (context_.plan->hook.is<PerfTracepointHook>()) {
    llvm::Value *task = call_helper(object_, b, Helper::kCurrentTaskBtf, object_.pointer(), {});
    regs = call_helper(object_, b, Helper::kTaskPtRegs, object_.pointer(), {task});
  } else {
    return;
  }
  auto *native = llvm::BasicBlock::Create(object_.context(), "native", function);
  llvm::Value *is_compat = register_test(object_, b, regs, machine_registers().in_32bit_program);
  unlikely(b.CreateCondBr(is_compat, out, native));
  b.SetInsertPoint(native);
}

llvm::Value *ProgramEmitter::select_probe(Builder &b, llvm::Function *function, llvm::Value *context,
                                          llvm::BasicBlock *out) {
  const Hook &hook = context_.plan->hook;
  if (hook.selector == Selector::kSite) return selected_by_site(b, function, context, out);
  if (hook.selector == Selector::kSingle) return llvm::ConstantInt::get(object_.i32(), 0);
  if (hook.selector == Selector::kCopy) return selected_by_copy(b, function, context, out);
  if (hook.selector == Selector::kPlace) {
    if (context_.layout->hooks.size() == 1) return llvm::ConstantInt::get(object_.i32(), 0);
    llvm::Value *cookie = call_helper(object_, b, Helper::kAttachCookie, object_.i64(), {context});
    return in_tables(b, function, b.CreateTrunc(cookie, object_.i32()), out);
  }
  llvm::Value *number = nullptr;
  const uint32_t number_bytes = machine_registers().system_call_number_bytes;  // as registers have it
  llvm::Type *number_type = object_.integer(number_bytes);
  const auto *raw = hook.as<RawTracepointHook>();
  if (raw == nullptr || raw->event != "sys_exit") {  // also in the record of a perf tracepoint
    number = b.CreateLoad(object_.i64(), cell(object_, b, context, 8));
  } else if (context_.plan->as_btf_tracepoint) {
    llvm::Value *regs = b.CreateLoad(object_.pointer(), context);
    number = b.CreateLoad(number_type, cell(object_, b, regs, machine_registers().system_call_number));
  } else {
    llvm::AllocaInst *buffer = entry_alloca(*function, number_type);
    llvm::Value *regs = b.CreateLoad(object_.i64(), context);
    llvm::Value *address =
        b.CreateAdd(regs, llvm::ConstantInt::get(object_.i64(), machine_registers().system_call_number));
    llvm::Value *error = call_helper(object_, b, Helper::kProbeReadKernel, object_.i64(),
                                     {buffer, llvm::ConstantInt::get(object_.i32(), number_bytes), address});
    auto *read = llvm::BasicBlock::Create(object_.context(), "read", function);
    b.CreateCondBr(b.CreateICmpNE(error, llvm::ConstantInt::get(object_.i64(), 0)), out, read);
    b.SetInsertPoint(read);
    number = b.CreateLoad(number_type, buffer);
  }
  number = b.CreateSExt(number, object_.i64());
  const arch::NarrowCalls &narrow = compilation_.input.machine.narrow_calls;
  if (!narrow.calls.empty() && compilation_.kernel.offset("task_struct", narrow.state_member))
    return selected_by_call(b, function, context, number, out);
  llvm::Value *index = selected_by_number(b, function, number, out);
  reject_compat(b, function, context, out);
  return index;
}

// ---------------------------------------------------------------- the consumer itself

namespace {

/// True if the hook is in functions of user programs, and not at a static probe.
bool fires_in_functions(const Hook &hook) {
  const auto *instruction = hook.as<UserInstructionHook>();
  if (instruction == nullptr) return hook.is<UserReturnHook>();
  return instruction->where != UserInstructionHook::Where::kStatic;
}

}  // namespace

llvm::Value *ProgramEmitter::reject_own_process(Builder &b, llvm::Function *function, llvm::BasicBlock *out) {
  // By its memory, not its number: the processes that set probes for it share that.
  const std::optional<uint32_t> memory = compilation_.kernel.offset("task_struct", "mm");
  if (!memory) return nullptr;
  llvm::Value *task = call_helper(object_, b, Helper::kCurrentTaskBtf, object_.pointer(), {});
  llvm::Value *ours =
      b.CreateLoad(object_.i64(), cell(object_, b, compilation_.control(), offsetof(dt_control, own_memory)));
  llvm::Value *theirs = b.CreateLoad(object_.i64(), cell(object_, b, task, *memory));
  auto *foreign = llvm::BasicBlock::Create(object_.context(), "foreign", function);
  unlikely(b.CreateCondBr(b.CreateICmpEQ(ours, theirs), out, foreign));
  b.SetInsertPoint(foreign);
  return task;
}

llvm::Value *ProgramEmitter::reject_other_families(Builder &b, llvm::Function *function, llvm::Value *task,
                                                   llvm::BasicBlock *out) {
  if (task == nullptr) task = call_helper(object_, b, Helper::kCurrentTaskBtf, object_.pointer(), {});
  compilation_.define_pid_layout();
  llvm::Value *is_in = b.CreateCall(
      object_.library("dt_in_family"),
      {b.CreatePtrToInt(task, object_.i64()), llvm::ConstantInt::get(object_.i32(), context_.plan->hook.family)});
  auto *inside = llvm::BasicBlock::Create(object_.context(), "inside", function);
  b.CreateCondBr(b.CreateICmpNE(is_in, llvm::ConstantInt::get(object_.i32(), 0)), inside, out);
  b.SetInsertPoint(inside);
  return task;
}

void emit_own_memory(Compilation &compilation) {
  const std::vector<ProgramPlan> &programs = compilation.layout.plan.programs;
  const auto is_needed = [](const ProgramPlan &program) { return fires_in_functions(program.hook); };
  const std::optional<uint32_t> memory = compilation.kernel.offset("task_struct", "mm");
  if (!memory || std::none_of(programs.begin(), programs.end(), is_needed)) return;
  ObjectBuilder &object = compilation.object;
  llvm::Type *parameters[] = {object.pointer()};
  const Span nowhere{};
  llvm::Function *function = object.function("own_memory", object.i32(), parameters, "raw_tp/", nowhere);
  Builder b(llvm::BasicBlock::Create(object.context(), "entry", function));
  b.SetCurrentDebugLocation(object.location(nowhere, function));
  llvm::Value *task = call_helper(object, b, Helper::kCurrentTaskBtf, object.pointer(), {});
  llvm::Value *ours = b.CreateLoad(object.i64(), cell(object, b, task, *memory));
  b.CreateStore(ours, cell(object, b, compilation.control(), offsetof(dt_control, own_memory)));
  b.CreateRet(llvm::ConstantInt::get(object.i32(), 0));
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
