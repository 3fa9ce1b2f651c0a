// SPDX-License-Identifier: Apache-2.0
// Aggregations: the key is packed on the stack, the value found or made by the library, the update inlined here.
#include <algorithm>
#include <functional>

#include "codegen/clause/clause.h"
#include "frontend/lang/aggregating.h"

namespace dtrace {
namespace {

uint64_t packed(const tree::LogLinearParams &p) {
  return uint64_t{p.factor} | uint64_t{p.low} << 16 | uint64_t{p.high} << 32 | uint64_t{p.steps} << 48;
}

}  // namespace

/// The number of the value or table of this firing's bank and CPU.
llvm::Value *ClauseEmitter::table_slot(const AggregationPlan &plan) {
  const uint32_t cpus = compilation_.input.nr_cpus;
  return b_.CreateAdd(b_.CreateMul(bank(), constant32(cpus)), b_.CreateAdd(cpu(), constant32(plan.set(0) * cpus)));
}

ClauseEmitter::FindWords ClauseEmitter::keyless(const AggregationPlan &plan) {
  return [this, &plan] {
    const uint32_t mark = plan.touched_word < plan.value_words ? 0 : plan.touched_word;
    return library("dt_agg_total",
                   {at(compilation_.totals(), plan.total_offset), table_slot(plan),
                    constant32(2 * compilation_.input.nr_cpus), constant32(plan.total_bytes), constant32(mark)});
  };
}

ClauseEmitter::FindWords ClauseEmitter::short_key(const tree::AggUpdate &node, const AggregationPlan &plan) {
  llvm::GlobalVariable *map = compilation_.aggregation(plan.index);
  llvm::Value *key = key_memory(plan.key_bytes).pointer;
  store_key(key, plan.keys, node.keys, 0, plan.key_bytes);
  return [this, &plan, map, key] {
    return library(compilation_.calls_for_updates ? "dt_agg_element_called" : "dt_agg_element",
                   {map, table_slot(plan), key, object_.zeros(uint64_t{plan.value_words} * 8), constant32(plan.index)});
  };
}

/// An element as the table holds it, the words of the value before the key, is made in scratch.
ClauseEmitter::FindWords ClauseEmitter::long_key(const tree::AggUpdate &node, const AggregationPlan &plan) {
  llvm::GlobalVariable *map = compilation_.aggregation(plan.index);
  const uint32_t head_bytes = plan.value_words * 8;
  llvm::Value *element = scratch(head_bytes + plan.key_bytes).pointer;
  llvm::Value *key = at(element, head_bytes);
  const ValuePlan &open = plan.keys[plan.open_key];
  clear_gaps(key, plan.keys, 0, open.offset);
  clear_gaps(key, {}, open.offset + open.size_bytes, plan.key_bytes);
  llvm::Value *end = nullptr;
  for (size_t i = 0; i < node.keys.size(); i++) {
    llvm::Value *to = at(key, plan.keys[i].offset);
    if (i == plan.open_key)
      end = b_.CreateAdd(store_open(to, open, *node.keys[i]), constant(open.offset));
    else
      store_value(to, plan.keys[i], *node.keys[i], alignment_at(plan.keys[i].offset), true);
  }
  return [this, &plan, map, element, end] {
    return library("dt_agg_long", {map, table_slot(plan), slot(), element, constant32(plan.value_words), end,
                                   constant32(plan.key_bytes / 8), constant32(plan.index)});
  };
}

void ClauseEmitter::aggregate(const tree::AggUpdate &node) {
  const uint32_t index = node.aggregation.value;
  const AggregationPlan &plan = compilation_.layout.plan.aggregations[index];
  // Keys are evaluated first, as they are written.
  const FindWords find = plan.by_hash          ? long_key(node, plan)
                         : plan.key_bytes != 0 ? short_key(node, plan)
                                               : keyless(plan);
  llvm::Value *value = node.value != nullptr ? scalar(*node.value) : nullptr;
  llvm::Value *increment = node.increment != nullptr ? scalar(*node.increment) : constant(1);
  llvm::Value *words = find();
  llvm::BasicBlock *found = block("found"), *full = block("no_room"), *done = block("aggregated");
  unlikely(b_.CreateCondBr(b_.CreateIsNull(words), full, found));
  b_.SetInsertPoint(full);
  llvm::Value *is_full = b_.CreateICmpNE(library("dt_agg_is_full", {constant32(plan.index)}), constant32(0));
  drop(is_full, Cause::kAggregationFull, Cause::kAggregationRefused);
  b_.CreateBr(done);
  b_.SetInsertPoint(found);
  frame_.depth++;
  update_words(plan, words, value, increment);
  frame_.depth--;
  b_.CreateBr(done);
  b_.SetInsertPoint(done);
}

void ClauseEmitter::update_words(const AggregationPlan &plan, llvm::Value *words, llvm::Value *value,
                                 llvm::Value *increment) {
  llvm::Value *alone = constant32(plan.has_lone_writer ? 1 : 0);
  const AggregatingFunction function = aggregating_function(plan.function);
  switch (function) {
    case AggregatingFunction::kCount:
      library("dt_agg_add", {words, constant(1), alone});
      break;
    case AggregatingFunction::kSum:
      library("dt_agg_add", {words, value, alone});
      break;
    case AggregatingFunction::kAvg:
      library("dt_agg_avg", {words, value, alone});
      break;
    case AggregatingFunction::kStddev:
      library("dt_agg_stddev", {words, value, alone});
      break;
    case AggregatingFunction::kMin:
    case AggregatingFunction::kMax: {
      const char *update = function == AggregatingFunction::kMin ? "dt_agg_min" : "dt_agg_max";
      llvm::Value *lost = library(update, {words, value, alone});
      when(b_.CreateICmpNE(lost, constant32(0)), [&] { drop(Cause::kAggregationBusy); });
      break;
    }
    case AggregatingFunction::kQuantize:
      library("dt_agg_quantize", {words, value, increment, alone});
      break;
    case AggregatingFunction::kLquantize:
      library("dt_agg_lquantize", {words, value, increment, constant32(static_cast<uint32_t>(plan.linear.base)),
                                   constant32(plan.linear.step), constant32(plan.value_words - 2), alone});
      break;
    case AggregatingFunction::kLlquantize:
      library("dt_agg_llquantize",
              {words, value, increment, constant(packed(plan.log_linear)), constant32(plan.value_words), alone});
      break;
  }
}

}  // namespace dtrace
