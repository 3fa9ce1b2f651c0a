// SPDX-License-Identifier: Apache-2.0
// Working memory of a clause, on the stack and in its slot of scratch. Places are given out at compile time, upwards,
// and live until their TemporaryScope ends, or until the clause does if D got an address in them; what alloca() and
// copyin() give comes from the arena.
#include <algorithm>
#include <utility>

#include "codegen/clause/code.h"
#include "frontend/tree/walk.h"

namespace dtrace::codegen {

TemporaryScope::TemporaryScope(CodeEmitter &emitter)
    : emitter_(emitter),
      temporaries_(emitter.frame_.temporaries.size()),
      scratch_begin_(emitter.scratch_end_),
      outer_keeps_(std::exchange(emitter.keeps_memory_, false)) {}

TemporaryScope::~TemporaryScope() {
  CodeEmitter &e = emitter_;
  if (!e.keeps_memory_) {
    e.frame_.free_temporaries.insert(e.frame_.free_temporaries.end(),
                                     e.frame_.temporaries.begin() + static_cast<ptrdiff_t>(temporaries_),
                                     e.frame_.temporaries.end());
    e.scratch_end_ = scratch_begin_;
  }
  e.frame_.temporaries.resize(temporaries_);
  e.keeps_memory_ |= outer_keeps_;
}

llvm::Value *CodeEmitter::temporary(uint32_t size_bytes, const char *name) {
  auto bytes = [](const llvm::AllocaInst *memory) { return memory->getAllocatedType()->getArrayNumElements(); };
  // The smallest that is large enough; else the largest grows.
  auto better = [&](llvm::AllocaInst *a, llvm::AllocaInst *b) {
    const bool a_fits = bytes(a) >= size_bytes, b_fits = bytes(b) >= size_bytes;
    return a_fits != b_fits ? a_fits : a_fits ? bytes(a) < bytes(b) : bytes(a) > bytes(b);
  };
  auto best = std::min_element(frame_.free_temporaries.begin(), frame_.free_temporaries.end(), better);
  llvm::AllocaInst *memory = nullptr;
  if (best == frame_.free_temporaries.end()) {
    memory = local_bytes(size_bytes, name);
  } else {
    memory = *best;
    frame_.free_temporaries.erase(best);
    if (bytes(memory) < size_bytes) {
      llvm::AllocaInst *larger = local_bytes(size_bytes, name);
      memory->replaceAllUsesWith(larger);
      memory->eraseFromParent();
      memory = larger;
    }
  }
  frame_.temporaries.push_back(memory);
  return memory;
}

uint32_t CodeEmitter::clause_scratch_begin() const { return compilation_.this_end(); }

llvm::Value *CodeEmitter::slot() {
  context_.uses_slot = true;
  compilation_.want_slot(kSlotHead);
  if (std::optional<llvm::Value *> value = known(kCellSlot)) return *value;
  llvm::Value *value = b_.CreateLoad(object_.pointer(), firing_cell(kCellSlot));  // claimed before any clause runs
  remember(kCellSlot, value);
  return value;
}

Memory CodeEmitter::scratch(uint32_t size_bytes) {
  const uint32_t offset = scratch_end_;
  scratch_end_ = align_up(offset + size_bytes, 8);
  compilation_.want_slot(scratch_end_);
  return {at(slot(), offset), size_bytes, offset};
}

llvm::Value *CodeEmitter::slot_base() {
  // Volatile: the pointer that was stored there must not be used instead, for the verifier forbids arithmetic on it.
  return b_.CreateLoad(object_.i64(), at(slot(), kSlotBase), /*isVolatile=*/true);
}

llvm::Value *CodeEmitter::slot_address(uint32_t off_bytes) {
  keeps_memory_ = true;
  return b_.CreateAdd(slot_base(), constant(off_bytes));
}

// ---------------------------------------------------------------- the arena
//
// Blocks of alloca() and copyin(), the only scratch that D may write to, lie one behind the other, each at a multiple
// of 8 and with at least one byte of 0 behind it, so that its bytes end as a string. `arena_used` says where the last
// one ends: nothing is written beyond. Before the first one it is kArenaEmpty, whose next multiple of 8 is the arena's
// start.

namespace {

constexpr uint64_t kArenaEmpty = ~uint64_t{7};
constexpr uint32_t kMaxScratchsize = 1 << 20;
/// What copyin() may take when its size is known at run time only.
constexpr uint32_t kCopyinBytes = 4096;
/// Overhead of a block: the zero byte behind it, and the padding to the next multiple of 8.
constexpr uint32_t kBlockGap = 16;

}  // namespace

uint32_t CodeEmitter::scratchsize() const {
  return static_cast<uint32_t>(
      std::clamp<int64_t>(compilation_.input.options.number(Opt::scratchsize), 0, kMaxScratchsize));
}

const CodeEmitter::ArenaSize &CodeEmitter::arena_size() {
  if (arena_size_) return *arena_size_;
  uint64_t bytes = scratchsize(), gaps = kBlockGap;
  walk(*layout_.clause, [&](const tree::Expr &expr) {
    const auto *call = std::get_if<tree::Call>(&expr.node);
    if (call == nullptr || (call->subr != Builtin::k_alloca && call->subr != Builtin::k_copyin)) return;
    gaps += kBlockGap;
    if (call->subr == Builtin::k_alloca) return;
    const auto *size = std::get_if<tree::IntConst>(&call->args[1]->node);
    bytes += size != nullptr && size->value <= kMaxFixedBytes ? size->value : kCopyinBytes;
  });
  const uint64_t most = std::min<uint64_t>(bytes, 2 * kMaxScratchsize);
  arena_size_ = ArenaSize{align_up(static_cast<uint32_t>(most), 8),
                          align_up(static_cast<uint32_t>(std::min<uint64_t>(most + gaps, 4 * kMaxScratchsize)), 8)};
  return *arena_size_;
}

uint32_t CodeEmitter::arena_bytes() { return arena_size().block; }

void CodeEmitter::open_arena() {
  if (arena_) return;
  // Behind any begin there is room for any block, and the byte behind it, for all the verifier knows.
  arena_ = scratch(arena_size().begins + arena_size().block + 8);
  // In the clause's main function, which surely runs before whatever part of it comes to use the arena.
  llvm::BasicBlock &entry = main_function_->getEntryBlock();
  Builder at_entry(&entry, entry.getFirstNonPHIOrDbgOrAlloca());
  at_entry.SetCurrentDebugLocation(object_.location(layout_.clause->span, main_function_));
  llvm::Value *memory =
      at_entry.CreateLoad(object_.pointer(), cell(object_, at_entry, main_function_->getArg(1), kCellSlot));
  at_entry.CreateStore(at_entry.getInt64(kArenaEmpty), cell(object_, at_entry, memory, kSlotArenaUsed));
  at_entry.CreateStore(at_entry.getInt64(0), cell(object_, at_entry, memory, kSlotAllocated));
}

void CodeEmitter::count_allocated(llvm::Value *size) {
  open_arena();
  const uint32_t room = align_up(scratchsize(), 8);
  // Before the sum, which might wrap.
  fault_if(b_.CreateICmpUGT(size, constant(room)), DT_FAULT_NOSCRATCH);
  llvm::Value *before = b_.CreateLoad(object_.i64(), at(slot(), kSlotAllocated));
  llvm::Value *after = b_.CreateAdd(before, b_.CreateAnd(b_.CreateAdd(size, constant(7)), ~uint64_t{7}));
  fault_if(b_.CreateICmpUGT(after, constant(room)), DT_FAULT_NOSCRATCH);
  b_.CreateStore(after, at(slot(), kSlotAllocated));
}

Memory CodeEmitter::arena_take(llvm::Value *wanted) {
  open_arena();
  const ArenaSize &room = arena_size();
  llvm::Value *size = opaque(wanted);
  fault_if(b_.CreateICmpUGT(size, constant(room.block)), DT_FAULT_NOSCRATCH);
  llvm::Value *used = b_.CreateLoad(object_.i64(), at(slot(), kSlotArenaUsed));
  llvm::Value *begin = opaque(b_.CreateAnd(b_.CreateAdd(used, constant(8)), ~uint64_t{7}));
  fault_if(b_.CreateICmpUGT(begin, constant(room.begins)), DT_FAULT_NOSCRATCH);
  llvm::Value *end = b_.CreateAdd(begin, size);
  fault_if(b_.CreateICmpUGT(end, constant(room.begins)), DT_FAULT_NOSCRATCH);
  // No bytes take no room: the next block begins there, too.
  b_.CreateStore(b_.CreateSelect(b_.CreateICmpEQ(size, constant(0)), used, end), at(slot(), kSlotArenaUsed));
  Memory memory;
  memory.pointer = b_.CreateGEP(object_.i8(), at(slot(), *arena_->slot_offset), begin);
  memory.size_bytes = room.block;
  memory.address = b_.CreateAdd(slot_address(*arena_->slot_offset), begin);
  memory.taken = size;
  b_.CreateStore(llvm::ConstantInt::get(object_.i8(), 0), b_.CreateGEP(object_.i8(), memory.pointer, size));
  return memory;
}

llvm::Value *CodeEmitter::writable_arena(llvm::Value *address, llvm::Value *size, uint32_t most_bytes) {
  open_arena();
  const uint32_t begin = *arena_->slot_offset;
  compilation_.want_slot(begin + arena_size().begins + most_bytes);
  llvm::Value *offset = opaque(b_.CreateSub(b_.CreateSub(address, slot_base()), constant(begin)));
  // So far the verifier can follow.
  fault_if(b_.CreateICmpUGT(offset, constant(arena_size().begins)), DT_FAULT_BADADDR, address);
  llvm::Value *used = b_.CreateLoad(object_.i64(), at(slot(), kSlotArenaUsed));
  llvm::Value *end = b_.CreateAdd(offset, b_.CreateZExt(size, object_.i64()));
  fault_if(b_.CreateICmpSGT(end, used), DT_FAULT_BADADDR, address);
  return b_.CreateGEP(object_.i8(), at(slot(), begin), offset);
}

llvm::Value *CodeEmitter::writable(llvm::Value *address, llvm::Value *size, uint32_t most_bytes) {
  // A store that may be larger than the variable goes to the arena, or faults there.
  std::vector<uint32_t> candidates;
  for (const uint32_t variable : compilation_.layout.pointed)
    if (compilation_.layout.plan.variables[variable].size_bytes >= most_bytes) candidates.push_back(variable);
  const std::function<llvm::Value *(size_t)> target = [&](size_t next) -> llvm::Value * {
    if (next == candidates.size()) return writable_arena(address, size, most_bytes);
    const VariablePlan &plan = compilation_.layout.plan.variables[candidates[next]];
    llvm::Value *storage = at(compilation_.globals(), plan.offset);
    llvm::Value *offset = opaque(b_.CreateSub(address, to_number(storage)));
    return choose(
        b_.CreateICmpULE(offset, constant(plan.size_bytes - most_bytes)), object_.pointer(),
        [&] { return b_.CreateGEP(object_.i8(), storage, offset); }, [&] { return target(next + 1); });
  };
  return target(0);
}

Memory CodeEmitter::token_text() {
  const auto bytes = static_cast<uint32_t>(compilation_.types.strsize());
  const uint32_t offset = compilation_.token_offset();
  return {at(slot(), offset), bytes, offset};
}

llvm::Value *CodeEmitter::to_number(llvm::Value *pointer) {
  keeps_memory_ = true;
  // The verifier forbids arithmetic on pointers it knows; what went through a map's memory is a number to it.
  Memory cell = scratch(8);
  b_.CreateStore(pointer, cell.pointer, /*isVolatile=*/true);
  return b_.CreateLoad(object_.i64(), cell.pointer, /*isVolatile=*/true);
}

}  // namespace dtrace::codegen
