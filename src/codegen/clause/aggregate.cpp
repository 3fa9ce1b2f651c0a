// SPDX-License-Identifier: Apache-2.0
// Aggregations: the key is packed on the stack, the value found or made by the library, the update inlined here.
#include <algorithm>
#include <functional>
#include <optional>

#include "bpf/dt_abi.h"
#include "codegen/clause/clause.h"
#include "frontend/lang/aggregating.h"

namespace dtrace::codegen {
namespace {

uint64_t packed(const LlquantizeParams &p) {
  return uint64_t{p.factor} | uint64_t{p.low} << 16 | uint64_t{p.high} << 32 | uint64_t{p.steps} << 48;
}

/// The constants of dt_agg_long_called(); nothing: one is too large.
std::optional<uint64_t> packed(const AggregationPlan &plan, uint32_t slot_offset) {
  const uint64_t words = plan.key_bytes / 8;
  if (slot_offset >> 24 != 0 || plan.value_words >> 14 != 0 || words >> 16 != 0) return std::nullopt;
  return uint64_t{slot_offset} | uint64_t{plan.value_words} << 24 | words << 38 |
         uint64_t{plan.index % DT_MAX_AGGREGATIONS} << 54;
}

/// Emits one update.
class AggregateEmitter {
 public:
  AggregateEmitter(ClauseEmitter &emitter, const AggregationPlan &plan)
      : e_(emitter), b_(emitter.builder()), compilation_(emitter.compilation()), plan_(plan) {}

  /// The search for the aggregation's words: a pointer, null if there is no room.
  using FindWords = std::function<llvm::Value *()>;
  /// Evaluates the keys.
  FindWords find(const tree::AggUpdate &node) {
    return plan_.by_hash ? long_key(node) : plan_.key_bytes != 0 ? short_key(node) : keyless();
  }
  void update_words(llvm::Value *words, llvm::Value *value, llvm::Value *increment);

 private:
  llvm::Value *table_slot();
  FindWords keyless();
  FindWords short_key(const tree::AggUpdate &node);
  FindWords long_key(const tree::AggUpdate &node);

