// SPDX-License-Identifier: Apache-2.0
// Working memory of a clause, in the slot that the program claimed. Places are given out at compile time, upwards, and live
// until the clause ends; only what alloca() and copyin() take at run-time size comes from the arena.
#include "codegen/clause.h"

namespace dtrace {

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

llvm::Value *ClauseEmitter::slot_address(uint32_t off_bytes) {
  return b_.CreateAdd(b_.CreateLoad(object_.i64(), at(slot(), kSlotBase)), constant(off_bytes));
}

llvm::Value *ClauseEmitter::to_number(llvm::Value *pointer) {
  // The verifier forbids arithmetic on pointers it knows; what went through a map's memory is a number to it.
  Memory cell = scratch(8);
  b_.CreateStore(pointer, cell.pointer, /*isVolatile=*/true);
  return b_.CreateLoad(object_.i64(), cell.pointer, /*isVolatile=*/true);
}

}  // namespace dtrace
