// SPDX-License-Identifier: Apache-2.0
// All aggregations as the consumer has them: one table each, into which partial results of CPUs and banks merge. Knows
// neither where these come from nor how they are shown.
#pragma once

#include <cstddef>
#include <cstdint>
#include <deque>
#include <optional>
#include <span>
#include <string>
#include <unordered_map>
#include <vector>

#include "plan/compile_host.h"
#include "plan/plan.h"
#include "runtime/consume/aggregation_table.h"
#include "runtime/consume/stack_keys.h"

namespace dtrace::runtime {

class AggregationStore {
 public:
  /// `per_cpu`: also keep each CPU's share (option aggpercpu). `host` resolves probe ids. `plan` and `host` must
  /// outlive the store, as must `budget`, which is asked before tables grow.
  AggregationStore(const Plan &plan, CompileHost &host, unsigned nr_cpus, bool per_cpu, MemoryBudget *budget = nullptr);

  /// From here on stacks of processes that have ended, or of all, are keys as stacks of files.
  void share_stacks(StackSharing sharing);
  /// Does that change anything?
  bool shares_stacks() const { return stack_keys_.has_value(); }
  /// Around what a drain adds.
  void begin_drain();
  void end_drain();
  /// See StackKeys.
  uint64_t take_kept_stacks() { return stack_keys_ ? stack_keys_->take_kept() : 0; }

  /// Adds a partial result of one CPU. `key`: as the plan says, changed by this; `words`: value_words of them.
  void add(uint32_t index, std::span<std::byte> key, std::span<const uint64_t> words, unsigned cpu);

  size_t size() const { return tables_.size(); }
  const AggregationPlan &plan(uint32_t index) const { return plan_.aggregations[index]; }
  AggregationTable &table(uint32_t index) { return tables_[index]; }
  unsigned nr_cpus() const { return nr_cpus_; }
  /// Results of keys that were not kept, because there is no memory for more keys.
  uint64_t nr_refused() const { return nr_refused_; }

  /// Times of CLOCK_MONOTONIC: tracing began; what was counted until `until_ns` is in the tables.
  void set_times(uint64_t begin_ns, uint64_t until_ns);
  /// Aggregation `index` is counted anew: clear(), trunc() of everything.
  void restart(uint32_t index) { since_ns_[index] = until_ns_; }
  /// For how long it was counted.
  uint64_t counted_ns(uint32_t index) const;

  uint64_t normal(uint32_t index) const { return normals_[index]; }
  void set_normal(uint32_t index, uint64_t normal) { normals_[index] = normal; }

 private:
  /// Keys that name a probe hold its id; probes with the same text in that field get one id.
  void canonicalise(const AggregationPlan &plan, std::span<std::byte> key);

  /// Entries whose processes have ended since they were added.
  void share_entries(uint32_t index);

  const Plan &plan_;
  CompileHost &host_;
  unsigned nr_cpus_;
  std::deque<AggregationTable> tables_;
  std::vector<uint64_t> normals_;
  std::vector<uint64_t> since_ns_;  // 0: since tracing began
  uint64_t begin_ns_ = 0, until_ns_ = 0;
  std::vector<bool> has_probe_part_;
  std::vector<bool> has_stacks_;
  std::optional<StackKeys> stack_keys_;
  uint64_t nr_refused_ = 0;
  std::unordered_map<std::string, uint32_t> canonical_by_text_;
  std::unordered_map<uint64_t, uint32_t> canonical_;
};

}  // namespace dtrace::runtime
