// SPDX-License-Identifier: Apache-2.0
#include "plan/plan_dump.h"

#include <fmt/format.h>

namespace dtrace {
namespace {

constexpr std::string_view kValueKinds[] = {"integer",  "float",         "string",       "bytes",
                                            "constant", "probe part",    "kernel stack", "user stack",
                                            "stack",    "kernel symbol", "user symbol"};

void append_value(std::string &out, const ValuePlan &value, const TypeTable &types) {
  const std::string type = value.type ? types.name(value.type) : std::string();
  out += fmt::format("      {:>5} {:>5}  {} {}\n", value.offset, value.size_bytes,
                     kValueKinds[static_cast<size_t>(value.kind)], type);
}

void append_clause(std::string &out, const ClausePlan &clause, const TypeTable &types) {
  out += fmt::format("clause {} {} bytes{}{}\n", clause.index, clause.size_bytes, clause.makes_row ? ", row" : "",
                     clause.is_default_action ? ", default action" : "");
  if (clause.guard_offset != 0) out += fmt::format("  guards at {}\n", clause.guard_offset);
  if (clause.thread_offset != 0) out += fmt::format("  thread at {}\n", clause.thread_offset);
  if (clause.cpu_offset != 0) out += fmt::format("  CPU at {}\n", clause.cpu_offset);
  if (clause.speculation_offset != 0) out += fmt::format("  speculation at {}\n", clause.speculation_offset);
  for (const ActionPlan &action : clause.actions) {
    out += fmt::format("  {}", row(action.kind).name);
    if (action.guard >= 0) out += fmt::format(" if guard {}", action.guard);
    for (uint32_t aggregation : action.aggregations) out += fmt::format(" @{}", aggregation);
    out += '\n';
    for (const ValuePlan &value : action.values) append_value(out, value, types);
  }
}

/// ", in units of 1000 ns"; empty: of nothing that is known.
std::string measured(Quantity quantity) {
  switch (quantity.kind) {
    case Quantity::Kind::kTime:
      return fmt::format(", in units of {} ns", quantity.step);
    case Quantity::Kind::kBytes:
      return fmt::format(", in units of {} bytes", quantity.step);
    case Quantity::Kind::kSamples:
      return ", of samples";
    case Quantity::Kind::kNumber:
      break;
  }
  return {};
}

void append_aggregation(std::string &out, const AggregationPlan &aggregation, const TypeTable &types) {
  out += fmt::format("aggregation {} @{} {} key {} bytes, value {} words{}{}\n", aggregation.index, aggregation.name,
                     row(aggregation.function).name, aggregation.key_bytes, aggregation.value_words,
                     aggregation.has_lone_writer ? ", one writer" : "", measured(aggregation.quantity));
  for (const ValuePlan &key : aggregation.keys) append_value(out, key, types);
}

}  // namespace

std::string dump(const Plan &plan, const TypeTable &types) {
  std::string out;
  for (const ProgramPlan &program : plan.programs)
    out += fmt::format("program {} on {}{}, {} probes, {}\n", program.function, program.hook.text(),
                       program.as_btf_tracepoint ? " (typed)" : "", program.probes.size(),
                       program.own_slot ? fmt::format("slot {}", *program.own_slot) : "claims a slot");
  for (const ClausePlan &clause : plan.clauses) append_clause(out, clause, types);
  for (const AggregationPlan &aggregation : plan.aggregations) append_aggregation(out, aggregation, types);
  for (const VariablePlan &variable : plan.variables)
    out += fmt::format("variable {} at {} {} bytes{}{}\n", variable.name, variable.offset, variable.size_bytes,
                       variable.map.empty() ? "" : " in ", variable.map);
  return out;
}

}  // namespace dtrace
