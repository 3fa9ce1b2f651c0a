// SPDX-License-Identifier: Apache-2.0
// The record of a clause, from its reservation to its submission, in the CPU's ring or, for bufpolicy=ring, in its log.
#include "codegen/clause/clause.h"

namespace dtrace::codegen {
namespace {

constexpr uint64_t kForceWakeup = 2;  // BPF_RB_FORCE_WAKEUP

/// The consumer should not wait for its next round to see these.
bool is_urgent(const ClausePlan &plan) {
  for (const ActionPlan &action : plan.actions)
    if (action.kind == Builtin::k_exit || action.kind == Builtin::k_commit) return true;
  return false;
}

/// True if the clause calls exit() unconditionally.
bool always_exits(const ClausePlan &plan) {
  for (const ActionPlan &action : plan.actions)
    if (action.kind == Builtin::k_exit && action.guard < 0) return true;
  return false;
}

}  // namespace

llvm::Value *ClauseEmitter::record_space(llvm::BasicBlock *full) {
  if (plan_.in_log) return library("dt_log_reserve", {compilation_.logs(), compilation_.log_heads(), cpu()});
  llvm::BasicBlock *have_ring = block("have_ring");
  llvm::Value *buffer = ring();
  unlikely(b_.CreateCondBr(b_.CreateIsNull(buffer), full, have_ring));
  b_.SetInsertPoint(have_ring);
  return helper(Helper::kRingbufReserve, {buffer, constant(plan_.size_bytes), constant(0)}, object_.pointer());
}

void ClauseEmitter::reserve() {
  if (plan_.size_bytes == 0) return;
  llvm::Value *time_now = compilation_.layout.plan.timestamps ? time() : constant(0);
  llvm::Value *thread_now = plan_.thread_offset != 0 ? process_and_thread() : nullptr;
  llvm::Value *cpu_now = plan_.cpu_offset != 0 ? b_.CreateZExt(cpu(), object_.i64()) : nullptr;
  llvm::BasicBlock *full = block("full"), *reserved = block("reserved");
  llvm::Value *memory = record_space(full);
  unlikely(b_.CreateCondBr(b_.CreateIsNull(memory), full, reserved));
  b_.SetInsertPoint(full);
  // A full ring ends policy fill. And exit() is obeyed though its status is lost: it may not come again.
  if (compilation_.layout.plan.fills_once || always_exits(plan_)) end_tracing();
  if (always_exits(plan_)) end_firing();
  speculate_without_record(layout_.clause->body);
  // A commit or discard alone is not lost: the state of the speculation says it.
  if (plan_.makes_row) drop(Cause::kRingFull);
  b_.CreateBr(frame_.end);

  b_.SetInsertPoint(reserved);
  frame_.record = frame_.reserved = memory;
  b_.CreateStore(constant32(plan_.index), at(frame_.record, offsetof(dt_record, clause)));
  b_.CreateStore(probe(), at(frame_.record, offsetof(dt_record, probe)));
  b_.CreateStore(time_now, at(frame_.record, offsetof(dt_record, time)));
  if (plan_.guard_offset != 0) zero(at(frame_.record, plan_.guard_offset), plan_.guard_bytes);
  if (plan_.thread_offset != 0) b_.CreateStore(thread_now, at(frame_.record, plan_.thread_offset));
  if (plan_.speculation_offset != 0) b_.CreateStore(constant32(0), at(frame_.record, plan_.speculation_offset));
  if (layout_.only_commits || layout_.speculates) {
    frame_.keep = local_bytes(8, "keep");
    b_.CreateStore(constant(layout_.only_commits ? 0 : 1), frame_.keep);
  }
  clear_unwritten();
  if (plan_.cpu_offset != 0) b_.CreateStore(cpu_now, at(frame_.record, plan_.cpu_offset));
}

/// Every byte of a record is written: what no action is sure to write is cleared first.
void ClauseEmitter::clear_unwritten() {
  uint32_t end = sizeof(dt_record) + plan_.guard_bytes + (plan_.thread_offset != 0 ? 8 : 0) +
                 (plan_.speculation_offset != 0 ? 4 : 0);
  auto clear = [&](uint32_t from, uint32_t to) {
    for (; from < to && from % 8 != 0; from++)
      b_.CreateStore(llvm::ConstantInt::get(object_.i8(), 0), at(frame_.record, from));
    if (to > from) zero(at(frame_.record, from), to - from);
  };
  for (const ActionPlan &action : plan_.actions) {
    for (const ValuePlan &value : action.values) {
      if (value.size_bytes == 0 || value.in_record_head()) continue;
      clear(end, value.offset);
      end = value.offset + value.size_bytes;
      // A clause that only commits may end at a fault behind its commit.
      if (action.guard >= 0 || layout_.only_commits) clear(value.offset, end);
    }
  }
  if (!plan_.leaves.empty()) {  // outcomes; every leaf writes its value whole
    clear(end, plan_.leaves.front().offset);
    end = plan_.leaves.back().offset + plan_.leaves.back().size_bytes;
  }
  clear(end, plan_.cpu_offset != 0 ? plan_.cpu_offset : plan_.size_bytes);
}

void ClauseEmitter::submit() {
  if (frame_.record == nullptr) return;
  if (frame_.keep != nullptr)
    keep_if_wanted(frame_.record);
  else
    keep_record(frame_.record);
  frame_.record = nullptr;
}

void CodeEmitter::keep_if_wanted(llvm::Value *record) {
  llvm::BasicBlock *keep = block("keep"), *forget = block("forget"), *done = block("submitted");
  llvm::Value *wanted = b_.CreateICmpNE(b_.CreateLoad(object_.i64(), frame_.keep), constant(0));
  b_.CreateCondBr(wanted, keep, forget);
  b_.SetInsertPoint(forget);
  forget_record(record);
  b_.CreateBr(done);
  b_.SetInsertPoint(keep);
  keep_record(record);
  b_.CreateBr(done);
  b_.SetInsertPoint(done);
}

void CodeEmitter::keep_record(llvm::Value *record) {
  if (plan_.in_log)
    library("dt_log_release", {record});
  else
    helper(Helper::kRingbufSubmit, {record, constant(is_urgent(plan_) ? kForceWakeup : 0)});
}

void CodeEmitter::forget_record(llvm::Value *record) {
  if (plan_.in_log)
    library("dt_log_give_up", {compilation_.log_heads(), record});
  else
    helper(Helper::kRingbufDiscard, {record, constant(0)});
}

}  // namespace dtrace::codegen
