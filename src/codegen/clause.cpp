// SPDX-License-Identifier: Apache-2.0
// The frame of a clause: predicate, statements, and where faults go. Its record is in record.cpp.
#include "codegen/clause.h"

#include <llvm/IR/InlineAsm.h>

#include "codegen/part.h"

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
  function_ = main_function_ = object_.function(name, object_.void_type(), parameters, "", layout_.clause->span);
  context_argument_ = function_->getArg(0);
  firing_ = function_->getArg(1);
  b_.SetInsertPoint(llvm::BasicBlock::Create(object_.context(), "entry", function_));
  b_.SetCurrentDebugLocation(object_.location(layout_.clause->span, function_));
  end_ = fault_end_ = block("end");
  word_ = local(object_.i64(), "word");
  scratch_end_ = clause_scratch_begin();

  predicate();
  reserve();
  body(layout_.clause->body);
  submit();
  b_.CreateBr(end_);

  emit_fault_block(fault_blocks_[0], false);
  emit_fault_block(fault_blocks_[1], true);
  b_.SetInsertPoint(end_);
  b_.CreateRetVoid();
  end_->moveAfter(&function_->back());
  return function_;
}

void ClauseEmitter::predicate() {
  const tree::Expr *expr = layout_.clause->predicate;
  if (expr == nullptr) return;
  llvm::BasicBlock *run = block("run");
  b_.CreateCondBr(condition(*expr), run, end_);
  b_.SetInsertPoint(run);
}

// ---------------------------------------------------------------- statements

void ClauseEmitter::body(const std::vector<tree::Stmt> &stmts) {
  std::unique_ptr<Part> outer;
  for (const tree::Stmt &stmt : stmts) {
    const bool fits = fits_part(stmt);
    if (outer != nullptr && (is_full() || !fits)) close_part(std::move(outer));
    if (part_depth_ == 0 && fits && is_full()) outer = open_part();
    b_.SetCurrentDebugLocation(object_.location(stmt.span, function_));
    TemporaryScope scope(*this);
    statement(stmt);
  }
  if (outer != nullptr) close_part(std::move(outer));
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
  llvm::BasicBlock *then_block = block("then"), *else_block = block("else"), *done = block("fi");
  b_.CreateCondBr(condition(*branch.condition), then_block, else_block);
  int bit = -1;
  for (size_t i = 0; i < layout_.guards.size(); i++)
    if (layout_.guards[i] == &branch) bit = static_cast<int>(2 * i);
  auto mark = [&](int which) {
    if (bit < 0 || guards_ == nullptr) return;
    b_.CreateStore(b_.CreateOr(b_.CreateLoad(object_.i64(), guards_), constant(uint64_t{1} << which)), guards_);
  };

  depth_++;
  b_.SetInsertPoint(then_block);
  mark(bit);
  body(branch.then_body);
  b_.CreateBr(done);
  b_.SetInsertPoint(else_block);
  mark(bit + 1);
  body(branch.else_body);
  b_.CreateBr(done);
  depth_--;
  b_.SetInsertPoint(done);
}

// ---------------------------------------------------------------- faults and drops

void ClauseEmitter::fault_if(llvm::Value *condition, uint32_t kind, llvm::Value *address) {
  const int which = record_ != nullptr ? 1 : 0;
  if (fault_blocks_[which] == nullptr) fault_blocks_[which] = block("fault");
  llvm::BasicBlock *fine = block("fine");
  fault_sources_[which].push_back(b_.GetInsertBlock());
  fault_values_[which].push_back({constant(kind), address != nullptr ? address : constant(0)});
  b_.CreateCondBr(condition, fault_blocks_[which], fine);
  b_.SetInsertPoint(fine);
}

void ClauseEmitter::fault(uint32_t kind, llvm::Value *address) {
  fault_if(llvm::ConstantInt::getTrue(object_.context()), kind, address);
}

void ClauseEmitter::emit_fault_block(llvm::BasicBlock *fault_block, bool has_record) {
  if (fault_block == nullptr) return;
  const auto count = static_cast<unsigned>(fault_sources_[has_record].size());
  b_.SetInsertPoint(fault_block);
  b_.SetCurrentDebugLocation(object_.location(layout_.clause->span, function_));
  llvm::PHINode *kind = b_.CreatePHI(object_.i64(), count);
  llvm::PHINode *address = b_.CreatePHI(object_.i64(), count);
  for (unsigned i = 0; i < count; i++) {
    kind->addIncoming(fault_values_[has_record][i][0], fault_sources_[has_record][i]);
    address->addIncoming(fault_values_[has_record][i][1], fault_sources_[has_record][i]);
  }
  if (has_record) forget_record(reserved_);
  if (in_error()) {
    drop(Cause::kDoubleError);
  } else {
    b_.CreateCall(context_.fail, {context_argument_, firing_, constant(plan_.index), kind, address});
  }
  b_.CreateBr(fault_end_);
}

void ClauseEmitter::drop(Cause cause) {
  library("dt_count_drop", {compilation_.drops(), constant32(drop_index(compilation_.layout, cause, plan_.index))});
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
  return llvm::BasicBlock::Create(object_.context(), name, function_);
}

llvm::AllocaInst *ClauseEmitter::local(llvm::Type *type, const char *name) {
  llvm::AllocaInst *variable = entry_alloca(*function_, type);
  variable->setName(name);
  return variable;
}

llvm::AllocaInst *ClauseEmitter::local_bytes(uint32_t size_bytes, const char *name) {
  return local(object_.bytes(align_up(size_bytes, 8)), name);
}

llvm::Value *ClauseEmitter::at(llvm::Value *pointer, uint64_t off_bytes) {
  return off_bytes == 0 ? pointer : b_.CreateConstInBoundsGEP1_64(object_.i8(), pointer, off_bytes);
}

llvm::Value *ClauseEmitter::opaque(llvm::Value *value) {
  auto *type = llvm::FunctionType::get(value->getType(), {value->getType()}, false);
  return b_.CreateCall(type, llvm::InlineAsm::get(type, "", "=r,0", /*hasSideEffects=*/true), {value});
}

void ClauseEmitter::set_position(const tree::Expr &expr) {
  b_.SetCurrentDebugLocation(object_.location(expr.span, function_));
}

void ClauseEmitter::when(llvm::Value *condition, const std::function<void()> &then_part) {
  llvm::BasicBlock *then_block = block("when"), *done = block("done");
  b_.CreateCondBr(condition, then_block, done);
  b_.SetInsertPoint(then_block);
  depth_++;
  then_part();
  depth_--;
  b_.CreateBr(done);
  b_.SetInsertPoint(done);
}

llvm::Value *ClauseEmitter::choose(llvm::Value *condition, llvm::Type *type,
                                   const std::function<llvm::Value *()> &then_part,
                                   const std::function<llvm::Value *()> &else_part) {
  llvm::BasicBlock *then_block = block("then"), *else_block = block("else"), *done = block("chosen");
  b_.CreateCondBr(condition, then_block, else_block);
  depth_++;
  b_.SetInsertPoint(then_block);
  llvm::Value *first = then_part();
  llvm::BasicBlock *first_end = b_.GetInsertBlock();
  b_.CreateBr(done);
  b_.SetInsertPoint(else_block);
  llvm::Value *second = else_part();
  llvm::BasicBlock *second_end = b_.GetInsertBlock();
  b_.CreateBr(done);
  depth_--;
  b_.SetInsertPoint(done);
  llvm::PHINode *value = b_.CreatePHI(type, 2);
  value->addIncoming(first, first_end);
  value->addIncoming(second, second_end);
  return value;
}

}  // namespace dtrace
