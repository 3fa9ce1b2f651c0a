// SPDX-License-Identifier: Apache-2.0
// Keys with user stacks: when a process has ended, its addresses become addresses in files. Then a stack of a program
// is one key, however many processes had it. Functions and modules, as of ufunc(), are changed in the same way.
//
// Keys are changed when a bank is drained. At the end of tracing, the mappings of a process that ended long before
// would be forgotten, and the table would hold a key for each process.
#pragma once

#include <sys/types.h>

#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <unordered_map>
#include <unordered_set>
#include <utility>
#include <vector>

#include "plan/plan.h"
#include "runtime/symbols/file_space.h"
#include "runtime/symbols/symbolizer.h"

namespace dtrace::runtime {

/// What is known of processes.
struct StackSharing {
  /// The address that stands for this one in the space of files (UserSymbols).
  std::function<std::optional<uint64_t>(UserImage image, uint64_t address)> shared_address;
  std::function<bool(pid_t pid)> has_ended;
  /// Called once with a process that runs, while something can be learnt of it; may be null.
  std::function<void(pid_t pid)> note;
  bool of_all = false;  ///< also stacks of processes that run
};

class StackKeys {
 public:
  explicit StackKeys(StackSharing sharing) : sharing_(std::move(sharing)) {}

  /// Has the aggregation user stacks, functions or modules among its keys?
  static bool has_stacks(const AggregationPlan &plan);

  /// From here on, has_ended() is asked again for each process.
  void begin_drain() { ended_.clear(); }
  /// Is there a stack in the key that is to become one of files?
  bool wants_change(const AggregationPlan &plan, std::span<const std::byte> key);
  /// Makes stacks of files of those. False: none became one. `is_last`: what cannot be changed now stays, for nothing
  /// more will be known; before the end of a drain, the parent of a process that has forked may not have been met.
  bool change(const AggregationPlan &plan, std::span<std::byte> key, bool is_last);
  /// Stacks of ended processes that stay keys of their own: code that no file has, or more files than are kept. Since
  /// the last call.
  uint64_t take_kept() { return std::exchange(nr_kept_, 0); }

 private:
  bool is_wanted(const ValuePlan &value, std::span<const std::byte> key);
  bool has_ended(pid_t pid);

  StackSharing sharing_;
  std::unordered_set<pid_t> noted_;
  std::unordered_map<pid_t, bool> ended_;     // in this drain
  std::unordered_set<uint64_t> unshareable_;  // programs of processes: a stack of theirs could not become one of files
  std::vector<uint64_t> words_;               // of a key's stack
  uint64_t nr_kept_ = 0;
};

}  // namespace dtrace::runtime
