// SPDX-License-Identifier: Apache-2.0
#include "codegen/clause/emit.h"

#include <llvm/IR/InlineAsm.h>
#include <llvm/IR/MDBuilder.h>

namespace dtrace::codegen {

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

llvm::Value *bounded_index(ObjectBuilder &object, Builder &b, llvm::Value *index, uint64_t rows) {
  return b.CreateAnd(b.CreateZExt(index, object.i64()), rows - 1);
}

}  // namespace dtrace::codegen
