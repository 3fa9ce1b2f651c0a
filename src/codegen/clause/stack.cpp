// SPDX-License-Identifier: Apache-2.0
// stack() and ustack(): the kernel writes the addresses where they are wanted and clears the rest.
#include <algorithm>

#include "bpf/dt_unwind.h"
#include "codegen/clause/firing.h"

namespace dtrace::codegen {
namespace {

constexpr uint64_t kUserStackFlag = 1 << 8;  // BPF_F_USER_STACK

/// At a return probe the function's frame is gone: frame 0 is the caller. A trampoline still has it.
bool frame_is_gone(const ProgramPlan &plan) { return plan.hook.is<KernelReturnHook>() && plan.trampoline.empty(); }

/// Frames of ours and of the tracing machinery above the frame that D means by "here". What the kernel puts between a
/// tracepoint and its programs (__bpf_trace_x, __traceiter_x) depends on its configuration; the consumer leaves those
/// out by name.
uint64_t skipped_frames(const arch::SkippedFrames &frames, const ProgramPlan &plan, bool in_error) {
  const uint64_t nested = in_error ? 2 : 0;  // ERROR's clause and its caller
  if (!plan.trampoline.empty()) return nested + frames.trampoline;
  switch (plan.hook.facts().stack_top) {
    case StackTop::kFiredCode:
      return 0;
    case StackTop::kTestRun:
      return nested + frames.test_run;
    case StackTop::kTracepoint:
      return nested + frames.tracepoint;
  }
  return 0;
}

}  // namespace

uint64_t FiringEmitter::kernel_stack_flags() {
  walks_stack_ = true;
  const uint64_t skipped = skipped_frames(compilation_.input.machine.skipped_frames, *context_.plan, in_error());
  return skipped == 0 ? 0 : skipped + part_depth_;
}

FiringEmitter::Frames FiringEmitter::store_frames(llvm::Value *to, uint32_t size_bytes, bool user, bool is_asked) {
  if (user && walks_by_rules()) return store_walked(to, size_bytes, is_asked);
  return {store_by_kernel(to, size_bytes, user), constant(DT_UNWIND_WHOLE), user ? tgid() : constant(0),
          user ? image() : constant(0)};
}

llvm::Value *FiringEmitter::store_by_kernel(llvm::Value *to, uint32_t size_bytes, bool user) {
  const uint64_t flags = user ? kUserStackFlag : kernel_stack_flags();
  if (size_bytes >= 16 && (user ? return_address_on_stack() : caller_is_in_register()))
    return store_stack_at_boundary(to, size_bytes, flags, user ? return_address() : kernel_caller());
  if (!user && !in_error() && frame_is_gone(*context_.plan)) return store_stack_of_returned(to, size_bytes, flags);
  llvm::Value *written = helper(Helper::kGetStack, {frame_.context, to, constant32(size_bytes), constant(flags)});
  // On failure the helper has cleared all of it.
  llvm::Value *failed = b_.CreateICmpSLT(written, constant(0));
  when(failed, [&] { drop(Cause::kStackMissing); });
  return b_.CreateSelect(failed, constant(0), written);
}

bool FiringEmitter::return_address_on_stack() const {
  const auto *instruction = context_.plan->hook.as<UserInstructionHook>();
  return !in_error() && instruction != nullptr && instruction->at_boundary();
}

/// The kernel walks its own stack from the registers. Where calls leave the return address in one, it misses the caller
/// of a function that has just been entered. A trampoline has made a frame.
bool FiringEmitter::caller_is_in_register() const {
  const Hook &hook = context_.plan->hook;
  return !in_error() && context_.plan->trampoline.empty() && (hook.is<KernelEntryHook>() || hook.is<CallEntryHook>()) &&
         machine_registers().return_address.has_value();
}

llvm::Value *FiringEmitter::return_address() {
  if (const std::optional<uint32_t> place = machine_registers().return_address) return context_register(*place);
  return read_scalar(Space::kUser, context_register(machine_registers().stack), 8, false);
}

/// Where a function begins or ends, the walk along frame pointers misses the caller: the function has no frame. Some
/// kernels add it for some functions; where it is not there already it is put in.
llvm::Value *FiringEmitter::store_stack_at_boundary(llvm::Value *to, uint32_t size_bytes, uint64_t flags,
                                                    llvm::Value *caller) {
  constexpr uint64_t kSkipOne = 1;
  b_.CreateStore(context_register(machine_registers().instruction), to);
  auto walk = [&](uint32_t from) {
    return helper(Helper::kGetStack,
                  {frame_.context, at(to, from), constant32(size_bytes - from), constant(flags + kSkipOne)});
  };
  auto frames_after = [&](uint32_t from, llvm::Value *written) {
    llvm::Value *some = b_.CreateSelect(b_.CreateICmpSLT(written, constant(0)), constant(0), written);
    return b_.CreateAdd(some, constant(from));
  };
  llvm::Value *written = walk(8);
  when(b_.CreateICmpSLT(written, constant(0)), [&] { drop(Cause::kStackMissing); });
  llvm::AllocaInst *bytes = local(object_.i64(), "frames");
  b_.CreateStore(frames_after(8, written), bytes);
  when(b_.CreateICmpNE(b_.CreateLoad(object_.i64(), at(to, 8)), caller), [&] {
    b_.CreateStore(size_bytes > 16 ? frames_after(16, walk(16)) : constant(16), bytes);
    b_.CreateStore(caller, at(to, 8));
  });
  return b_.CreateLoad(object_.i64(), bytes);
}

/// The function that returns by its address, where the offset of the return is not known, and its callers.
llvm::Value *FiringEmitter::store_stack_of_returned(llvm::Value *to, uint32_t size_bytes, uint64_t flags) {
  b_.CreateStore(helper(Helper::kFuncIp, {frame_.context}), to);
  if (size_bytes < 16) return constant(8);
  llvm::Value *written =
      helper(Helper::kGetStack, {frame_.context, at(to, 8), constant32(size_bytes - 8), constant(flags)});
  llvm::Value *failed = b_.CreateICmpSLT(written, constant(0));
  when(failed, [&] { drop(Cause::kStackMissing); });
  return b_.CreateAdd(b_.CreateSelect(failed, constant(0), written), constant(8));
}

llvm::Value *FiringEmitter::stack_frame(unsigned n, bool user) {
  if (user && walks_by_rules()) return walked_frame(n);
  if (user && n == 1) {
    if (return_address_on_stack()) return return_address();
    // At a uretprobe the frame is gone; frame 0 is the caller.
    if (context_.plan->hook.is<UserReturnHook>() && !in_error()) n = 0;
  }
  if (!user && n == 1 && caller_is_in_register()) return kernel_caller();
  if (!user && n == 1 && frame_is_gone(*context_.plan)) n = 0;
  const uint32_t bytes = 8 * (n + 1);
  llvm::Value *frames = temporary(bytes, "frames");
  zero(frames, bytes);
  const uint64_t flags = user ? kUserStackFlag : kernel_stack_flags();
  helper(Helper::kGetStack, {frame_.context, frames, constant32(bytes), constant(flags)});
  return b_.CreateLoad(object_.i64(), at(frames, uint64_t{8} * n));
}

llvm::Value *FiringEmitter::stack_depth(bool user) {
  if (user && walks_by_rules()) return walked_depth();
  const auto most = static_cast<uint32_t>(most_frames(compilation_.input));
  Memory frames = scratch(8 * std::max(most, 2U));
  zero(frames.pointer, 16);
  const uint64_t flags = user ? kUserStackFlag : kernel_stack_flags();
  llvm::Value *written =
      helper(Helper::kGetStack, {frame_.context, frames.pointer, constant32(frames.size_bytes), constant(flags)});
  llvm::Value *failed = b_.CreateICmpSLT(written, constant(0));
  llvm::Value *depth = b_.CreateLShr(written, uint64_t{3});
  if (user ? return_address_on_stack()
           : caller_is_in_register()) {  // the caller may be missing, as in store_stack_at_boundary()
    llvm::Value *second = b_.CreateLoad(object_.i64(), at(frames.pointer, 8));
    llvm::Value *is_missing = b_.CreateICmpNE(second, user ? return_address() : kernel_caller());
    depth = b_.CreateAdd(depth, b_.CreateZExt(is_missing, object_.i64()));
  }
  if (!user && frame_is_gone(*context_.plan)) depth = b_.CreateAdd(depth, constant(1));
  return b_.CreateSelect(failed, constant(0), depth);
}

}  // namespace dtrace::codegen
