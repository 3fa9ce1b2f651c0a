// SPDX-License-Identifier: Apache-2.0
#include "evaluator/clause_run.h"

#include <algorithm>
#include <cassert>
#include <cstring>

#include "bpf/dt_abi.h"
#include "evaluator/partial_value.h"

namespace dtrace::evaluator {
namespace {

template <typename T>
void put_number(std::span<std::byte> to, T value) {
  std::memcpy(to.data(), &value, std::min(sizeof value, to.size()));
}

}  // namespace

ClauseRun::Outcome ClauseRun::run(uint32_t index, const FiringHead &firing) {
  index_ = index;
  clause_ = &parts_.layout.clauses[index];
  plan_ = &parts_.layout.plan.clauses[index];
  firing_ = firing;
  record_.clear();
  exited_ = false;
  parts_.evaluator.begin_clause();
  Outcome outcome;
  try {
    if (clause_->clause->predicate != nullptr && !parts_.evaluator.condition(*clause_->clause->predicate))
      return outcome;
    begin_record();
    if (body(clause_->clause->body) == Flow::kLeave) record_.clear();
  } catch (const Fault &fault) {
    outcome.fault = fault;
    if (!clause_->only_commits) record_.clear();  // a commit before the fault takes effect
  }
  if (is_kept_) outcome.record = std::move(record_);
  outcome.exited = exited_;
  return outcome;
}

void ClauseRun::begin_record() {
  is_kept_ = !clause_->only_commits;
  record_.assign(plan_->size_bytes, std::byte{});
  if (record_.empty()) return;
  const dt_record head{plan_->index, firing_.probe, parts_.layout.plan.timestamps ? firing_.time_ns : 0};
  std::memcpy(record_.data(), &head, sizeof head);
  const std::span all(record_);
  if (plan_->thread_offset != 0) put_number(all.subspan(plan_->thread_offset, 8), firing_.thread);
  if (plan_->cpu_offset != 0) put_number(all.subspan(plan_->cpu_offset, 8), uint64_t{firing_.cpu});
}

// ---------------------------------------------------------------- statements

ClauseRun::Flow ClauseRun::body(const std::vector<tree::Stmt> &stmts) {
  for (const tree::Stmt &stmt : stmts)
    if (const Flow flow = statement(stmt); flow != Flow::kOn) return flow;
  return Flow::kOn;
}

ClauseRun::Flow ClauseRun::statement(const tree::Stmt &stmt) {
  if (const auto *expr = std::get_if<tree::Evaluate>(&stmt.node)) {
    parts_.evaluator.evaluate(*expr->expr);
    return Flow::kOn;
  }
  if (const auto *update = std::get_if<tree::AggUpdate>(&stmt.node)) {
    aggregate(*update);
    return Flow::kOn;
  }
  if (const auto *act = std::get_if<tree::Action>(&stmt.node)) return action(*act);
  if (const auto *branch = std::get_if<std::unique_ptr<tree::If>>(&stmt.node)) return if_statement(**branch);
  if (const auto *loop = std::get_if<std::unique_ptr<tree::Loop>>(&stmt.node)) return loop_statement(**loop);
  const auto *jump = std::get_if<tree::Jump>(&stmt.node);
  assert(jump != nullptr);  // leaves are recorded by the kernel
  return jump->is_break ? Flow::kBreak : Flow::kContinue;
}

ClauseRun::Flow ClauseRun::if_statement(const tree::If &branch) {
  const bool taken = parts_.evaluator.condition(*branch.condition);
  if (const auto guard = clause_->guards.find(&branch); guard != clause_->guards.end()) {
    record_[plan_->guard_offset + guard->second] = std::byte{taken};
    record_[plan_->guard_offset + guard->second + 1] = std::byte{!taken};
  }
  return body(taken ? branch.then_body : branch.else_body);
}

ClauseRun::Flow ClauseRun::loop_statement(const tree::Loop &loop) {
  const auto most = static_cast<uint64_t>(parts_.options.number(Opt::looplimit));
  if (const Flow flow = body(loop.start); flow != Flow::kOn) return flow;
  for (uint64_t round = 0; loop.condition == nullptr || parts_.evaluator.condition(*loop.condition); round++) {
    if (round == most) {
      parts_.lose(index_, Cause::kLoopCut);
      break;
    }
    const Flow flow = body(loop.body);
    if (flow == Flow::kBreak) break;
    if (flow == Flow::kLeave) return flow;
    body(loop.step);
  }
  return Flow::kOn;
}

// ---------------------------------------------------------------- actions

ClauseRun::Flow ClauseRun::action(const tree::Action &node) {
  switch (node.kind) {
    case Builtin::k_speculate:
      return speculate(node);
    case Builtin::k_commit:
    case Builtin::k_discard:
      settle(node);
      return Flow::kOn;
    default:
      break;
  }
  if (row(node.kind).effect == BuiltinEffect::kDestructive) throw NotTold{};  // it changes the traced system
  const auto planned = clause_->actions.find(&node);
  if (planned == clause_->actions.end()) return Flow::kOn;
  record_values(node, plan_->actions[planned->second]);
  exited_ |= node.kind == Builtin::k_exit;
  return Flow::kOn;
}

ClauseRun::Flow ClauseRun::speculate(const tree::Action &node) {
  // An id that speculation() never gives is no fault, other than for commit() and discard(): it is not active.
  const auto id = static_cast<uint32_t>(parts_.evaluator.number(*node.values[0]));
  const SpeculationIds::Room room = parts_.speculations.add(id, record_.size());
  if (room == SpeculationIds::Room::kNotActive) return Flow::kLeave;
  if (record_.empty()) return Flow::kOn;
  if (room == SpeculationIds::Room::kFull) parts_.lose(index_, Cause::kSpecFull);
  is_kept_ = room == SpeculationIds::Room::kRoom;
  put_number(std::span(record_).subspan(plan_->speculation_offset, sizeof id), id);
  return Flow::kOn;
}

void ClauseRun::settle(const tree::Action &node) {
  const auto id = static_cast<uint32_t>(parts_.evaluator.number(*node.values[0]));
  if (!parts_.speculations.is_id(id)) throw Fault{DT_FAULT_ILLOP};
  const bool was_active = parts_.speculations.settle(id);
  put_number(room(plan_->actions[clause_->actions.at(&node)].values[0]), was_active ? uint64_t{id} : 0);
  if (clause_->only_commits) is_kept_ |= was_active;
}

void ClauseRun::record_values(const tree::Action &node, const ActionPlan &plan) {
  Evaluator &e = parts_.evaluator;
  const bool by_address = node.kind == Builtin::k_tracemem || (node.kind == Builtin::k_print && node.by_address);
  if (by_address) {
    const tree::Expr &pointer = *node.values[0];
    const uint64_t address = e.number(pointer);
    if (node.kind == Builtin::k_print) put_number(room(plan.values[0]), address);
    const ValuePlan &object = plan.values[node.kind == Builtin::k_print ? 1 : 0];
    std::ranges::copy(e.read(e.space_of(pointer.type), address, object.size_bytes), room(object).begin());
    if (node.kind == Builtin::k_tracemem && plan.values.size() > 1)
      put(room(plan.values[1]), plan.values[1], *node.values.back());
    return;
  }
  for (size_t i = 0; i < node.values.size(); i++) {
    const ValuePlan &value = plan.values[i];
    if (value.kind == ValuePlan::Kind::kConstString || value.in_record_head()) continue;
    put(room(value), value, *node.values[i]);
  }
}

void ClauseRun::put(std::span<std::byte> to, const ValuePlan &plan, const tree::Expr &expr) {
  Evaluator &e = parts_.evaluator;
  switch (plan.kind) {
    case ValuePlan::Kind::kConstString:
      return;
    case ValuePlan::Kind::kInteger:
    case ValuePlan::Kind::kKernelSymbol:
      return put_number(to, e.number(expr));
    case ValuePlan::Kind::kString:
    case ValuePlan::Kind::kBytes:
    case ValuePlan::Kind::kFloat: {
      if (e.types().is_string(expr.type)) {
        const std::string text = e.certain_text(expr);
        std::memcpy(to.data(), text.data(), std::min<size_t>(text.size(), to.size() - 1));
        return;
      }
      const std::vector<std::byte> bytes = e.bytes(expr);
      std::memcpy(to.data(), bytes.data(), std::min(bytes.size(), to.size()));
      return;
    }
    case ValuePlan::Kind::kProbePart:
      put_number(to, uint64_t{firing_.probe});
      if (to.size() > 4) put_number(to.subspan(4), static_cast<uint32_t>(firing_.thread >> 32));
      return;
    case ValuePlan::Kind::kCgroupName:
      return put_number(to, parts_.leaves.number(expr));
    case ValuePlan::Kind::kKernelStack:
    case ValuePlan::Kind::kUserStack:
    case ValuePlan::Kind::kStack:
    case ValuePlan::Kind::kUserSymbol: {
      // The kernel's stack has no owner before it, unless it may be another one's.
      const bool is_whole =
          plan.kind == ValuePlan::Kind::kStack || !std::holds_alternative<tree::StackValue>(expr.node);
      const std::vector<std::byte> bytes = is_whole ? e.bytes(expr) : parts_.leaves.bytes(expr);
      std::memcpy(to.data(), bytes.data(), std::min(bytes.size(), to.size()));
      return;
    }
  }
}

// ---------------------------------------------------------------- aggregations

void ClauseRun::aggregate(const tree::AggUpdate &update) {
  Evaluator &e = parts_.evaluator;
  const uint32_t index = update.aggregation.value;
  const AggregationPlan &plan = parts_.layout.plan.aggregations[index];
  key_.assign(plan.key_bytes, std::byte{});
  for (size_t i = 0; i < update.keys.size(); i++)
    if (plan.keys[i].kind != ValuePlan::Kind::kConstString)
      put(field(key_, plan.keys[i]), plan.keys[i], *update.keys[i]);
  const uint64_t value = update.value != nullptr ? e.number(*update.value) : 0;
  const uint64_t increment = update.increment != nullptr ? e.number(*update.increment) : 1;
  words_.assign(plan.value_words, 0);
  partial_value(aggregating_function(plan.function), plan.params, static_cast<int64_t>(value), increment, words_);
  parts_.aggregate(index, key_, words_);
}

}  // namespace dtrace::evaluator
