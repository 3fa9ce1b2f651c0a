// SPDX-License-Identifier: Apache-2.0
// Actions: values into the record, or an effect at once.
#include "bpf/dt_unwind.h"
#include "codegen/clause/clause.h"

#include <algorithm>

namespace dtrace::codegen {
namespace {

constexpr uint64_t kSigStop = 19;  // of the traced kernel, which no header of ours need know

/// Has every action that records nothing a row in this table?
template <typename Row, size_t N>
constexpr bool covers_actions_without_record(const Row (&table)[N]) {
  return std::ranges::all_of(kBuiltins, [&](const BuiltinRow &builtin) {
    const bool acts = builtin.kind == BuiltinKind::kAct &&
                      (builtin.effect == BuiltinEffect::kDestructive || builtin.effect == BuiltinEffect::kSpecial);
    return !acts || std::ranges::find(table, builtin.id, &Row::action) != std::end(table);
  });
}

}  // namespace

void ClauseEmitter::store_value(llvm::Value *to, const ValuePlan &plan, const tree::Expr &expr, uint32_t align,
                                bool padded) {
  set_position(expr);
  TemporaryScope scope(*this);
  switch (plan.kind) {
    case ValuePlan::Kind::kInteger: {
      llvm::IntegerType *type = object_.integer(plan.size_bytes);
      b_.CreateAlignedStore(b_.CreateTrunc(scalar(expr), type), to,
                            llvm::Align(std::min<uint32_t>(align, plan.size_bytes)));
      return;
    }
    case ValuePlan::Kind::kString:
      store_text(to, plan.size_bytes, expr, padded, align);
      return;
    case ValuePlan::Kind::kFloat:
    case ValuePlan::Kind::kBytes:
      if (compilation_.types.is_string(expr.type)) return store_text(to, plan.size_bytes, expr, padded, align);
      bytes_into(expr, to, plan.size_bytes, align);
      return;
    case ValuePlan::Kind::kConstString:
      return;
    case ValuePlan::Kind::kProbePart:
      b_.CreateAlignedStore(probe(), to, llvm::Align(std::min<uint32_t>(align, 4)));
      if (plan.size_bytes > 4)
        b_.CreateAlignedStore(open_process(), at(to, 4), llvm::Align(std::min<uint32_t>(align, 4)));
      return;
    case ValuePlan::Kind::kCgroupName:
      b_.CreateAlignedStore(named_cgroup(), to, llvm::Align(std::min<uint32_t>(align, 8)));
      return;
    case ValuePlan::Kind::kKernelStack:
    case ValuePlan::Kind::kUserStack:
    case ValuePlan::Kind::kStack:
      store_stack(to, plan, expr);
      return;
    case ValuePlan::Kind::kKernelSymbol:
      b_.CreateAlignedStore(scalar(expr), to, llvm::Align(std::min<uint32_t>(align, 8)));
      return;
    case ValuePlan::Kind::kUserSymbol:
      b_.CreateAlignedStore(b_.CreateOr(tgid(), b_.CreateShl(image(), uint64_t{DT_IMAGE_SHIFT})), to,
                            llvm::Align(std::min<uint32_t>(align, 8)));
      b_.CreateAlignedStore(scalar(expr), at(to, 8), llvm::Align(std::min<uint32_t>(align, 8)));
      return;
  }
}

llvm::Value *ClauseEmitter::store_open(llvm::Value *to, const ValuePlan &plan, const tree::Expr &expr) {
  set_position(expr);
  TemporaryScope scope(*this);
  if (plan.kind != ValuePlan::Kind::kString) return b_.CreateAdd(store_stack(to, plan, expr), constant(8));
  const Memory wanted{to, plan.size_bytes, std::nullopt};
  EmittedText value = text(expr, &wanted);
  set_position(expr);
  require_not_null(value);
  if (value.kind != EmittedText::Kind::kMemory) {
    copy_text(to, plan.size_bytes, value, true);
    return constant(plan.size_bytes);
  }
  if (value.pointer != to || value.length == nullptr) {
    // Reading a string from our own memory copies it and tells its length in one call.
    llvm::Value *with_nul = helper(Helper::kProbeReadKernelStr,
                                   {to, constant32(std::min(value.size_bytes, plan.size_bytes)), value.pointer});
    value.length = b_.CreateSub(with_nul, constant(1));
  }
  return library("dt_key_text_end", {to, value.length, constant32(plan.size_bytes)});
}

void ClauseEmitter::store_action_values(const tree::Action &action, const ActionPlan &plan) {
  auto to = [&](const ValuePlan &value) { return at(frame_.record, value.offset); };
  if (action.kind == Builtin::k_tracemem) {
    llvm::Value *address = scalar(*action.values[0]);
    set_position(*action.values[0]);
    read(space_of(action.values[0]->type), to(plan.values[0]), plan.values[0].size_bytes, address);
    if (plan.values.size() > 1)
      store_value(to(plan.values[1]), plan.values[1], *action.values.back(), alignment_at(plan.values[1].offset),
                  false);
    return;
  }
  for (size_t i = 0; i < action.values.size(); i++) {
    const ValuePlan &value = plan.values[i];
    if (value.kind == ValuePlan::Kind::kConstString) continue;
    if (value.in_record_head()) continue;
    if (action.kind == Builtin::k_print && action.by_address) {
      llvm::Value *address = scalar(*action.values[0]);
      b_.CreateStore(address, to(value));
      read(space_of(action.values[0]->type), to(plan.values[1]), plan.values[1].size_bytes, address);
      continue;
    }
    store_value(to(value), value, *action.values[i], alignment_at(value.offset), false);
  }
}

void ClauseEmitter::action(const tree::Action &node) {
  struct AtOnce {
    Builtin action;
    void (*emit)(ClauseEmitter &, const tree::Action &);
  };
  static constexpr AtOnce kAtOnce[] = {
      {Builtin::k_speculate, [](ClauseEmitter &e, const tree::Action &a) { e.speculate(a); }},
      {Builtin::k_commit, [](ClauseEmitter &e, const tree::Action &a) { e.settle(a); }},
      {Builtin::k_discard, [](ClauseEmitter &e, const tree::Action &a) { e.settle(a); }},
      {Builtin::k_raise, [](ClauseEmitter &e, const tree::Action &a) { e.send_signal(e.scalar(*a.values[0])); }},
      {Builtin::k_stop, [](ClauseEmitter &e, const tree::Action &) { e.send_signal(e.constant(kSigStop)); }},
      {Builtin::k_chill, [](ClauseEmitter &e, const tree::Action &a) { e.chill(*a.values[0]); }},
  };
  static_assert(covers_actions_without_record(kAtOnce),
                "a row of builtins.def acts in the probe, and nothing emits it");
  for (const AtOnce &row : kAtOnce)
    if (row.action == node.kind) return row.emit(*this, node);
  auto planned = layout_.actions.find(&node);
  if (planned == layout_.actions.end()) return;
  store_action_values(node, plan_.actions[planned->second]);
  if (node.kind != Builtin::k_exit) return;
  end_tracing();
  end_firing();
}

void ClauseEmitter::send_signal(llvm::Value *number) {
  helper(Helper::kSendSignal, {b_.CreateTrunc(number, object_.i32())});
}

void ClauseEmitter::chill(const tree::Expr &duration) {
  llvm::Value *error = library("dt_chill", {compilation_.chills(), scalar(duration)});
  fault_if(b_.CreateICmpNE(error, constant32(0)), DT_FAULT_ILLOP);
}

}  // namespace dtrace::codegen
