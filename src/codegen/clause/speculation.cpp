// SPDX-License-Identifier: Apache-2.0
// Speculation: the kernel side only marks records and knows which ids are active; the consumer holds the records until
// the commit or discard comes by.
#include "bpf/dt_speculation.h"
#include "codegen/clause/clause.h"
#include "frontend/tree/walk.h"

namespace dtrace::codegen {

llvm::Value *ClauseEmitter::speculation() {
  llvm::Value *id = library("dt_speculation_start",
                            {compilation_.speculations(), constant32(compilation_.layout.plan.nr_speculations)});
  id = b_.CreateZExt(id, object_.i64());
  when(b_.CreateICmpEQ(id, constant(0)), [&] { drop(Cause::kSpecUnavailable); });
  return id;
}

void ClauseEmitter::speculate(const tree::Action &node) {
  // An id that speculation() never gives is no fault, other than for commit() and discard(): it is not active.
  llvm::Value *id = b_.CreateTrunc(scalar(*node.values[0]), object_.i32());
  const bool records = frame_.record != nullptr;
  // 1: go on; 0: not an active id; -1: its buffer is full.
  llvm::Value *state =
      library("dt_speculate", {compilation_.speculations(), id, constant(records ? plan_.size_bytes : 0),
                               constant(static_cast<uint64_t>(compilation_.input.options.number(Opt::specsize)))});
  leave_if(b_.CreateICmpEQ(state, constant32(0)));
  if (!records) return;
  when(b_.CreateICmpSLT(state, constant32(0)), [&] { drop(Cause::kSpecFull); });
  b_.CreateStore(b_.CreateZExt(b_.CreateICmpSGT(state, constant32(0)), object_.i64()), frame_.keep);
  b_.CreateStore(id, at(frame_.record, plan_.speculation_offset));
}

namespace {

/// The commit(), discard() or speculate() that a statement is.
const tree::Action *use_of_speculation(const tree::Stmt &stmt) {
  const auto *act = std::get_if<tree::Action>(&stmt.node);
  if (act == nullptr) return nullptr;
  const bool is_use =
      act->kind == Builtin::k_commit || act->kind == Builtin::k_discard || act->kind == Builtin::k_speculate;
  return is_use ? act : nullptr;
}

bool uses_speculation(const std::vector<tree::Stmt> &stmts) {
  bool any = false;
  walk_statements(stmts, [&](const tree::Stmt &stmt) { any |= use_of_speculation(stmt) != nullptr; });
  return any;
}

/// Gives a variable of the clause a value: an id may be made so.
bool assigns_local(const tree::Stmt &stmt, const std::vector<tree::VariableInfo> &variables) {
  const auto *evaluated = std::get_if<tree::Evaluate>(&stmt.node);
  if (evaluated == nullptr) return false;
  const auto *assign = std::get_if<tree::Assign>(&evaluated->expr->node);
  if (assign == nullptr) return false;
  const auto *target = std::get_if<tree::VarRef>(&assign->place->node);
  return target != nullptr && variables[target->var.value].scope == Scope::kClause;
}

}  // namespace

void ClauseEmitter::speculate_without_record(const std::vector<tree::Stmt> &stmts) {
  if (!uses_speculation(stmts)) return;
  frame_.depth++;  // what is found here is not known where the record has room
  for (const tree::Stmt &stmt : stmts) {
    b_.SetCurrentDebugLocation(object_.location(stmt.span, frame_.function));
    TemporaryScope scope(*this);
    if (const tree::Action *use = use_of_speculation(stmt)) {
      if (use->kind == Builtin::k_speculate) {
        speculate(*use);
        continue;
      }
      llvm::Value *id = b_.CreateTrunc(scalar(*use->values[0]), object_.i32());
      const bool commits = use->kind == Builtin::k_commit;
      library(commits ? "dt_speculation_commit_unheard" : "dt_speculation_settle", {compilation_.speculations(), id});
    } else if (assigns_local(stmt, compilation_.input.unit.variables)) {
      evaluate(*std::get<tree::Evaluate>(stmt.node).expr);
    } else if (const auto *branch = std::get_if<std::unique_ptr<tree::If>>(&stmt.node)) {
      if (!uses_speculation((*branch)->then_body) && !uses_speculation((*branch)->else_body)) continue;
      llvm::BasicBlock *then_block = block("then"), *else_block = block("else"), *done = block("fi");
      b_.CreateCondBr(condition(*(*branch)->condition), then_block, else_block);
      b_.SetInsertPoint(then_block);
      speculate_without_record((*branch)->then_body);
      b_.CreateBr(done);
      b_.SetInsertPoint(else_block);
      speculate_without_record((*branch)->else_body);
      b_.CreateBr(done);
      b_.SetInsertPoint(done);
    }
  }
  frame_.depth--;
}

/// The id that commit() or discard() is given: one whose buffer does not exist is an illegal operation. 0 is what
/// speculation() gives when there is none to be had, and is harmless.
llvm::Value *ClauseEmitter::speculation_id(const tree::Expr &expr) {
  llvm::Value *id = b_.CreateTrunc(scalar(expr), object_.i32());
  llvm::Value *slot = b_.CreateAnd(id, uint64_t{DT_SPEC_SLOT(~0U)});
  // Slots are counted from 1.
  llvm::Value *is_slot =
      b_.CreateICmpULT(b_.CreateSub(slot, constant32(1)), constant32(compilation_.layout.plan.nr_speculations));
  llvm::Value *is_zero = b_.CreateICmpEQ(id, constant32(0));
  fault_if(b_.CreateNot(b_.CreateOr(is_slot, is_zero)), DT_FAULT_ILLOP);
  return id;
}

void ClauseEmitter::settle(const tree::Action &node) {
  llvm::Value *id = speculation_id(*node.values[0]);
  llvm::Value *done = library("dt_speculation_settle", {compilation_.speculations(), id});
  llvm::Value *valid = b_.CreateICmpNE(done, constant32(0));
  const ValuePlan &value = plan_.actions[layout_.actions.at(&node)].values[0];
  llvm::Value *recorded = b_.CreateSelect(valid, b_.CreateZExt(id, object_.i64()), constant(0));
  b_.CreateStore(b_.CreateTrunc(recorded, object_.integer(value.size_bytes)), at(frame_.record, value.offset));
  if (layout_.only_commits)
    b_.CreateStore(b_.CreateOr(b_.CreateLoad(object_.i64(), frame_.keep), boolean(valid)), frame_.keep);
}

}  // namespace dtrace::codegen