  ClauseEmitter &e_;
  Builder &b_;
  Compilation &compilation_;
  const AggregationPlan &plan_;
};

/// The number of the value or table of this firing's bank and CPU.
llvm::Value *AggregateEmitter::table_slot() {
  const uint32_t cpus = compilation_.input.nr_cpus;
  return b_.CreateAdd(b_.CreateMul(e_.bank(), e_.constant32(cpus)),
                      b_.CreateAdd(e_.cpu(), e_.constant32(plan_.set(0) * cpus)));
}

AggregateEmitter::FindWords AggregateEmitter::keyless() {
  return [this] {
    const uint32_t mark = plan_.touched_word < plan_.value_words ? 0 : plan_.touched_word;
    return e_.library("dt_agg_total", {e_.at(compilation_.totals(), plan_.total_offset), table_slot(),
                                       e_.constant32(2 * compilation_.input.nr_cpus), e_.constant32(plan_.total_bytes),
                                       e_.constant32(mark)});
  };
}

AggregateEmitter::FindWords AggregateEmitter::short_key(const tree::AggUpdate &node) {
  llvm::GlobalVariable *map = compilation_.aggregation(plan_.index);
  llvm::Value *key = e_.key_memory(plan_.key_bytes).pointer;
  e_.store_key(key, plan_.keys, node.keys, 0, plan_.key_bytes);
  return [this, map, key] {
    return e_.library(
        compilation_.calls_for_updates ? "dt_agg_element_called" : "dt_agg_element",
        {map, table_slot(), key, e_.object().zeros(uint64_t{plan_.value_words} * 8), e_.constant32(plan_.index)});
  };
}

/// An element as the table holds it, the words of the value before the key, is made in scratch.
AggregateEmitter::FindWords AggregateEmitter::long_key(const tree::AggUpdate &node) {
  llvm::GlobalVariable *map = compilation_.aggregation(plan_.index);
  const uint32_t head_bytes = plan_.value_words * 8;
  const Memory memory = e_.scratch(head_bytes + plan_.key_bytes);
  llvm::Value *element = memory.pointer;
  llvm::Value *key = e_.at(element, head_bytes);
  const ValuePlan &open = plan_.keys[plan_.open_key];
  e_.clear_gaps(key, plan_.keys, 0, open.offset);
  e_.clear_gaps(key, {}, open.offset + open.size_bytes, plan_.key_bytes);
  llvm::Value *end = nullptr;
  for (size_t i = 0; i < node.keys.size(); i++) {
    llvm::Value *to = e_.at(key, plan_.keys[i].offset);
    if (i == plan_.open_key)
      end = b_.CreateAdd(e_.store_open(to, open, *node.keys[i]), e_.constant(open.offset));
    else
      e_.store_value(to, plan_.keys[i], *node.keys[i], alignment_at(plan_.keys[i].offset), true);
  }
  const std::optional<uint64_t> layout =
      compilation_.calls_for_long_keys && memory.slot_offset ? packed(plan_, *memory.slot_offset) : std::nullopt;
  return [this, map, element, end, layout] {
    if (layout) return e_.library("dt_agg_long_called", {map, table_slot(), e_.slot(), end, e_.constant(*layout)});
    return e_.library("dt_agg_long", {map, table_slot(), e_.slot(), element, e_.constant32(plan_.value_words), end,
                                      e_.constant32(plan_.key_bytes / 8), e_.constant32(plan_.index)});
  };
}

void AggregateEmitter::update_words(llvm::Value *words, llvm::Value *value, llvm::Value *increment) {
  llvm::Value *alone = e_.constant32(plan_.has_lone_writer ? 1 : 0);
  const AggregatingFunction function = aggregating_function(plan_.function);
  switch (function) {
    case AggregatingFunction::kCount:
      e_.library("dt_agg_add", {words, e_.constant(1), alone});
      break;
    case AggregatingFunction::kSum:
      e_.library("dt_agg_add", {words, value, alone});
      break;
    case AggregatingFunction::kAvg:
      e_.library("dt_agg_avg", {words, value, alone});
      break;
    case AggregatingFunction::kStddev:
      e_.library("dt_agg_stddev", {words, value, alone});
      break;
    case AggregatingFunction::kMin:
    case AggregatingFunction::kMax: {
      const char *update = function == AggregatingFunction::kMin ? "dt_agg_min" : "dt_agg_max";
      llvm::Value *lost = e_.library(update, {words, value, alone});
      e_.when(b_.CreateICmpNE(lost, e_.constant32(0)), [&] { e_.drop(Cause::kAggregationBusy); });
      break;
    }
    case AggregatingFunction::kQuantize:
      e_.library("dt_agg_quantize", {words, value, increment, alone});
      break;
    case AggregatingFunction::kLquantize:
      e_.library("dt_agg_lquantize",
                 {words, value, increment, e_.constant32(static_cast<uint32_t>(plan_.params.linear.base)),
                  e_.constant32(plan_.params.linear.step), e_.constant32(plan_.value_words - 2), alone});
      break;
    case AggregatingFunction::kLlquantize:
      e_.library("dt_agg_llquantize", {words, value, increment, e_.constant(packed(plan_.params.log_linear)),
                                       e_.constant32(plan_.value_words), alone});
      break;
  }
}

}  // namespace

void ClauseEmitter::aggregate(const tree::AggUpdate &node) {
  const uint32_t index = node.aggregation.value;
  const AggregationPlan &plan = compilation_.layout.plan.aggregations[index];
  AggregateEmitter emitter(*this, plan);
  const AggregateEmitter::FindWords find = emitter.find(node);  // keys are evaluated first, as they are written
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
  emitter.update_words(words, value, increment);
  frame_.depth--;
  b_.CreateBr(done);
  b_.SetInsertPoint(done);
}

}  // namespace dtrace::codegen
