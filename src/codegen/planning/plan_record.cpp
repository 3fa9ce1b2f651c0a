// SPDX-License-Identifier: Apache-2.0
// The record of one clause: what each action leaves for the consumer, and where.
#include <algorithm>

#include "bpf/dt_abi.h"
#include "codegen/planning/layout.h"

namespace dtrace::codegen {
namespace {

/// The verifier lets no program address more from one pointer.
constexpr uint64_t kMaxRecordBytes = (uint64_t{1} << 29) - 64;

/// What an action leaves: a row of output, just a message to the consumer, or nothing.
enum class Trace : uint8_t { kNothing, kMessage, kRow };

Trace trace_of(Builtin kind) {
  switch (kind) {
    case Builtin::k_raise:
    case Builtin::k_stop:
    case Builtin::k_chill:
    case Builtin::k_breakpoint:
    case Builtin::k_panic:
    case Builtin::k_speculate:
      return Trace::kNothing;
    case Builtin::k_commit:
    case Builtin::k_discard:
      return Trace::kMessage;
    default:
      return Trace::kRow;
  }
}

uint32_t record_alignment(const ValuePlan &value) {
  if (value.kind == ValuePlan::Kind::kInteger) return value.size_bytes;
  return value.size_bytes >= 8 ? 8 : 1;
}

class RecordPlanner {
 public:
  RecordPlanner(const CompileInput &input, ClauseLayout &layout, ClausePlan &plan)
      : input_(input), layout_(layout), plan_(plan) {}

  Result<Unit> run() {
    body(layout_.clause->body, -1);
    plan_.is_default_action = layout_.clause->default_action;
    plan_.records_firing = layout_.clause->records_firing;
    plan_.makes_row |= plan_.is_default_action;
    plan_.makes_row |= !plan_.leaves.empty();
    if (plan_.actions.empty() && plan_.leaves.empty() && !plan_.is_default_action) return ok();

    layout_.only_commits = plan_.leaves.empty() &&
                           std::all_of(plan_.actions.begin(), plan_.actions.end(),
                                       [](const ActionPlan &a) { return trace_of(a.kind) == Trace::kMessage; }) &&
                           !plan_.is_default_action;
    uint64_t end = sizeof(dt_record);
    if (!layout_.guards.empty()) {
      plan_.guard_offset = sizeof(dt_record);
      plan_.guard_bytes = align_up(nr_guards_, 8);
      end += plan_.guard_bytes;
    }
    if (input_.with_thread) {
      plan_.thread_offset = static_cast<uint32_t>(end);
      end += 8;
    }
    if (layout_.speculates) {
      plan_.speculation_offset = static_cast<uint32_t>(end);
      end += 4;
    }
    for (ActionPlan &action : plan_.actions) {
      for (ValuePlan &value : action.values) {
        if (value.kind == ValuePlan::Kind::kConstString || value.in_record_head()) continue;
        const uint64_t alignment = std::max<uint32_t>(record_alignment(value), 1);
        end = (end + alignment - 1) / alignment * alignment;
        value.offset = static_cast<uint32_t>(end);
        end += value.size_bytes;
        if (end > kMaxRecordBytes)
          return Error("clause " + plan_.name + " records more than 512 MB, the most that one record can have");
      }
    }
    end = leaves(end);
    if (end > kMaxRecordBytes)
      return Error("the leaves of " + plan_.desc.text() + " need more than 512 MB, the most that one record can have");
    plan_.size_bytes = align_up(static_cast<uint32_t>(end), 8);
    return ok();
  }

 private:
  void body(const std::vector<tree::Stmt> &stmts, int guard) {
    for (const tree::Stmt &stmt : stmts) {
      if (auto *act = std::get_if<tree::Action>(&stmt.node)) {
        action(*act, guard);
      } else if (auto *branch = std::get_if<std::unique_ptr<tree::If>>(&stmt.node)) {
        if_statement(**branch);
      } else if (auto *record = std::get_if<tree::RecordLeaf>(&stmt.node)) {
        layout_.leaves.emplace(record, static_cast<uint32_t>(plan_.leaves.size()));
        plan_.leaves.push_back(leaf(*record->leaf));
      }
    }
  }

