// SPDX-License-Identifier: Apache-2.0
// Runs clauses: the record of each as the plan lays it out, and what they add to aggregations. What comes of both is
// the consumer's, as it is of those that programs in the kernel make.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <vector>

#include "base/options.h"
#include "codegen/planning/layout.h"
#include "evaluator/evaluator.h"
#include "evaluator/speculation_ids.h"

namespace dtrace::evaluator {

/// What records say of a firing.
struct FiringHead {
  uint32_t probe = 0;  ///< ProbeId
  uint64_t time_ns = 0;
  uint64_t thread = 0;  ///< process << 32 | thread
  uint32_t cpu = 0;
};

class ClauseRun {
 public:
  using Aggregate =
      std::function<void(uint32_t aggregation, std::span<std::byte> key, std::span<const uint64_t> words)>;
  struct Parts {
    const codegen::Layout &layout;
    const Options &options;
    Evaluator &evaluator;
    Leaves &leaves;
    SpeculationIds &speculations;
    Aggregate aggregate;
    std::function<void(uint32_t clause, Cause)> lose;
  };
  explicit ClauseRun(Parts parts) : parts_(std::move(parts)) {}

  struct Outcome {
    std::vector<std::byte> record;  ///< empty: it made none
    std::optional<Fault> fault;
    bool exited = false;  ///< the firing ends
  };
  /// Faults are in the outcome; NotTold is thrown.
  Outcome run(uint32_t clause, const FiringHead &firing);
  /// The clause that runs, or ran last: what Evaluator::Parts::lose is about.
  uint32_t clause() const { return index_; }

 private:
  enum class Flow { kOn, kBreak, kContinue, kLeave };

  void begin_record();
  Flow body(const std::vector<tree::Stmt> &stmts);
  Flow statement(const tree::Stmt &stmt);
  Flow if_statement(const tree::If &branch);
  Flow loop_statement(const tree::Loop &loop);
  Flow action(const tree::Action &action);
  Flow speculate(const tree::Action &action);
  void settle(const tree::Action &action);
  void record_values(const tree::Action &action, const ActionPlan &plan);
  void aggregate(const tree::AggUpdate &update);
  std::span<std::byte> room(const ValuePlan &plan) { return field(record_, plan); }
  static std::span<std::byte> field(std::span<std::byte> bytes, const ValuePlan &plan) {
    return bytes.subspan(plan.offset, plan.size_bytes);
  }
  void put(std::span<std::byte> to, const ValuePlan &plan, const tree::Expr &expr);

  Parts parts_;
  uint32_t index_ = 0;
  const codegen::ClauseLayout *clause_ = nullptr;
  const ClausePlan *plan_ = nullptr;
  FiringHead firing_;
  std::vector<std::byte> record_;
  bool is_kept_ = true;
  bool exited_ = false;
  std::vector<std::byte> key_;
  std::vector<uint64_t> words_;
};

}  // namespace dtrace::evaluator
