// SPDX-License-Identifier: Apache-2.0
// Speculation: the kernel side only marks records and knows which ids are active; the consumer holds the records until
// the commit or discard comes by.
#include "codegen/clause.h"

namespace dtrace {

llvm::Value *ClauseEmitter::speculation() {
  llvm::Value *id = library("dt_speculation_start",
                            {compilation_.speculations(), constant32(compilation_.layout.plan.nr_speculations)});
  id = b_.CreateZExt(id, object_.i64());
  when(b_.CreateICmpEQ(id, constant(0)), [&] { drop(Cause::kSpecUnavailable); });
  return id;
}

void ClauseEmitter::speculate(const tree::Action &node) {
  llvm::Value *id = b_.CreateTrunc(scalar(*node.values[0]), object_.i32());
  if (frame_.record == nullptr) return;
  // 1: go on; 0: not an active id; -1: its buffer is full.
  llvm::Value *state =
      library("dt_speculate", {compilation_.speculations(), id, constant(plan_.size_bytes),
                               constant(static_cast<uint64_t>(compilation_.input.options.number(Opt::specsize)))});
  when(b_.CreateICmpSLT(state, constant32(0)), [&] { drop(Cause::kSpecFull); });
  b_.CreateStore(b_.CreateZExt(b_.CreateICmpSGT(state, constant32(0)), object_.i64()), frame_.keep);
  b_.CreateStore(id, at(frame_.record, plan_.speculation_offset));
}

void ClauseEmitter::settle(const tree::Action &node) {
  llvm::Value *id = b_.CreateTrunc(scalar(*node.values[0]), object_.i32());
  llvm::Value *done = library("dt_speculation_settle", {compilation_.speculations(), id});
  llvm::Value *valid = b_.CreateICmpNE(done, constant32(0));
  const ValuePlan &value = plan_.actions[layout_.actions.at(&node)].values[0];
  llvm::Value *recorded = b_.CreateSelect(valid, b_.CreateZExt(id, object_.i64()), constant(0));
  b_.CreateStore(b_.CreateTrunc(recorded, object_.integer(value.size_bytes)), at(frame_.record, value.offset));
  if (layout_.only_commits)
    b_.CreateStore(b_.CreateOr(b_.CreateLoad(object_.i64(), frame_.keep), boolean(valid)), frame_.keep);
}

}  // namespace dtrace
