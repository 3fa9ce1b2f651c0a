// SPDX-License-Identifier: Apache-2.0
#include "runtime/consume/aggregation_table.h"

#include <algorithm>
#include <cstring>
#include <string_view>

#include "frontend/lang/aggregating.h"
#include "runtime/load/memory_left.h"

namespace dtrace::runtime {
namespace {

constexpr size_t kFirstSlots = 64;
constexpr uint64_t kSpareBytes = 16 << 20;    // for everything else
constexpr uint64_t kPrintedEntryBytes = 300;  // of an entry, while the table is printed

size_t hash(std::span<const std::byte> key) {
  return std::hash<std::string_view>{}({reinterpret_cast<const char *>(key.data()), key.size()});
}

}  // namespace

AggregationTable::AggregationTable(Builtin function, uint32_t key_bytes, uint32_t value_words, unsigned nr_cpus,
                                   bool per_cpu)
    : function_(function),
      key_bytes_(key_bytes),
      stride_bytes_((key_bytes + 7) & ~7u),
      value_words_(value_words),
      nr_cpus_(nr_cpus),
      per_cpu_(per_cpu) {}

void AggregationTable::rehash(size_t slots) {
  slots_.assign(slots, 0);
  for (size_t entry = 0; entry < nr_entries_; ++entry) {
    size_t slot = hash(key(entry)) & (slots - 1);
    while (slots_[slot] != 0) slot = (slot + 1) & (slots - 1);
    slots_[slot] = static_cast<uint32_t>(entry) + 1;
  }
}

bool AggregationTable::may_grow() {
  if (nr_entries_ < next_check_) return true;
  // Below kFirstCheck, it counts what was refused since memory was asked for, which reads files: that is not done for
  // each.
  if (next_check_ < kFirstCheck) {
    ++next_check_;
    return false;
  }
  // To grow is to copy, and to print is to sort and decode: that must fit beside the table.
  const uint64_t table_bytes = keys_.capacity() + (words_.capacity() + cpu_words_.capacity()) * 8 + slots_.size() * 4;
  if (memory_left() < kSpareBytes + 3 * table_bytes + nr_entries_ * kPrintedEntryBytes) {
    next_check_ = 1;
    return false;
  }
  next_check_ = nr_entries_ + kFirstCheck;
  return true;
}

std::optional<size_t> AggregationTable::find_or_insert(std::span<const std::byte> wanted) {
  if (slots_.empty()) rehash(kFirstSlots);
  size_t slot = hash(wanted) & (slots_.size() - 1);
  while (slots_[slot] != 0) {
    size_t entry = slots_[slot] - 1;
    // Without keys there is one entry, and no bytes to compare.
    if (key_bytes_ == 0 || std::memcmp(key(entry).data(), wanted.data(), key_bytes_) == 0) return entry;
    slot = (slot + 1) & (slots_.size() - 1);
  }
  if (!may_grow()) return std::nullopt;
  if ((nr_entries_ + 1) * 2 > slots_.size()) {
    rehash(slots_.size() * 2);
    for (slot = hash(wanted) & (slots_.size() - 1); slots_[slot] != 0;) slot = (slot + 1) & (slots_.size() - 1);
  }
  slots_[slot] = static_cast<uint32_t>(++nr_entries_);
  keys_.insert(keys_.end(), wanted.begin(), wanted.end());
  keys_.resize(nr_entries_ * stride_bytes_);
  words_.resize(nr_entries_ * value_words_);
  if (per_cpu_) cpu_words_.resize(nr_entries_ * nr_cpus_ * value_words_);
  return nr_entries_ - 1;
}

bool AggregationTable::add(std::span<const std::byte> wanted, std::span<const uint64_t> words, unsigned cpu) {
  const std::optional<size_t> found = find_or_insert(wanted);
  if (!found) return false;
  const size_t entry = *found;
  merge_words(function_, {words_.data() + entry * value_words_, value_words_}, words);
  if (per_cpu_)
    merge_words(function_, {cpu_words_.data() + (entry * nr_cpus_ + cpu) * value_words_, value_words_}, words);
  return true;
}

void AggregationTable::zero() {
  std::fill(words_.begin(), words_.end(), 0);
  std::fill(cpu_words_.begin(), cpu_words_.end(), 0);
}

void AggregationTable::zero(size_t entry) {
  std::fill_n(words_.begin() + static_cast<ptrdiff_t>(entry * value_words_), value_words_, 0);
  if (!per_cpu_) return;
  const size_t of_entry = nr_cpus_ * size_t{value_words_};
  std::fill_n(cpu_words_.begin() + static_cast<ptrdiff_t>(entry * of_entry), of_entry, 0);
}

void AggregationTable::retain(std::span<const uint32_t> keep) {
  AggregationTable kept(function_, key_bytes_, value_words_, nr_cpus_, per_cpu_);
  kept.next_check_ = SIZE_MAX;  // it replaces a larger table
  for (uint32_t entry : keep) {
    const size_t copy = *kept.find_or_insert(key(entry));
    std::ranges::copy(words(entry), kept.words_.begin() + static_cast<ptrdiff_t>(copy * value_words_));
    if (per_cpu_)
      std::ranges::copy(std::span(cpu_words_).subspan(entry * nr_cpus_ * value_words_, nr_cpus_ * value_words_),
                        kept.cpu_words_.begin() + static_cast<ptrdiff_t>(copy * nr_cpus_ * value_words_));
  }
  kept.next_check_ = kept.nr_entries_ + kFirstCheck;
  *this = std::move(kept);
}

}  // namespace dtrace::runtime
