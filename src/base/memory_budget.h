// SPDX-License-Identifier: Apache-2.0
// One budget of memory for all parts that grow: tables, symbols, debug information, rules of stacks.
//
// The budget is what the kernel reports as left, read before each large step. A sum of what the parts have taken would
// be too small: the kernel also charges a control group for BPF maps, page tables and its other processes.
#pragma once

#include <cstdint>
#include <functional>
#include <utility>
#include <vector>

#include "base/memory_left.h"

namespace dtrace {

/// What stays for the process itself: stacks, output, the caches of malloc(), and what the kernel counts late.
inline constexpr uint64_t kSpareMemoryBytes = 6 << 20;

/// What stays to print what was kept: symbols and debug information of a file at a time, and the output.
inline constexpr uint64_t kPrintingMemoryBytes = kSpareMemoryBytes + (6 << 20);

class MemoryBudget {
 public:
  using Left = std::function<uint64_t()>;
  /// Gives up at least so many bytes of a cache, or all that it has. Out: how many; 0: it has none.
  using GiveUp = std::function<uint64_t(uint64_t bytes)>;

  explicit MemoryBudget(Left left = memory_left) : left_(std::move(left)) {}

  /// A cache, which gives way before anybody is refused; those that were added first, first.
  void add_cache(GiveUp give_up) { caches_.push_back(std::move(give_up)); }

  uint64_t left() const { return left_(); }
  /// After much was freed: memory that malloc() keeps goes back to the kernel, if little is left.
  void return_free();
  /// May so many bytes be taken, and `spare_bytes` are left after that? Caches give way first. Reads a handful of
  /// files: to be asked before large steps only.
  bool admits(uint64_t bytes, uint64_t spare_bytes = kSpareMemoryBytes);

 private:
  Left left_;
  std::vector<GiveUp> caches_;
};

}  // namespace dtrace
