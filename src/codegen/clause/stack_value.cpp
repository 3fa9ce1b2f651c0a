// SPDX-License-Identifier: Apache-2.0
// Values of stack() and ustack(): in records, keys and variables.
#include "bpf/dt_unwind.h"
#include "codegen/clause/clause.h"

namespace dtrace::codegen {

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
  llvm::Value *owner = to;
  if (has_owner) {
    to = at(to, 8);
    size_bytes -= 8;
  }
  if (wanted_bytes < size_bytes) {
    zero(at(to, wanted_bytes), size_bytes - wanted_bytes);
    size_bytes = wanted_bytes;
  }
  // A variable may have room for fewer than were asked for.
  const auto [frames, end, process, image] =
      store_frames(to, size_bytes, user, stack->is_asked && wanted_bytes <= size_bytes);
  if (has_owner && !user) b_.CreateStore(constant(0), owner);
  if (has_owner && user) {
    llvm::Value *ended = b_.CreateOr(process, b_.CreateShl(end, uint64_t{DT_STACK_END_SHIFT}));
    b_.CreateStore(b_.CreateOr(ended, b_.CreateShl(image, uint64_t{DT_IMAGE_SHIFT})), owner);
  }
  if (plan.kind == ValuePlan::Kind::kStack) return constant(plan.size_bytes - 8);  // equal ones are equal to their end
  return has_owner ? b_.CreateAdd(frames, constant(8)) : frames;
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

}  // namespace dtrace::codegen
