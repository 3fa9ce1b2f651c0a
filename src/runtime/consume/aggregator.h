// SPDX-License-Identifier: Apache-2.0
// Takes partial aggregations out of the kernel's two banks and keeps the merged tables. A snapshot switches the bank
// that programs update, waits until no program can still see the old one, and drains it: consistent, and the kernel's
// memory bounds the new keys of an interval only, never their number in all.
#pragma once

#include <cstdint>
#include <vector>

#include "base/result.h"
#include "plan/plan.h"
#include "runtime/consume/aggregation_table.h"
#include "runtime/probes/catalog.h"

namespace dtrace {

class Enabling;

class Aggregator {
 public:
  /// `per_cpu`: also keep each CPU's share (option aggpercpu).
  Aggregator(Enabling &enabling, Catalog &catalog, bool per_cpu);

  /// Brings the tables up to date while programs run. Costs a wait of one RCU grace period (about 8 ms).
  Result<Unit> snapshot();
  /// The same without the wait, once nothing runs any more: both banks are drained.
  Result<Unit> drain_all();
  /// Waits until every program that was running at the call has ended.
  Result<Unit> wait_for_programs();
  /// Snapshots if a table is filling up; cheap otherwise.
  Result<Unit> relieve();

  const AggregationPlan &plan(uint32_t index) const;
  AggregationTable &table(uint32_t index) { return tables_[index]; }
  size_t size() const { return tables_.size(); }
  /// Results of keys that were not kept, because there is no memory for more keys.
  uint64_t nr_refused() const { return nr_refused_; }
  unsigned nr_cpus() const;

  uint64_t normal(uint32_t index) const { return normals_[index]; }
  void set_normal(uint32_t index, uint64_t normal) { normals_[index] = normal; }

 private:
  /// No program that may sleep uses `bank`; waits for that, but not for long.
  bool left_alone(uint32_t bank) const;
  Result<Unit> drain(uint32_t bank);
  void drain_single(uint32_t index, uint32_t bank);
  Result<Unit> drain_keyed(uint32_t index, uint32_t bank);
  /// Keys that name a probe hold its id; probes with the same text in that field get one id.
  void canonicalise(const AggregationPlan &plan, std::byte *key);
  void arm_wake();

  Enabling &enabling_;
  Catalog &catalog_;
  std::vector<AggregationTable> tables_;
  uint64_t nr_refused_ = 0;
  std::vector<uint64_t> normals_;
  std::vector<bool> has_probe_part_;
  std::unordered_map<std::string, uint32_t> canonical_by_text_;
  std::unordered_map<uint64_t, uint32_t> canonical_;
  std::vector<std::byte> key_buffer_;
  std::vector<uint64_t> value_buffer_;
  bool switched_ = false;  // the other bank is out of use and not drained yet
};

}  // namespace dtrace
