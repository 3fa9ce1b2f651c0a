// SPDX-License-Identifier: Apache-2.0
// The frame of a clause: predicate, statements, and where faults go. Its record is in record.cpp.
#include "codegen/clause/clause.h"

#include <llvm/IR/InlineAsm.h>
#include <llvm/IR/Intrinsics.h>

#include <algorithm>

namespace dtrace {
ClauseEmitter::ClauseEmitter(Compilation &compilation, ProgramContext &context, uint32_t clause, Role role)
    : compilation_(compilation),
      object_(compilation.object),
      context_(context),
      clause_(clause),
      role_(role),
      layout_(compilation.layout.clauses[clause]),
      plan_(compilation.layout.plan.clauses[clause]),
      b_(compilation.object.context()) {}

llvm::Function *ClauseEmitter::emit() {
  llvm::Type *parameters[] = {object_.pointer(), object_.pointer()};
  const std::string name = (in_error() ? "e" : "c") + std::to_string(clause_) + "_" + context_.plan->function;
  frame_.function = main_function_ = object_.function(name, object_.void_type(), parameters, "", layout_.clause->span);
  frame_.context = frame_.function->getArg(0);
  frame_.firing = frame_.function->getArg(1);
  b_.SetInsertPoint(llvm::BasicBlock::Create(object_.context(), "entry", frame_.function));
  b_.SetCurrentDebugLocation(object_.location(layout_.clause->span, frame_.function));
  frame_.end = frame_.fault_end = block("end");
  frame_.word = local(object_.i64(), "word");
  scratch_end_ = clause_scratch_begin();

  predicate();
  reserve();
  body(layout_.clause->body);
  submit();
  b_.CreateBr(frame_.end);

  emit_faults(false);
  emit_faults(true);
  b_.SetInsertPoint(frame_.end);
  b_.CreateRetVoid();
  frame_.end->moveAfter(&frame_.function->back());
  return frame_.function;
}

void ClauseEmitter::run_only_if(const tree::Expr &expr) {
  llvm::BasicBlock *run = block("run");
  b_.CreateCondBr(condition(expr), run, frame_.end);
  b_.SetInsertPoint(run);
}

void ClauseEmitter::predicate() {
  const tree::Derivation *derivation = this->derivation();
  if (derivation != nullptr && derivation->condition != nullptr) {
    in_derivation_ = true;
    run_only_if(*derivation->condition);
    in_derivation_ = false;
  }
  if (!in_error()) run_unless_exited();
  if (layout_.clause->predicate != nullptr) run_only_if(*layout_.clause->predicate);
}

// ---------------------------------------------------------------- statements

void ClauseEmitter::body(const std::vector<tree::Stmt> &stmts) {
  std::optional<Frame> outer;  // while a part is written
  for (const tree::Stmt &stmt : stmts) {
    const bool fits = fits_part(stmt);
    if (outer && (is_full() || !fits)) {
      close_part(std::move(*outer));
      outer.reset();
    }
    if (part_depth_ == 0 && fits && is_full()) outer = open_part();
    b_.SetCurrentDebugLocation(object_.location(stmt.span, frame_.function));
    TemporaryScope scope(*this);
    statement(stmt);
  }
  if (outer) close_part(std::move(*outer));
}

void ClauseEmitter::statement(const tree::Stmt &stmt) {
  if (auto *expr = std::get_if<tree::Evaluate>(&stmt.node)) {
    evaluate(*expr->expr);
  } else if (auto *update = std::get_if<tree::AggUpdate>(&stmt.node)) {
    aggregate(*update);
  } else if (auto *act = std::get_if<tree::Action>(&stmt.node)) {
    action(*act);
  } else {
    if_statement(*std::get<std::unique_ptr<tree::If>>(stmt.node));
  }
}

void ClauseEmitter::if_statement(const tree::If &branch) {
  llvm::Value *taken = condition(*branch.condition);
  // The guards of both branches with one store, before them: stores in the branches would become one to an address that
  // depends on the branch, and the verifier follows every path with its own.
  if (const auto guard = layout_.guards.find(&branch); guard != layout_.guards.end()) {
    llvm::Type *pair = object_.integer(2);
    b_.CreateStore(b_.CreateSelect(taken, llvm::ConstantInt::get(pair, 0x0001), llvm::ConstantInt::get(pair, 0x0100)),
                   at(frame_.record, plan_.guard_offset + guard->second));
  }
  llvm::BasicBlock *then_block = block("then"), *else_block = block("else"), *done = block("fi");
  b_.CreateCondBr(taken, then_block, else_block);
  frame_.depth++;
  b_.SetInsertPoint(then_block);
  body(branch.then_body);
  b_.CreateBr(done);
  b_.SetInsertPoint(else_block);
  body(branch.else_body);
  b_.CreateBr(done);
  frame_.depth--;
  b_.SetInsertPoint(done);
}

// ---------------------------------------------------------------- faults and drops

void ClauseEmitter::fault_if(llvm::Value *condition, uint32_t kind, llvm::Value *address) {
  Frame::Faults &faults = frame_.faults[frame_.record != nullptr ? 1 : 0];
  if (faults.block == nullptr) faults.block = block("fault");
  llvm::BasicBlock *fine = block("fine");
  faults.sources.push_back(b_.GetInsertBlock());
  faults.values.push_back({constant(kind), address != nullptr ? address : constant(0)});
  unlikely(b_.CreateCondBr(condition, faults.block, fine));
  b_.SetInsertPoint(fine);
}

void ClauseEmitter::fault(uint32_t kind, llvm::Value *address) {
  fault_if(llvm::ConstantInt::getTrue(object_.context()), kind, address);
}

void ClauseEmitter::leave_if(llvm::Value *condition) {
  llvm::BasicBlock *leave = block("leave"), *stay = block("stay");
  unlikely(b_.CreateCondBr(condition, leave, stay));
  b_.SetInsertPoint(leave);
  if (frame_.record != nullptr) forget_record(frame_.record);
  b_.CreateBr(frame_.fault_end);
  b_.SetInsertPoint(stay);
}

void ClauseEmitter::emit_faults(bool has_record) {
  const Frame::Faults &faults = frame_.faults[has_record ? 1 : 0];
  if (faults.block == nullptr) return;
  const auto count = static_cast<unsigned>(faults.sources.size());
  b_.SetInsertPoint(faults.block);
  b_.SetCurrentDebugLocation(object_.location(layout_.clause->span, frame_.function));
  llvm::PHINode *kind = b_.CreatePHI(object_.i64(), count);
  llvm::PHINode *address = b_.CreatePHI(object_.i64(), count);
  for (unsigned i = 0; i < count; i++) {
    kind->addIncoming(faults.values[i][0], faults.sources[i]);
    address->addIncoming(faults.values[i][1], faults.sources[i]);
  }
  if (has_record) forget_record(frame_.reserved);
  if (in_error()) {
    drop(Cause::kDoubleError);
  } else {
    b_.CreateCall(context_.fail, {frame_.context, frame_.firing, constant(plan_.index), kind, address});
  }
  b_.CreateBr(frame_.fault_end);
}

void ClauseEmitter::drop(Cause cause) {
  library("dt_count_drop", {compilation_.drops(), constant32(drop_index(compilation_.layout, cause, plan_.index))});
}

void ClauseEmitter::drop(llvm::Value *condition, Cause then_cause, Cause else_cause) {
  auto index = [&](Cause cause) { return constant32(drop_index(compilation_.layout, cause, plan_.index)); };
  library("dt_count_drop", {compilation_.drops(), b_.CreateSelect(condition, index(then_cause), index(else_cause))});
}

void ClauseEmitter::end_tracing() {
  b_.CreateAtomicRMW(llvm::AtomicRMWInst::Or, compilation_.control(), constant32(DT_STATE_STOPPED), llvm::MaybeAlign(4),
                     llvm::AtomicOrdering::Monotonic);
}

void ClauseEmitter::end_firing() {
  if (context_.exit_cell) b_.CreateStore(constant32(1), firing_cell(*context_.exit_cell));
}

void ClauseEmitter::run_unless_exited() {
  // ERROR's clauses run at a fault of any clause but the last.
  const std::vector<ClausePlan> &clauses = compilation_.layout.plan.clauses;
  const std::vector<uint32_t> &all = context_.layout->clauses;
  const auto exits = [&](uint32_t index) { return clauses[index].exits(); };
  const bool is_first = all.empty() || all.front() == clause_;
  const bool may_follow_exit = std::ranges::any_of(compilation_.layout.error_clauses, exits) ||
                               std::any_of(all.begin(), std::ranges::find(all, clause_), exits);
  if (!context_.exit_cell || is_first || !may_follow_exit) return;
  llvm::Value *exited = b_.CreateLoad(object_.i32(), firing_cell(*context_.exit_cell));
  llvm::BasicBlock *run = block("run");
  b_.CreateCondBr(b_.CreateICmpEQ(exited, constant32(0)), run, frame_.end);
  b_.SetInsertPoint(run);
}

// ---------------------------------------------------------------- basics

llvm::Value *ClauseEmitter::helper(Helper which, llvm::ArrayRef<llvm::Value *> args, llvm::Type *result) {
  return call_helper(object_, b_, which, result != nullptr ? result : object_.i64(), args);
}

llvm::Value *ClauseEmitter::library(std::string_view name, llvm::ArrayRef<llvm::Value *> args) {
  llvm::FunctionCallee callee = object_.library(name);
  assert(callee.getFunctionType()->getNumParams() == args.size());
  return b_.CreateCall(callee, args);
}

llvm::BasicBlock *ClauseEmitter::block(const char *name) {
  return llvm::BasicBlock::Create(object_.context(), name, frame_.function);
}

llvm::AllocaInst *ClauseEmitter::local(llvm::Type *type, const char *name) {
  llvm::AllocaInst *variable = entry_alloca(*frame_.function, type);
  variable->setName(name);
  return variable;
}

llvm::AllocaInst *ClauseEmitter::local_bytes(uint32_t size_bytes, const char *name) {
  return local(object_.bytes(align_up(size_bytes, 8)), name);
}

llvm::Value *ClauseEmitter::at(llvm::Value *pointer, uint64_t off_bytes) {
  return off_bytes == 0 ? pointer : b_.CreateConstInBoundsGEP1_64(object_.i8(), pointer, off_bytes);
}

llvm::Value *ClauseEmitter::context_register(uint32_t offset) {
  // The verifier takes no sum of the context and an offset, which is what LLVM would keep for later between two loads
  // of one word: the offset has to stay with the load.
  llvm::Value *context = b_.CreateIntrinsic(llvm::Intrinsic::preserve_static_offset, {}, {frame_.context});
  return b_.CreateLoad(object_.i64(), at(context, offset));
}

llvm::Value *ClauseEmitter::opaque(llvm::Value *value) {
  auto *type = llvm::FunctionType::get(value->getType(), {value->getType()}, false);
  return b_.CreateCall(type, llvm::InlineAsm::get(type, "", "=r,0", /*hasSideEffects=*/true), {value});
}

void ClauseEmitter::set_position(const tree::Expr &expr) {
  b_.SetCurrentDebugLocation(object_.location(expr.span, frame_.function));
}

void ClauseEmitter::when(llvm::Value *condition, const std::function<void()> &then_part) {
  llvm::BasicBlock *then_block = block("when"), *done = block("done");
  b_.CreateCondBr(condition, then_block, done);
  b_.SetInsertPoint(then_block);
  frame_.depth++;
  then_part();
  frame_.depth--;
  b_.CreateBr(done);
  b_.SetInsertPoint(done);
}

llvm::Value *ClauseEmitter::choose(llvm::Value *condition, llvm::Type *type,
                                   const std::function<llvm::Value *()> &then_part,
                                   const std::function<llvm::Value *()> &else_part) {
  llvm::BasicBlock *then_block = block("then"), *else_block = block("else"), *done = block("chosen");
  b_.CreateCondBr(condition, then_block, else_block);
  frame_.depth++;
  b_.SetInsertPoint(then_block);
  llvm::Value *first = then_part();
  llvm::BasicBlock *first_end = b_.GetInsertBlock();
  b_.CreateBr(done);
  b_.SetInsertPoint(else_block);
  llvm::Value *second = else_part();
  llvm::BasicBlock *second_end = b_.GetInsertBlock();
  b_.CreateBr(done);
  frame_.depth--;
  b_.SetInsertPoint(done);
  llvm::PHINode *value = b_.CreatePHI(type, 2);
  value->addIncoming(first, first_end);
  value->addIncoming(second, second_end);
  return value;
}

}  // namespace dtrace
