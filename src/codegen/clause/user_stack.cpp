// SPDX-License-Identifier: Apache-2.0
// User stacks by unwind rules: the library walks, in the slot of scratch, and what was wanted of it is copied.
#include <array>
#include <cstddef>
#include <utility>

#include "bpf/dt_managed.h"
#include "bpf/dt_unwind.h"
#include "codegen/clause/firing.h"

namespace dtrace::codegen {
namespace {

/// By enum dt_unwind_end, from DT_UNWIND_NO_TABLE on.
constexpr std::array kCutCauses = {Cause::kStackNoTable, Cause::kStackNoRule, Cause::kStackUnreadable,
                                   Cause::kStackTooDeep};
static_assert(static_cast<size_t>(Cause::kStackTooDeep) - static_cast<size_t>(Cause::kStackNoTable) + 1 ==
              kCutCauses.size());

constexpr uint64_t kNative = offsetof(dt_stack_walk, native);

}  // namespace

FiringEmitter::Walk FiringEmitter::walk_user_stack(uint32_t most, uint32_t cleared_bytes, bool with_managed) {
  const uint32_t size_bytes = sizeof(dt_stack_walk) + 8 * compilation_.unwind_most();
  Walk walk{scratch(size_bytes), nullptr};
  llvm::Value *memory = walk.memory.pointer;
  b_.CreateStore(b_.CreateTrunc(tgid(), object_.i32()), at(memory, kNative + offsetof(dt_unwind_walk, pid)));
  b_.CreateStore(constant32(most), at(memory, kNative + offsetof(dt_unwind_walk, most)));
  zero(at(memory, kNative + offsetof(dt_unwind_walk, frames)), cleared_bytes);
  uint32_t flags = 0;
  if (return_address_on_stack()) flags |= DT_UNWIND_AT_BOUNDARY;
  if (context_.plan->hook.is<UserReturnHook>()) flags |= DT_UNWIND_RETURNED;
  if (!with_managed) flags |= DT_UNWIND_NATIVE;
  const Options &options = compilation_.input.options;
  if (options.flag(Opt::lines)) flags |= DT_UNWIND_LINES;
  if (!options.is_set(Opt::inlines) || options.flag(Opt::inlines)) flags |= DT_UNWIND_INLINED;
  context_.shows_managed |= with_managed;
  const auto thread = compilation_.kernel.offset("task_struct", compilation_.input.machine.thread_pointer.member);
  if (thread && *thread <= UINT16_MAX) flags |= *thread << DT_UNWIND_THREAD_SHIFT;
  walk.nr_frames = b_.CreateZExt(b_.CreateCall(compilation_.unwind(), {memory, constant32(flags)}), object_.i64());
  return walk;
}

llvm::Value *FiringEmitter::end_of(const Walk &walk) {
  llvm::Value *end = b_.CreateLoad(object_.i32(), at(walk.memory.pointer, kNative + offsetof(dt_unwind_walk, end)));
  return b_.CreateZExt(end, object_.i64());
}

void FiringEmitter::count_cut(llvm::Value *end) {
  when(b_.CreateICmpNE(end, constant(DT_UNWIND_WHOLE)), [&] {
    const uint32_t first = drop_index(compilation_.layout, kCutCauses.front(), plan_.index);
    const uint32_t apart = drop_index(compilation_.layout, kCutCauses[1], plan_.index) - first;
    llvm::Value *cause = b_.CreateTrunc(b_.CreateSub(end, constant(DT_UNWIND_NO_TABLE)), object_.i32());
    library("dt_count_drop",
            {compilation_.drops(), b_.CreateAdd(constant32(first), b_.CreateMul(cause, constant32(apart)))});
  });
}

void FiringEmitter::count_missed(const Walk &walk) {
  constexpr std::pair<uint32_t, Cause> kCauses[] = {{DT_MANAGED_NO_ROOM, Cause::kManagedNoRoom},
                                                    {DT_MANAGED_UNREADABLE, Cause::kManagedUnreadable}};
  constexpr uint64_t kPlace = offsetof(dt_stack_walk, managed) + offsetof(dt_managed_walk, missed);
  llvm::Value *missed = b_.CreateLoad(object_.i32(), at(walk.memory.pointer, kPlace));
  when(b_.CreateICmpNE(missed, constant32(0)), [&] {
    for (const auto &[bit, cause] : kCauses)
      when(b_.CreateICmpNE(b_.CreateAnd(missed, constant32(1U << bit)), constant32(0)),
           [this, which = cause] { drop(which); });
  });
}

llvm::Value *FiringEmitter::walked_depth() {
  const TemporaryScope scope(*this);
  const Walk walk = walk_user_stack(static_cast<uint32_t>(most_user_frames(compilation_.input)), 0, true);
  count_cut(end_of(walk));
  return walk.nr_frames;
}

FiringEmitter::Frames FiringEmitter::store_walked(llvm::Value *to, uint32_t size_bytes, bool is_asked) {
  const TemporaryScope scope(*this);
  const Walk walk = walk_user_stack(size_bytes / 8, size_bytes, true);
  llvm::Value *memory = walk.memory.pointer;
  llvm::AllocaInst *bytes = local(object_.i64(), "frames");
  b_.CreateStore(b_.CreateShl(walk.nr_frames, uint64_t{3}), bytes);
  choose(
      b_.CreateICmpEQ(walk.nr_frames, constant(0)), object_.i64(),
      [&]() -> llvm::Value * {
        // No user stack, which the kernel says, too; or a 32-bit program's, which it follows by frame pointers.
        b_.CreateStore(store_by_kernel(to, size_bytes, true), bytes);
        return constant(0);
      },
      [&]() -> llvm::Value * {
        copy(to, at(memory, kNative + offsetof(dt_unwind_walk, frames)), size_bytes);
        return constant(0);
      });
  llvm::Value *end = end_of(walk);
  if (is_asked) {
    // Where the next frame would have been missed is nothing to tell, and must not make two keys of equal frames.
    llvm::Value *is_full = b_.CreateICmpUGE(b_.CreateLoad(object_.i64(), bytes), constant(size_bytes));
    llvm::Value *is_deep = b_.CreateICmpEQ(end, constant(DT_UNWIND_TOO_DEEP));
    end = b_.CreateSelect(b_.CreateOr(is_full, is_deep), constant(DT_UNWIND_WHOLE), end);
  }
  count_cut(end);
  count_missed(walk);
  const auto number = [&](uint64_t member) {
    return b_.CreateZExt(b_.CreateLoad(object_.i32(), at(memory, kNative + member)), object_.i64());
  };
  return {b_.CreateLoad(object_.i64(), bytes), end, number(offsetof(dt_unwind_walk, owner)),
          number(offsetof(dt_unwind_walk, image))};
}

llvm::Value *FiringEmitter::walked_frame(unsigned n) {
  const TemporaryScope scope(*this);
  // At a return probe the frame is gone; frame 0 is the caller.
  if (n == 1 && context_.plan->hook.is<UserReturnHook>() && !in_error()) n = 0;
  const Walk walk = walk_user_stack(n + 1, 0, false);  // an address of code
  llvm::Value *frame = b_.CreateLoad(
      object_.i64(), at(walk.memory.pointer, kNative + offsetof(dt_unwind_walk, frames) + uint64_t{8} * n));
  return b_.CreateSelect(b_.CreateICmpUGT(walk.nr_frames, constant(n)), frame, constant(0));
}

}  // namespace dtrace::codegen
