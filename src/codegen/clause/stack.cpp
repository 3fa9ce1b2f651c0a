// SPDX-License-Identifier: Apache-2.0
// stack() and ustack(): the kernel writes the addresses where they are wanted and clears the rest.
#include <algorithm>

#include "codegen/arch/x86_64/registers.h"
#include "codegen/clause/clause.h"

namespace dtrace {
namespace {

constexpr uint64_t kUserStackFlag = 1 << 8;  // BPF_F_USER_STACK

/// At a return probe the function's frame is gone: frame 0 is the caller. A trampoline still has it.
bool frame_is_gone(const ProgramPlan &plan) { return plan.hook.is<KernelReturnHook>() && plan.trampoline.empty(); }

/// Frames of ours and of the tracing machinery above the frame that D means by "here". What the kernel puts between a
/// tracepoint and its programs (__bpf_trace_x, __traceiter_x) depends on its configuration; the consumer leaves those
/// out by name.
uint64_t skipped_frames(const ProgramPlan &plan, bool in_error) {
  const uint64_t nested = in_error ? 2 : 0;         // ERROR's clause and who called it
  if (!plan.trampoline.empty()) return nested + 2;  // the program, the trampoline
  const uint32_t skipped = plan.hook.facts().skipped_frames;
  return skipped == 0 ? 0 : nested + skipped;
}

}  // namespace

uint64_t ClauseEmitter::kernel_stack_flags() {
  walks_stack_ = true;
  const uint64_t skipped = skipped_frames(*context_.plan, in_error());
  return skipped == 0 ? 0 : skipped + part_depth_;
}

llvm::Value *ClauseEmitter::store_stack(llvm::Value *to, const ValuePlan &plan, const tree::Expr &expr) {
  const auto *stack = std::get_if<tree::StackValue>(&expr.node);
  if (stack == nullptr) {
    bytes_into(expr, to, plan.size_bytes);
    return constant(plan.size_bytes - 8);
  }
  const bool user = stack->kind != Builtin::k_stack;
  const ValuePlan own = plan_value(compilation_.input, expr, false);
  const uint32_t wanted_bytes = own.size_bytes - (user ? 8 : 0);
  uint32_t size_bytes = plan.size_bytes;
  const bool has_owner = plan.kind != ValuePlan::Kind::kKernelStack;
  if (has_owner) {
    b_.CreateStore(user ? tgid() : constant(0), to);
    to = at(to, 8);
    size_bytes -= 8;
  }
  if (wanted_bytes < size_bytes) {
    zero(at(to, wanted_bytes), size_bytes - wanted_bytes);
    size_bytes = wanted_bytes;
  }
  llvm::Value *frames = nullptr;
  if (user && size_bytes >= 16 && return_address_on_stack()) {
    frames = store_stack_at_boundary(to, size_bytes);
  } else {
    const uint64_t flags = user ? kUserStackFlag : kernel_stack_flags();
    llvm::Value *written = helper(Helper::kGetStack, {frame_.context, to, constant32(size_bytes), constant(flags)});
    // On failure the helper has cleared all of it.
    llvm::Value *failed = b_.CreateICmpSLT(written, constant(0));
    when(failed, [&] { drop(Cause::kStackMissing); });
    frames = b_.CreateSelect(failed, constant(0), written);
  }
  if (plan.kind == ValuePlan::Kind::kStack) return constant(plan.size_bytes - 8);  // equal ones are equal to their end
  return has_owner ? b_.CreateAdd(frames, constant(8)) : frames;
}

bool ClauseEmitter::return_address_on_stack() const {
  const auto *instruction = context_.plan->hook.as<UserInstructionHook>();
  return !in_error() && instruction != nullptr && instruction->at_boundary();
}

llvm::Value *ClauseEmitter::return_address() { return read_scalar(Space::kUser, context_register(x86::kSp), 8, false); }

/// Where a function begins or ends, the walk along frame pointers misses the caller: the function has no frame. Some
/// kernels add it for some functions; where it is not there already it is put in.
llvm::Value *ClauseEmitter::store_stack_at_boundary(llvm::Value *to, uint32_t size_bytes) {
  constexpr uint64_t kSkipOne = 1;
  llvm::Value *caller = return_address();
  b_.CreateStore(context_register(x86::kIp), to);
  auto walk = [&](uint32_t from) {
    return helper(Helper::kGetStack,
                  {frame_.context, at(to, from), constant32(size_bytes - from), constant(kUserStackFlag | kSkipOne)});
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

llvm::Value *ClauseEmitter::stack_frame(unsigned n, bool user) {
  if (user && n == 1) {
    if (return_address_on_stack()) return return_address();
    // At a uretprobe the frame is gone; frame 0 is the caller.
    if (context_.plan->hook.is<UserReturnHook>() && !in_error()) n = 0;
  }
  if (!user && n == 1 && frame_is_gone(*context_.plan)) n = 0;
  const uint32_t bytes = 8 * (n + 1);
  llvm::Value *frames = temporary(bytes, "frames");
  zero(frames, bytes);
  const uint64_t flags = user ? kUserStackFlag : kernel_stack_flags();
  helper(Helper::kGetStack, {frame_.context, frames, constant32(bytes), constant(flags)});
  return b_.CreateLoad(object_.i64(), at(frames, uint64_t{8} * n));
}

llvm::Value *ClauseEmitter::stack_depth(bool user) {
  const auto most =
      static_cast<uint32_t>(std::clamp<int64_t>(compilation_.input.options.number(Opt::maxframes), 1, 1024));
  Memory frames = scratch(8 * std::max(most, 2U));
  zero(frames.pointer, 16);
  const uint64_t flags = user ? kUserStackFlag : kernel_stack_flags();
  llvm::Value *written =
      helper(Helper::kGetStack, {frame_.context, frames.pointer, constant32(frames.size_bytes), constant(flags)});
  llvm::Value *failed = b_.CreateICmpSLT(written, constant(0));
  llvm::Value *depth = b_.CreateLShr(written, uint64_t{3});
  if (user && return_address_on_stack()) {  // the caller may be missing, as in store_stack_at_boundary()
    llvm::Value *second = b_.CreateLoad(object_.i64(), at(frames.pointer, 8));
    llvm::Value *is_missing = b_.CreateICmpNE(second, return_address());
    depth = b_.CreateAdd(depth, b_.CreateZExt(is_missing, object_.i64()));
  }
  if (!user && frame_is_gone(*context_.plan)) depth = b_.CreateAdd(depth, constant(1));
  return b_.CreateSelect(failed, constant(0), depth);
}

llvm::Value *ClauseEmitter::depth_of(const tree::Expr &stack) {
  constexpr uint32_t kOwnerBytes = 8;
  const auto size_bytes = static_cast<uint32_t>(compilation_.types.size_bytes(stack.type));
  const Memory copy = scratch(size_bytes);
  bytes_into(stack, copy.pointer, size_bytes);
  llvm::Value *depth = library("dt_stack_depth", {slot(), constant32(*copy.slot_offset + kOwnerBytes),
                                                  constant32((size_bytes - kOwnerBytes) / 8)});
  return b_.CreateZExt(depth, object_.i64());
}

}  // namespace dtrace
