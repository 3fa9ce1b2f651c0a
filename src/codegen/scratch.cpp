// SPDX-License-Identifier: Apache-2.0
// Working memory of a clause, on the stack and in its slot of scratch. Places are given out at compile time, upwards,
// and live until their TemporaryScope ends, or until the clause does if D got an address in them; only what alloca()
// and copyin() take at run-time size comes from the arena.
#include <algorithm>
#include <utility>

#include "codegen/clause.h"

namespace dtrace {

TemporaryScope::TemporaryScope(ClauseEmitter &emitter)
    : emitter_(emitter),
      temporaries_(emitter.frame_.temporaries.size()),
      scratch_begin_(emitter.scratch_end_),
      outer_keeps_(std::exchange(emitter.keeps_memory_, false)) {}

TemporaryScope::~TemporaryScope() {
  ClauseEmitter &e = emitter_;
  if (!e.keeps_memory_) {
    e.frame_.free_temporaries.insert(e.frame_.free_temporaries.end(),
                                     e.frame_.temporaries.begin() + static_cast<ptrdiff_t>(temporaries_),
                                     e.frame_.temporaries.end());
    e.scratch_end_ = scratch_begin_;
  }
  e.frame_.temporaries.resize(temporaries_);
  e.keeps_memory_ |= outer_keeps_;
}

llvm::Value *ClauseEmitter::temporary(uint32_t size_bytes, const char *name) {
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

uint32_t ClauseEmitter::clause_scratch_begin() const { return compilation_.this_end(); }

llvm::Value *ClauseEmitter::slot() {
  context_.uses_slot = true;
  compilation_.want_slot(kSlotHead);
  if (std::optional<llvm::Value *> value = known(kCellSlot)) return *value;
  llvm::Value *value = b_.CreateLoad(object_.pointer(), firing_cell(kCellSlot));  // claimed before any clause runs
  remember(kCellSlot, value);
  return value;
}

Memory ClauseEmitter::scratch(uint32_t size_bytes) {
  const uint32_t offset = scratch_end_;
  scratch_end_ = align_up(offset + size_bytes, 8);
  compilation_.want_slot(scratch_end_);
  return {at(slot(), offset), size_bytes, offset};
}

llvm::Value *ClauseEmitter::slot_base() {
  // Volatile: the pointer that was stored there must not be used instead, for the verifier forbids arithmetic on it.
  return b_.CreateLoad(object_.i64(), at(slot(), kSlotBase), /*isVolatile=*/true);
}

llvm::Value *ClauseEmitter::slot_address(uint32_t off_bytes) {
  keeps_memory_ = true;
  return b_.CreateAdd(slot_base(), constant(off_bytes));
}

uint32_t ClauseEmitter::arena_bytes() const {
  return align_up(
      static_cast<uint32_t>(std::clamp<int64_t>(compilation_.input.options.number(Opt::scratchsize), 8, 1 << 20)), 8);
}

Memory ClauseEmitter::arena_take(llvm::Value *wanted, bool clear) {
  const uint32_t room = arena_bytes();
  if (!arena_) {
    // Twice the room: a block may begin anywhere in the first half and be as long as all of it, for all the verifier
    // knows.
    arena_ = scratch(2 * room);
    // In the clause's main function, which surely runs before whatever part of it comes to use the arena.
    llvm::BasicBlock &entry = main_function_->getEntryBlock();
    Builder at_entry(&entry, entry.getFirstNonPHIOrDbgOrAlloca());
    at_entry.SetCurrentDebugLocation(object_.location(layout_.clause->span, main_function_));
    llvm::Value *memory =
        at_entry.CreateLoad(object_.pointer(), cell(object_, at_entry, main_function_->getArg(1), kCellSlot));
    at_entry.CreateStore(at_entry.getInt64(0), cell(object_, at_entry, memory, kSlotArenaUsed));
  }
  llvm::Value *size = opaque(wanted);
  fault_if(b_.CreateICmpUGT(size, constant(room)), DT_FAULT_NOSCRATCH);
  llvm::Value *used = opaque(b_.CreateLoad(object_.i64(), at(slot(), kSlotArenaUsed)));
  fault_if(b_.CreateICmpUGT(used, constant(room)), DT_FAULT_NOSCRATCH);
  llvm::Value *rounded = b_.CreateAnd(b_.CreateAdd(size, constant(7)), ~uint64_t{7});
  llvm::Value *end = b_.CreateAdd(used, rounded);
  fault_if(b_.CreateICmpUGT(end, constant(room)), DT_FAULT_NOSCRATCH);
  b_.CreateStore(end, at(slot(), kSlotArenaUsed));
  Memory memory;
  memory.pointer = b_.CreateGEP(object_.i8(), at(slot(), *arena_->slot_offset), used);
  memory.size_bytes = room;
  memory.address = b_.CreateAdd(slot_address(*arena_->slot_offset), used);
  memory.taken = size;
  if (clear)
    helper(Helper::kProbeReadKernel, {memory.pointer, b_.CreateTrunc(size, object_.i32()), object_.zeros(room)});
  return memory;
}

Memory ClauseEmitter::token_text() {
  const auto bytes = static_cast<uint32_t>(compilation_.types.strsize());
  const uint32_t offset = compilation_.token_offset();
  return {at(slot(), offset), bytes, offset};
}

llvm::Value *ClauseEmitter::to_number(llvm::Value *pointer) {
  keeps_memory_ = true;
  // The verifier forbids arithmetic on pointers it knows; what went through a map's memory is a number to it.
  Memory cell = scratch(8);
  b_.CreateStore(pointer, cell.pointer, /*isVolatile=*/true);
  return b_.CreateLoad(object_.i64(), cell.pointer, /*isVolatile=*/true);
}

}  // namespace dtrace
