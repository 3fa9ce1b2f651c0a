// SPDX-License-Identifier: Apache-2.0
#include "runtime/consume/aggregation_table.h"

#include <algorithm>
#include <bit>
#include <cstring>
#include <string_view>

#include "frontend/lang/aggregating.h"

namespace dtrace::runtime {
namespace {

constexpr size_t kFirstSlots = 64;
/// The budget is asked each time that the table has grown by so much: to ask reads files.
constexpr size_t kStepBytes = 512 << 10;
constexpr size_t kMinStepEntries = 64, kMaxStepEntries = 4096;
/// So many keys are refused before it is asked again.
constexpr size_t kRefusals = 4096;
constexpr uint64_t kPrintedEntryBytes = 300;  // of an entry, while the table is printed
/// Bytes of the index for each entry; the old and the new index exist together while the table grows.
constexpr uint64_t kSlotBytes = 4 * sizeof(uint32_t);

size_t hash(std::span<const std::byte> key) {
  return std::hash<std::string_view>{}({reinterpret_cast<const char *>(key.data()), key.size()});
}

size_t step_entries(size_t entry_bytes) {
  return std::clamp(kStepBytes / std::max<size_t>(entry_bytes, 1), kMinStepEntries, kMaxStepEntries);
}

}  // namespace

AggregationTable::AggregationTable(Builtin function, uint32_t key_bytes, uint32_t value_words, unsigned nr_cpus,
                                   bool per_cpu, MemoryBudget *budget)
    : function_(function),
      key_bytes_(key_bytes),
      value_words_(value_words),
      per_cpu_(per_cpu),
      budget_(budget),
      keys_((key_bytes + 7) / 8),
      words_(value_words),
      cpu_words_(per_cpu ? size_t{nr_cpus} * value_words : 0),
      entry_bytes_(8 * ((key_bytes + 7) / 8 + value_words + (per_cpu ? size_t{nr_cpus} * value_words : 0))),
      next_check_(step_entries(entry_bytes_)) {}

void AggregationTable::rehash(size_t slots) {
  slots_.assign(slots, 0);
  for (size_t entry = 0; entry < nr_entries_; ++entry) {
    size_t slot = hash(key(entry)) & (slots - 1);
    while (slots_[slot] != 0) slot = (slot + 1) & (slots - 1);
    slots_[slot] = static_cast<uint32_t>(entry) + 1;
  }
}

bool AggregationTable::may_grow() {
  if (budget_ == nullptr || nr_entries_ < next_check_) return true;
  if (refusals_left_ != 0) {
    --refusals_left_;
    return false;
  }
  // To print is to sort and decode: that must fit beside the table.
  const size_t step = step_entries(entry_bytes_);
  const uint64_t grown = step * (entry_bytes_ + kSlotBytes) + slots_.size() * sizeof(uint32_t);
  const uint64_t printed = (nr_entries_ + step) * kPrintedEntryBytes;
  if (!budget_->admits(grown + printed, kPrintingMemoryBytes)) {
    refusals_left_ = kRefusals;
    return false;
  }
  next_check_ = nr_entries_ + step;
  return true;
}

std::optional<size_t> AggregationTable::find_or_insert(std::span<const std::byte> wanted) {
  if (slots_.empty()) rehash(kFirstSlots);
  size_t slot = hash(wanted) & (slots_.size() - 1);
  while (slots_[slot] != 0) {
    size_t entry = slots_[slot] - 1;
    // Without keys there is one entry, and no bytes to compare.
    if (key_bytes_ == 0 || std::memcmp(keys_[entry], wanted.data(), key_bytes_) == 0) return entry;
    slot = (slot + 1) & (slots_.size() - 1);
  }
  if (!may_grow()) return std::nullopt;
  if ((nr_entries_ + 1) * 2 > slots_.size()) {
    rehash(slots_.size() * 2);
    for (slot = hash(wanted) & (slots_.size() - 1); slots_[slot] != 0;) slot = (slot + 1) & (slots_.size() - 1);
  }
  keys_.add();
  words_.add();
  cpu_words_.add();
  if (key_bytes_ != 0) std::memcpy(keys_[nr_entries_], wanted.data(), key_bytes_);
  slots_[slot] = static_cast<uint32_t>(++nr_entries_);
  return nr_entries_ - 1;
}

bool AggregationTable::add(std::span<const std::byte> wanted, std::span<const uint64_t> words, unsigned cpu) {
  const std::optional<size_t> found = find_or_insert(wanted);
  if (!found) return false;
  merge_words(function_, words_.row(*found), words);
  if (per_cpu_) merge_words(function_, cpu_words_.row(*found).subspan(size_t{cpu} * value_words_, value_words_), words);
  return true;
}

bool AggregationTable::merge_into(size_t entry, std::span<const std::byte> wanted) {
  const std::optional<size_t> found = find_or_insert(wanted);
  if (!found) return false;
  merge_words(function_, words_.row(*found), words(entry));
  for (size_t at = 0; per_cpu_ && at < cpu_words_.row(entry).size(); at += value_words_)
    merge_words(function_, cpu_words_.row(*found).subspan(at, value_words_),
                cpu_words_.row(entry).subspan(at, value_words_));
  return true;
}

void AggregationTable::zero() {
  for (size_t entry = 0; entry < nr_entries_; ++entry) zero(entry);
}

void AggregationTable::zero(size_t entry) {
  std::ranges::fill(words_.row(entry), 0);
  std::ranges::fill(cpu_words_.row(entry), 0);
}

void AggregationTable::retain(std::span<const uint32_t> keep) {
  std::vector<uint32_t> kept(keep.begin(), keep.end());
  std::ranges::sort(kept);
  kept.erase(std::unique(kept.begin(), kept.end()), kept.end());
  for (size_t to = 0; to < kept.size(); ++to) {  // each moves down, or stays
    if (to == kept[to]) continue;
    std::ranges::copy(keys_.row(kept[to]), keys_[to]);
    std::ranges::copy(words_.row(kept[to]), words_[to]);
    std::ranges::copy(cpu_words_.row(kept[to]), cpu_words_[to]);
  }
  nr_entries_ = kept.size();
  keys_.cut(nr_entries_);
  words_.cut(nr_entries_);
  cpu_words_.cut(nr_entries_);
  refusals_left_ = 0;
  next_check_ = nr_entries_ + step_entries(entry_bytes_);
  rehash(std::max(kFirstSlots, std::bit_ceil((nr_entries_ + 1) * 2)));
}

}  // namespace dtrace::runtime
