// SPDX-License-Identifier: Apache-2.0
// Basics: calls, blocks, branches, and values that hold for the rest of a clause.
#include "codegen/clause/code.h"

#include <llvm/IR/InlineAsm.h>
#include <llvm/IR/Intrinsics.h>

namespace dtrace::codegen {

CodeEmitter::CodeEmitter(Compilation &compilation, ProgramContext &context, uint32_t clause, Role role)
    : compilation_(compilation),
      object_(compilation.object),
      context_(context),
      clause_(clause),
      role_(role),
      layout_(compilation.layout.clauses[clause]),
      plan_(compilation.layout.plan.clauses[clause]),
      b_(compilation.object.context()) {}

llvm::Value *CodeEmitter::boolean(llvm::Value *bit) { return b_.CreateZExt(bit, object_.i64()); }

std::optional<llvm::Value *> CodeEmitter::known(uint32_t cell_offset) const {
  auto found = frame_.known.find(cell_offset);
  return found == frame_.known.end() ? std::nullopt : std::optional(found->second);
}

void CodeEmitter::remember(uint32_t cell_offset, llvm::Value *value) {
  if (frame_.depth == 0) frame_.known[cell_offset] = value;
}

llvm::Value *CodeEmitter::lazy(uint32_t cell_offset, llvm::Type *type, const std::function<llvm::Value *()> &make) {
  if (std::optional<llvm::Value *> value = known(cell_offset)) return *value;
  llvm::Value *before = b_.CreateLoad(type, firing_cell(cell_offset));
  llvm::Value *absent = b_.CreateICmpEQ(before, llvm::Constant::getNullValue(type));
  llvm::Value *value = choose(
      absent, type,
      [&] {
        llvm::Value *made = make();
        b_.CreateStore(made, firing_cell(cell_offset));
        return made;
      },
      [&] { return before; });
  remember(cell_offset, value);
  return value;
}

llvm::Value *CodeEmitter::helper(Helper which, llvm::ArrayRef<llvm::Value *> args, llvm::Type *result) {
  return call_helper(object_, b_, which, result != nullptr ? result : object_.i64(), args);
}

llvm::Value *CodeEmitter::library(std::string_view name, llvm::ArrayRef<llvm::Value *> args) {
  llvm::FunctionCallee callee = object_.library(name);
  assert(callee.getFunctionType()->getNumParams() == args.size());
  return b_.CreateCall(callee, args);
}

llvm::BasicBlock *CodeEmitter::block(const char *name) {
  return llvm::BasicBlock::Create(object_.context(), name, frame_.function);
}

llvm::AllocaInst *CodeEmitter::local(llvm::Type *type, const char *name) {
  llvm::AllocaInst *variable = entry_alloca(*frame_.function, type);
  variable->setName(name);
  return variable;
}

llvm::AllocaInst *CodeEmitter::local_bytes(uint32_t size_bytes, const char *name) {
  return local(object_.bytes(align_up(size_bytes, 8)), name);
}

llvm::Value *CodeEmitter::at(llvm::Value *pointer, uint64_t off_bytes) {
  return off_bytes == 0 ? pointer : b_.CreateConstInBoundsGEP1_64(object_.i8(), pointer, off_bytes);
}

namespace {

/// `value`, by assembly without text. LLVM merges the ends of blocks back to the first instruction that differs, and
/// assembly counts as different.
llvm::Value *unmerged(Builder &b, llvm::Value *value) {
  auto *type = llvm::FunctionType::get(value->getType(), {value->getType()}, false);
  return b.CreateCall(type, llvm::InlineAsm::get(type, "", "=r,0", /*hasSideEffects=*/false), {value});
}

}  // namespace

llvm::Value *CodeEmitter::typed_load(llvm::Value *pointer, uint64_t off_bytes, uint64_t size_bytes, bool is_signed) {
  llvm::Value *value = b_.CreateLoad(object_.integer(size_bytes), at(pointer, off_bytes));
  return unmerged(b_, is_signed ? b_.CreateSExt(value, object_.i64()) : b_.CreateZExt(value, object_.i64()));
}

llvm::Value *CodeEmitter::typed_pointer(llvm::Value *pointer, uint64_t off_bytes) {
  return unmerged(b_, b_.CreateLoad(object_.pointer(), at(pointer, off_bytes)));
}

llvm::Value *CodeEmitter::context_register(uint32_t offset) {
  // The verifier takes no sum of the context and an offset, which is what LLVM would keep for later between two loads
  // of one word: the offset has to stay with the load.
  llvm::Value *context = b_.CreateIntrinsic(llvm::Intrinsic::preserve_static_offset, {}, {frame_.context});
  return typed_load(context, offset, 8);
}

llvm::Value *CodeEmitter::opaque(llvm::Value *value) { return opaque_value(b_, value); }

void CodeEmitter::set_position(const tree::Expr &expr) {
  b_.SetCurrentDebugLocation(object_.location(expr.span, frame_.function));
}

void CodeEmitter::when(llvm::Value *condition, const std::function<void()> &then_part) {
  llvm::BasicBlock *then_block = block("when"), *done = block("done");
  b_.CreateCondBr(condition, then_block, done);
  b_.SetInsertPoint(then_block);
  frame_.depth++;
  then_part();
  frame_.depth--;
  b_.CreateBr(done);
  b_.SetInsertPoint(done);
}

llvm::Value *CodeEmitter::choose(llvm::Value *condition, llvm::Type *type,
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

llvm::Value *CodeEmitter::compare(BinaryOp op, llvm::Value *lhs, llvm::Value *rhs, bool is_signed) {
  using Predicate = llvm::CmpInst::Predicate;
  switch (op) {
    case BinaryOp::kLt:
      return b_.CreateICmp(is_signed ? Predicate::ICMP_SLT : Predicate::ICMP_ULT, lhs, rhs);
    case BinaryOp::kGt:
      return b_.CreateICmp(is_signed ? Predicate::ICMP_SGT : Predicate::ICMP_UGT, lhs, rhs);
    case BinaryOp::kLe:
      return b_.CreateICmp(is_signed ? Predicate::ICMP_SLE : Predicate::ICMP_ULE, lhs, rhs);
    case BinaryOp::kGe:
      return b_.CreateICmp(is_signed ? Predicate::ICMP_SGE : Predicate::ICMP_UGE, lhs, rhs);
    case BinaryOp::kEq:
      return b_.CreateICmp(Predicate::ICMP_EQ, lhs, rhs);
    default:
      return b_.CreateICmp(Predicate::ICMP_NE, lhs, rhs);
  }
}

}  // namespace dtrace::codegen
