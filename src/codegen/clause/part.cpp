// SPDX-License-Identifier: Apache-2.0
// Parts: a clause too large for one BPF function goes on in others, divided between statements. It bounds the stack
// that the register allocator spills to, the distance of jumps (16 bits), and the time that LLVM takes, which grows
// faster than the size of a function.
//
// A part is a static subprogram, int (ctx, firing, record, keep). It returns nonzero if the clause faulted and its
// record is dropped; the caller then returns as well. Values that earlier parts found are in the firing's cells.
#include <utility>

#include "codegen/clause/code.h"

namespace dtrace::codegen {
bool CodeEmitter::is_full() const {
  return frame_.function->getInstructionCount() > compilation_.division.part_instructions;
}

CodeEmitter::Frame CodeEmitter::open_part() {
  Frame outer = std::exchange(frame_, {});
  outer.return_to = b_.saveIP();
  outer.location = b_.getCurrentDebugLocation();

  part_depth_++;
  llvm::Type *parameters[] = {object_.pointer(), object_.pointer(), object_.pointer(), object_.pointer()};
  const std::string name = main_function_->getName().str() + "_part" + std::to_string(++nr_parts_);
  frame_.function = object_.function(name, object_.i32(), parameters, "", layout_.clause->span);
  frame_.function->addFnAttr(llvm::Attribute::NoInline);
  frame_.context = frame_.function->getArg(0);
  frame_.firing = frame_.function->getArg(1);
  if (outer.record != nullptr) frame_.record = frame_.reserved = frame_.function->getArg(2);
  if (outer.keep != nullptr) frame_.keep = frame_.function->getArg(3);
  b_.SetInsertPoint(llvm::BasicBlock::Create(object_.context(), "entry", frame_.function));
  b_.SetCurrentDebugLocation(object_.location(layout_.clause->span, frame_.function));
  frame_.word = local(object_.i64(), "word");
  frame_.end = block("end");
  frame_.fault_end = block("faulted");
  return outer;
}

void CodeEmitter::close_part(Frame outer) {
  b_.CreateBr(frame_.end);
  emit_faults(false);
  emit_faults(true);
  b_.SetInsertPoint(frame_.end);
  b_.CreateRet(constant32(0));
  if (frame_.fault_end->hasNPredecessorsOrMore(1)) {
    b_.SetInsertPoint(frame_.fault_end);
    b_.CreateRet(constant32(1));
  } else {
    frame_.fault_end->eraseFromParent();
  }

  part_depth_--;
  llvm::Function *part = frame_.function;
  frame_ = std::move(outer);
  if (!frame_.thread_created) frame_.known.erase(kCellThread);  // the part may have made it
  b_.restoreIP(frame_.return_to);
  b_.SetCurrentDebugLocation(frame_.location);
  llvm::Value *none = llvm::ConstantPointerNull::get(object_.pointer());
  llvm::Value *faulted =
      b_.CreateCall(part, {frame_.context, frame_.firing, frame_.record != nullptr ? frame_.record : none,
                           frame_.keep != nullptr ? frame_.keep : none});
  llvm::BasicBlock *next = block("next_part");
  b_.CreateCondBr(b_.CreateICmpNE(faulted, constant32(0)), frame_.fault_end, next);
  b_.SetInsertPoint(next);
}

}  // namespace dtrace::codegen
