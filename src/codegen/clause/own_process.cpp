// SPDX-License-Identifier: Apache-2.0
// Firings that are left out for the process that they are in: the consumer itself, and processes that are not followed.
#include <algorithm>

#include "codegen/clause/program.h"

namespace dtrace::codegen {

bool fires_in_functions(const Hook &hook) {
  const auto *instruction = hook.as<UserInstructionHook>();
  if (instruction == nullptr) return hook.is<UserReturnHook>();
  return instruction->where != UserInstructionHook::Where::kStatic;
}

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

}  // namespace dtrace::codegen
