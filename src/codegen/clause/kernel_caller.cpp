// SPDX-License-Identifier: Apache-2.0
// The return address of a kernel function that was just entered, where calls leave it in a register. If another program
// waits for the function's return, the function tracer may have put the address of code of its own there, and has noted
// the true one in the thread's stack of returns. Code that returns is never called, so that a look at the instruction
// before the address tells.
#include "codegen/clause/firing.h"

namespace dtrace::codegen {
namespace {

// struct ftrace_ret_stack begins with the return address and the function's. The word on top of the stack of returns
// says in its lowest bits how many words below it the innermost frame begins (kernel/trace/fgraph.c).
constexpr uint32_t kFrameBytes = 16, kWordBytes = 8;
constexpr uint64_t kFrameOffsetMask = 0x3ff;

/// How far the function's noted address and the program counter are apart at most: either may be before the tracer's
/// call, behind it or at the landing pad.
constexpr uint64_t kNearBytes = 16;

}  // namespace

llvm::Value *FiringEmitter::kernel_caller() {
  llvm::Value *stated = return_address();
  return choose(is_after_call(stated), object_.i64(), [&] { return stated; }, [&] { return noted_caller(); });
}

llvm::Value *FiringEmitter::is_after_call(llvm::Value *address) {
  b_.CreateStore(constant(0), frame_.word);
  helper(Helper::kProbeReadKernel,
         {frame_.word, constant32(sizeof(uint32_t)), b_.CreateSub(address, constant(sizeof(uint32_t)))});
  llvm::Value *instruction = b_.CreateLoad(object_.i32(), frame_.word);
  llvm::Value *is_call = b_.getFalse();
  for (const arch::CodePattern &call : compilation_.input.machine.call_instructions)
    is_call =
        b_.CreateOr(is_call, b_.CreateICmpEQ(b_.CreateAnd(instruction, constant32(call.mask)), constant32(call.value)));
  return is_call;
}

/// 0 where nothing was noted for this function, which counts as a stack that could not be read.
llvm::Value *FiringEmitter::noted_caller() {
  llvm::Value *stack = task_field("ret_stack", kWordBytes, false);
  llvm::Value *nr_words = task_field("curr_ret_stack", 4, false);
  if (stack == nullptr || nr_words == nullptr) {
    drop(Cause::kStackMissing);
    return constant(0);
  }
  auto read_quietly = [&](llvm::Value *to, uint32_t size_bytes, llvm::Value *address) {
    zero(to, size_bytes);
    helper(Helper::kProbeReadKernel, {to, constant32(size_bytes), address});
  };
  llvm::Value *top = b_.CreateAdd(stack, b_.CreateMul(b_.CreateSub(nr_words, constant(1)), constant(kWordBytes)));
  read_quietly(frame_.word, kWordBytes, top);
  llvm::Value *below = b_.CreateAnd(b_.CreateLoad(object_.i64(), frame_.word), kFrameOffsetMask);
  llvm::Value *frame = temporary(kFrameBytes, "noted_frame");
  read_quietly(frame, kFrameBytes, b_.CreateSub(top, b_.CreateMul(below, constant(kWordBytes))));
  llvm::Value *caller = b_.CreateLoad(object_.i64(), frame);
  llvm::Value *function = b_.CreateLoad(object_.i64(), at(frame, kWordBytes));
  llvm::Value *distance = b_.CreateSub(context_register(machine_registers().instruction), function);
  llvm::Value *is_this = b_.CreateAnd(
      b_.CreateICmpULE(b_.CreateAdd(distance, constant(kNearBytes)), constant(2 * kNearBytes)), is_after_call(caller));
  when(b_.CreateNot(is_this), [&] { drop(Cause::kStackMissing); });
  return b_.CreateSelect(is_this, caller, constant(0));
}

}  // namespace dtrace::codegen
