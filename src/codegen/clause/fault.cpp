// SPDX-License-Identifier: Apache-2.0
// Faults and losses, and the other ways in which a clause ends early.
#include <algorithm>

#include "codegen/clause/code.h"

namespace dtrace::codegen {

void CodeEmitter::fault_if(llvm::Value *condition, uint32_t kind, llvm::Value *address) {
  Frame::Faults &faults = frame_.caught != nullptr ? *frame_.caught : frame_.faults[frame_.record != nullptr ? 1 : 0];
  if (faults.block == nullptr) faults.block = block("fault");
  llvm::BasicBlock *fine = block("fine");
  faults.sources.push_back(b_.GetInsertBlock());
  faults.values.push_back({constant(kind), address != nullptr ? address : constant(0)});
  unlikely(b_.CreateCondBr(condition, faults.block, fine));
  b_.SetInsertPoint(fine);
}

void CodeEmitter::fault(uint32_t kind, llvm::Value *address) {
  fault_if(llvm::ConstantInt::getTrue(object_.context()), kind, address);
}

void CodeEmitter::leave_if(llvm::Value *condition) {
  llvm::BasicBlock *leave = block("leave"), *stay = block("stay");
  unlikely(b_.CreateCondBr(condition, leave, stay));
  b_.SetInsertPoint(leave);
  if (frame_.record != nullptr) forget_record(frame_.record);
  b_.CreateBr(frame_.fault_end);
  b_.SetInsertPoint(stay);
}

void CodeEmitter::emit_faults(bool has_record) {
  const Frame::Faults &faults = frame_.faults[has_record ? 1 : 0];
  if (faults.block == nullptr) return;
  const auto count = static_cast<unsigned>(faults.sources.size());
  b_.SetInsertPoint(faults.block);
  b_.SetCurrentDebugLocation(object_.location(layout_.clause->span, frame_.function));
  llvm::PHINode *kind = b_.CreatePHI(object_.i64(), count);
  llvm::PHINode *address = b_.CreatePHI(object_.i64(), count);
  for (unsigned i = 0; i < count; i++) {
    kind->addIncoming(faults.values[i][0], faults.sources[i]);
    address->addIncoming(faults.values[i][1], faults.sources[i]);
  }
  // A commit before the fault takes effect.
  if (has_record && layout_.only_commits)
    keep_if_wanted(frame_.reserved);
  else if (has_record)
    forget_record(frame_.reserved);
  if (in_error()) {
    drop(Cause::kDoubleError);
  } else {
    b_.CreateCall(context_.fail, {frame_.context, frame_.firing, constant(plan_.index), kind, address});
  }
  b_.CreateBr(frame_.fault_end);
}

void CodeEmitter::drop(Cause cause) {
  library("dt_count_drop", {compilation_.drops(), constant32(drop_index(compilation_.layout, cause, plan_.index))});
}

void CodeEmitter::drop(llvm::Value *condition, Cause then_cause, Cause else_cause) {
  auto index = [&](Cause cause) { return constant32(drop_index(compilation_.layout, cause, plan_.index)); };
  library("dt_count_drop", {compilation_.drops(), b_.CreateSelect(condition, index(then_cause), index(else_cause))});
}

void CodeEmitter::end_tracing() {
  b_.CreateAtomicRMW(llvm::AtomicRMWInst::Or, compilation_.control(), constant32(DT_STATE_STOPPED), llvm::MaybeAlign(4),
                     llvm::AtomicOrdering::Monotonic);
}

void CodeEmitter::end_firing() {
  if (context_.exit_cell) b_.CreateStore(constant32(1), firing_cell(*context_.exit_cell));
}

}  // namespace dtrace::codegen