  /// A number as a register has it; of everything else as much as a record would have.
  ValuePlan leaf(const tree::Expr &expr) {
    ValuePlan value = plan_value(input_, expr, true);
    if (value.kind == ValuePlan::Kind::kInteger) value.size_bytes = 8;
    value.size_bytes = align_up(std::max<uint32_t>(value.size_bytes, 8), 8);
    return value;
  }

  /// Outcomes, then values. Out: where they end.
  uint64_t leaves(uint64_t end) {
    if (plan_.leaves.empty()) return end;
    plan_.leaf_outcome_offset = static_cast<uint32_t>(end);
    end = (end + plan_.leaves.size() + 7) / 8 * 8;
    for (ValuePlan &value : plan_.leaves) {
      value.offset = static_cast<uint32_t>(end);
      end += value.size_bytes;
    }
    return end;
  }

  /// An inner guard is only set when the outer branch was taken.
  void if_statement(const tree::If &branch) {
    const size_t actions_before = plan_.actions.size();
    const uint32_t guard = nr_guards_;
    nr_guards_ += 2;
    body(branch.then_body, static_cast<int>(guard));
    body(branch.else_body, static_cast<int>(guard + 1));
    if (plan_.actions.size() == actions_before) {
      nr_guards_ = guard;  // nothing to guard
    } else {
      layout_.guards.emplace(&branch, guard);
    }
  }

  void action(const tree::Action &act, int guard) {
    if (act.kind == Builtin::k_speculate) layout_.speculates = true;
    const Trace trace = trace_of(act.kind);
    if (trace == Trace::kNothing) return;
    plan_.makes_row |= trace == Trace::kRow;

    ActionPlan plan;
    plan.kind = act.kind;
    plan.guard = guard;
    plan.format = act.format;
    plan.object_type = act.object_type;
    plan.by_address = act.by_address;
    plan.order = act.order;
    for (tree::AggId id : act.aggregations) plan.aggregations.push_back(id.value);
    values(act, plan);
    layout_.actions.emplace(&act, static_cast<uint32_t>(plan_.actions.size()));
    plan_.actions.push_back(std::move(plan));
  }

  ValuePlan bytes(uint64_t size_bytes, TypeId type) {
    ValuePlan value;
    value.kind = ValuePlan::Kind::kBytes;
    value.size_bytes = static_cast<uint32_t>(size_bytes);
    value.type = type;
    return value;
  }

  void values(const tree::Action &act, ActionPlan &plan) {
    for (size_t i = 0; i < act.values.size(); ++i)
      plan.value_texts.emplace_back(
          input_.sources.text(i < act.value_spans.size() ? act.value_spans[i] : act.values[i]->span));
    if (act.kind == Builtin::k_tracemem) {
      plan.values.push_back(bytes(act.size_bytes, act.values[0]->type));
      if (act.values.size() > 1) {
        // After the address there may stand the constant size itself; the last argument is the one of the run.
        plan.values.push_back(plan_value(input_, *act.values.back(), false));
        plan.dynamic_size_value = 1;
      }
      return;
    }
    for (const tree::Expr *expr : act.values) plan.values.push_back(plan_value(input_, *expr, false));
    if (act.kind == Builtin::k_print && act.by_address) {
      const auto most = static_cast<uint64_t>(std::max<int64_t>(input_.options.number(Opt::printsize), 1));
      plan.values.push_back(bytes(std::min<uint64_t>(act.size_bytes, most), act.object_type));
    }
  }

  const CompileInput &input_;
  ClauseLayout &layout_;
  ClausePlan &plan_;
  uint32_t nr_guards_ = 0;
};

}  // namespace

Result<ClausePlan> plan_clause(const CompileInput &input, ClauseLayout &layout, uint32_t index,
                               const std::string &source_name) {
  ClausePlan plan;
  plan.index = index;
  plan.name = "dt_clause_" + std::to_string(index);
  plan.source_name = source_name;
  if (Result<Unit> planned = RecordPlanner(input, layout, plan).run(); !planned) return std::move(planned.error());
  return plan;
}

}  // namespace dtrace::codegen
