// SPDX-License-Identifier: Apache-2.0
// Limits of the kernel and of BPF, checked before code is generated: the errors of LLVM and of the verifier do not name
// the clause or variable that exceeds them.
#include "codegen/planning/layout.h"
#include "frontend/tree/walk.h"

namespace dtrace::codegen {
namespace {

constexpr uint32_t kMaxElementBytes = (4U << 20) - 4096;
constexpr uint32_t kMaxThreadBytes = 65000;
constexpr size_t kMaxOperations = 500'000;  // of a clause; each takes two instructions or more, and a million may run

/// What neither we nor the kernel can give.
Result<Unit> check_possible(const CompileInput &input, const tree::Clause &clause) {
  std::string error;
  walk(clause, [&](const tree::Expr &expr) {
    const auto *call = std::get_if<tree::Call>(&expr.node);
    if (call == nullptr || (call->subr != Builtin::k_copyout && call->subr != Builtin::k_copyoutstr)) return;
    if (!input.host.has(KernelFeature::kWriteUser))
      error = std::string(row(call->subr).name) +
              "( ) writes to a process's memory, which this kernel does not let programs do (lockdown)";
  });
  return error.empty() ? ok() : Error(error);
}

/// LLVM would take minutes and gigabytes for what the kernel refuses in the end.
Result<Unit> check_endless(const tree::Clause &clause) {
  size_t operations = 0;
  walk(clause, [&](const tree::Expr &) { operations++; });
  walk_statements(clause.body, [&](const tree::Stmt &) { operations++; });
  if (operations <= kMaxOperations) return ok();
  return Error("a clause has " + std::to_string(operations) + " operations, which is more than the kernel runs (" +
               std::to_string(kMaxOperations) + "): divide it among probes");
}

}  // namespace

Result<Unit> check_clause_limits(const CompileInput &input, const tree::Clause &clause) {
  if (Result<Unit> possible = check_possible(input, clause); !possible) return possible;
  return check_endless(clause);
}

Result<Unit> check_size_limits(const Layout &layout) {
  for (const AggregationPlan &plan : layout.plan.aggregations)
    if (plan.key_bytes + uint64_t{8} * plan.value_words > kMaxElementBytes)
      return Error("a key of @" + plan.name + " has " + std::to_string(plan.key_bytes) +
                   " bytes, and the kernel takes " + std::to_string(kMaxElementBytes) + " at most with its value");
  for (const VariablePlan &plan : layout.plan.variables)
    if (!plan.map.empty() && uint64_t{plan.key_bytes} + plan.size_bytes > kMaxElementBytes)
      return Error("an element of " + plan.name + " has " + std::to_string(plan.key_bytes + plan.size_bytes) +
                   " bytes, and the kernel takes " + std::to_string(kMaxElementBytes) + " at most");
  if (layout.thread_bytes > kMaxThreadBytes)
    return Error("thread-local variables have " + std::to_string(layout.thread_bytes) +
                 " bytes together, and the kernel takes " + std::to_string(kMaxThreadBytes) + " at most");
  return ok();
}

}  // namespace dtrace::codegen
