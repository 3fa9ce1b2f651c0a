// SPDX-License-Identifier: Apache-2.0
// What needs no protection, because the kernel does not start a program of most kinds on a CPU where that program is
// running already, but counts the firing as missed. Tables of aggregations and slots of scratch belong to a CPU; so an
// aggregation that one such program alone updates needs no atomic additions, and a slot that one alone uses, no claim.
#include <algorithm>
#include <set>

#include "codegen/planning/layout.h"
#include "codegen/planning/slot.h"
#include "frontend/tree/walk.h"

namespace dtrace::codegen {
namespace {

/// Not on user probes, which may sleep; and what kernel functions call themselves is loaded once for each function.
bool excludes_itself(const ProgramPlan &program) {
  return program.hook.facts().excludes_itself && !program.hook.preemptible && !program.sleepable &&
         program.trampoline.empty();
}

std::set<uint32_t> updated_by(const ClauseLayout &layout) {
  std::set<uint32_t> updated;
  walk_statements(layout.clause->body, [&](const tree::Stmt &stmt) {
    if (auto *update = std::get_if<tree::AggUpdate>(&stmt.node)) updated.insert(update->aggregation.value);
  });
  return updated;
}

}  // namespace

void give_own_slots(Layout &layout) {
  constexpr uint32_t kShared = 0;  // of BEGIN and END, which never run together
  std::vector<ProgramPlan> &programs = layout.plan.programs;
  auto is_test_run = [](const ProgramPlan &program) { return program.hook.is<TestRunHook>(); };
  uint32_t end = std::any_of(programs.begin(), programs.end(), is_test_run) ? kShared + 1 : 0;
  std::vector<uint32_t> slots;
  for (const ProgramPlan &program : programs) {
    if (!excludes_itself(program)) return;
    slots.push_back(is_test_run(program) ? kShared : end++);
  }
  if (end > kSlots) return;
  for (size_t i = 0; i < programs.size(); i++) programs[i].own_slot = slots[i];
}

void find_lone_writers(Layout &layout) {
  constexpr uint32_t kNobody = UINT32_MAX, kMany = UINT32_MAX - 1;
  std::vector<uint32_t> writer(layout.plan.aggregations.size(), kNobody);
  std::vector<std::set<uint32_t>> updated;
  for (const ClauseLayout &clause : layout.clauses) updated.push_back(updated_by(clause));
  for (const ProgramLayout &program : layout.programs) {
    const bool alone = excludes_itself(layout.plan.programs[program.plan]);
    for (uint32_t clause : program.clauses)
      for (uint32_t aggregation : updated[clause]) {
        uint32_t &who = writer[aggregation];
        who = alone && (who == kNobody || who == program.plan) ? program.plan : kMany;
      }
  }
  for (uint32_t clause : layout.error_clauses)  // they run within the program that fails, whichever that is
    for (uint32_t aggregation : updated[clause]) writer[aggregation] = kMany;
  for (size_t i = 0; i < writer.size(); i++)
    layout.plan.aggregations[i].has_lone_writer = writer[i] != kNobody && writer[i] != kMany;
}

}  // namespace dtrace::codegen
