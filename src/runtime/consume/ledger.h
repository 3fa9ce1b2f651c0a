// SPDX-License-Identifier: Apache-2.0
// The ledger: everything that was lost, by cause, clause and CPU. It gets counts since the beginning; what
// is new is shown at each status check.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "plan/plan.h"
#include "runtime/events/loss.h"
#include "runtime/load/loss_counters.h"

namespace dtrace::runtime {

class Ledger {
 public:
  /// `plan` outlives the ledger.
  Ledger(const Plan &plan, unsigned nr_cpus);

  /// What is new since the last call.
  std::vector<Loss> update(const LossCounters &counters);
  /// Something that the consumer itself lost: new at the next update().
  void note(Cause cause, uint64_t count, unsigned cpu = UINT32_MAX) {
    if (count != 0) noted_.push_back({cause, UINT32_MAX, cpu, count, {}, 0});
  }
  /// Probes that were set in a file so long after a process had mapped it: new at the next update().
  void note_late(const std::string &file, uint64_t probes, uint64_t longest_ns);

  /// Everything so far.
  const std::vector<Loss> &total() const { return total_; }
  uint64_t total(Cause cause) const;

  /// A table for people: cause, clause, CPU, count.
  std::string text() const;
  /// The same as one JSON object on one line.
  std::string json() const;

 private:
  void add(std::vector<Loss> &fresh, Loss loss);
  /// Sentence of a loss.
  static std::string sentence(const Loss &loss);

  const Plan &plan_;
  unsigned nr_cpus_;
  std::vector<uint64_t> seen_;  // as LossCounters::drops
  std::vector<MissedFirings> missed_seen_;
  size_t log_gaps_seen_ = 0;
  std::vector<Loss> noted_;
  std::vector<Loss> total_;
};

}  // namespace dtrace::runtime
