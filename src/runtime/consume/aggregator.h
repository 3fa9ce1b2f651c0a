// SPDX-License-Identifier: Apache-2.0
// Takes partial aggregations out of the kernel's two banks into the store. A snapshot switches the bank
// that programs update, waits until no program can still see the old one, and drains it: consistent, and the kernel's
// memory bounds the new keys of an interval only, never their number in all.
#pragma once

#include <cstdint>
#include <vector>

#include "base/result.h"
#include "plan/plan.h"
#include "runtime/consume/aggregation_store.h"

namespace dtrace::runtime {

class Enabling;

class Aggregator {
 public:
  /// Both outlive the aggregator.
  Aggregator(Enabling &enabling, AggregationStore &store);

  /// Brings the tables up to date while programs run. Costs a wait of one RCU grace period (about 8 ms).
  Result<Unit> snapshot();
  /// The same without the wait, once nothing runs any more: both banks are drained.
  Result<Unit> drain_all();
  /// Waits until every program that was running at the call has ended.
  Result<Unit> wait_for_programs();
  /// Snapshots if a table is filling up; cheap otherwise.
  Result<Unit> relieve();

  AggregationStore &store() { return store_; }

 private:
  /// No program that may sleep uses `bank`; waits for that, but not for long.
  bool left_alone(uint32_t bank) const;
  Result<Unit> drain(uint32_t bank);
  void drain_single(uint32_t index, uint32_t bank);
  Result<Unit> drain_keyed(uint32_t index, uint32_t bank);
  void arm_wake();

  Enabling &enabling_;
  AggregationStore &store_;
  std::vector<std::byte> key_buffer_;
  std::vector<uint64_t> value_buffer_;
  uint64_t switched_ns_ = 0;  // when the banks were switched last
  bool switched_ = false;     // the other bank is out of use and not drained yet
};

}  // namespace dtrace::runtime
