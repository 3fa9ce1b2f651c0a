// SPDX-License-Identifier: Apache-2.0
// Leaves in the record of a recording's clause: each has its value, or the fault of reading it. A fault here ends
// nothing, because nobody knows yet whether a clause will ask for that leaf.
#include "codegen/clause/clause.h"

namespace dtrace::codegen {

void ClauseEmitter::record_leaf(const tree::RecordLeaf &record) {
  const uint32_t index = layout_.leaves.at(&record);
  const ValuePlan &plan = plan_.leaves[index];
  llvm::Value *to = at(frame_.record, plan.offset);
  llvm::Value *outcome = at(frame_.record, plan_.leaf_outcome_offset + index);
  Frame::Faults caught;
  frame_.caught = &caught;
  frame_.depth++;  // what is computed here holds only where there was no fault
  store_leaf(to, outcome, plan, *record.leaf);
  frame_.depth--;
  frame_.caught = nullptr;
  if (caught.block == nullptr) return;

  llvm::BasicBlock *told = block("told");
  b_.CreateBr(told);
  b_.SetInsertPoint(caught.block);
  const auto count = static_cast<unsigned>(caught.sources.size());
  llvm::PHINode *kind = b_.CreatePHI(object_.i64(), count);
  llvm::PHINode *address = b_.CreatePHI(object_.i64(), count);
  for (unsigned i = 0; i < count; i++) {
    kind->addIncoming(caught.values[i][0], caught.sources[i]);
    address->addIncoming(caught.values[i][1], caught.sources[i]);
  }
  zero(to, plan.size_bytes);
  b_.CreateStore(address, to);
  b_.CreateStore(b_.CreateTrunc(kind, object_.i8()), outcome);
  b_.CreateBr(told);
  b_.SetInsertPoint(told);
}

void ClauseEmitter::store_leaf(llvm::Value *to, llvm::Value *outcome, const ValuePlan &plan, const tree::Expr &leaf) {
  if (plan.kind == ValuePlan::Kind::kBytes || plan.kind == ValuePlan::Kind::kFloat) {
    zero(to, plan.size_bytes);  // it may be wider than the value
    ValuePlan exact = plan;
    exact.size_bytes =
        static_cast<uint32_t>(std::min<uint64_t>(plan.size_bytes, compilation_.types.size_bytes(leaf.type)));
    return store_value(to, exact, leaf, 8, false);
  }
  if (plan.kind != ValuePlan::Kind::kString) return store_value(to, plan, leaf, 8, false);
  set_position(leaf);
  TemporaryScope scope(*this);
  const Memory wanted{to, plan.size_bytes, std::nullopt};
  EmittedText value = text(leaf, &wanted);
  set_position(leaf);
  if (value.is_null == nullptr) {
    if (value.pointer != to) copy_text(to, plan.size_bytes, value, false);
    return;
  }
  b_.CreateStore(b_.CreateSelect(value.is_null, llvm::ConstantInt::get(object_.i8(), ClausePlan::kLeafIsNull),
                                 llvm::ConstantInt::get(object_.i8(), 0)),
                 outcome);
  if (value.pointer != to) copy_text_or_empty(to, plan.size_bytes, value);
}

}  // namespace dtrace::codegen
