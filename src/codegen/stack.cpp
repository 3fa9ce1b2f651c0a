// SPDX-License-Identifier: Apache-2.0
// stack() and ustack(): the kernel writes the addresses where they are wanted and clears the rest.
#include "codegen/clause.h"

namespace dtrace {
namespace {

constexpr uint64_t kUserStackFlag = 1 << 8;  // BPF_F_USER_STACK

/// Frames of the tracing machinery above the frame that D means by "here", by kind of hook.
uint64_t skipped_frames(const Hook &hook) {
  switch (hook.kind) {
    case HookKind::kRawTracepoint:
      return 0;
    default:
      return 0;
  }
}

}  // namespace

void ClauseEmitter::store_stack(llvm::Value *to, const ValuePlan &plan) {
  const bool user = plan.kind == ValuePlan::Kind::kUserStack;
  uint32_t size_bytes = plan.size_bytes;
  if (user) {
    b_.CreateStore(tgid(), to);
    to = at(to, 8);
    size_bytes -= 8;
  }
  const uint64_t flags = user ? kUserStackFlag : skipped_frames(context_.plan->hook);
  llvm::Value *written = helper(Helper::kGetStack, {context_argument_, to, constant32(size_bytes), constant(flags)});
  // On failure the helper has cleared all of it.
  when(b_.CreateICmpSLT(written, constant(0)), [&] { drop(Cause::kStackMissing); });
}

}  // namespace dtrace
