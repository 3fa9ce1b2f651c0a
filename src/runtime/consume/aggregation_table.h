// SPDX-License-Identifier: Apache-2.0
// The consumer's table of one aggregation: partial results of all CPUs and banks merged by key. Because every
// aggregating function satisfies f(f(a) u f(b)) = f(a u b), merging in any order gives the true result.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "base/memory_budget.h"
#include "frontend/lang/aggregating.h"
#include "plan/plan.h"
#include "runtime/consume/row_array.h"
#include "runtime/events/aggregation_value.h"

namespace dtrace::runtime {

/// Open-addressing hash table: keys and values lie in two arrays of rows, `key_bytes`, aligned to words, and
/// `value_words` an entry.
class AggregationTable {
 public:
  /// `budget`: asked before the table grows; null: there is memory for all keys. Must outlive the table.
  AggregationTable(Builtin function, uint32_t key_bytes, uint32_t value_words, unsigned nr_cpus, bool per_cpu,
                   MemoryBudget *budget = nullptr);

  /// Adds a partial result of `cpu`. False: there is no memory for a new key.
  bool add(std::span<const std::byte> key, std::span<const uint64_t> words, unsigned cpu);

  size_t size() const { return nr_entries_; }
  std::span<const std::byte> key(size_t entry) const { return std::as_bytes(keys_.row(entry)).first(key_bytes_); }
  std::span<const uint64_t> words(size_t entry) const { return words_.row(entry); }
  /// Words of one CPU; only with per_cpu.
  std::span<const uint64_t> cpu_words(size_t entry, unsigned cpu) const {
    return cpu_words_.row(entry).subspan(size_t{cpu} * value_words_, value_words_);
  }
  bool per_cpu() const { return per_cpu_; }

  /// Adds the values of an entry to those of another key, which may be new. False: there is no memory for a new key.
  bool merge_into(size_t entry, std::span<const std::byte> key);

  /// clear(): zero values, keys stay.
  void zero();
  void zero(size_t entry);
  /// trunc(): keeps the entries whose number is in `keep`.
  void retain(std::span<const uint32_t> keep);

 private:
  std::optional<size_t> find_or_insert(std::span<const std::byte> key);
  /// May the table take more keys, and be printed after that?
  bool may_grow();
  void rehash(size_t slots);

  Builtin function_;
  uint32_t key_bytes_;
  uint32_t value_words_;
  bool per_cpu_;
  MemoryBudget *budget_;
  size_t nr_entries_ = 0;
  RowArray<uint64_t> keys_;  // stacks in them are words
  RowArray<uint64_t> words_;
  RowArray<uint64_t> cpu_words_;  // by CPU
  size_t entry_bytes_;            // of the arrays
  size_t next_check_;             // number of entries at which to ask for the memory that is left
  size_t refusals_left_ = 0;      // keys that are refused before it is asked for again
  std::vector<uint32_t> slots_;   // entry + 1; 0 is free; size is a power of two
};

}  // namespace dtrace::runtime
