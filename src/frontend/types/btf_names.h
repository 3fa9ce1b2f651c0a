// SPDX-License-Identifier: Apache-2.0
// Hash table from names to numbers for BtfIndex: open addressing, no copies of names. It stores hashes only, so the
// caller confirms each candidate; entries of equal hash are offered in the order they were added, which is what makes
// "first type of that name" true.
#pragma once

#include <cassert>
#include <cstdint>
#include <cstring>
#include <memory>
#include <optional>
#include <string_view>

namespace dtrace {

class BtfNameTable {
 public:
  bool built() const { return slots_ != nullptr; }

  /// Makes room for exactly `count` calls of add().
  void reserve(uint32_t count) {
    uint64_t slots = 16;
    while (slots * 2 < uint64_t{count} * 3) slots *= 2;  // at most two thirds full
    mask_ = slots - 1;
    slots_ = std::make_unique<Slot[]>(slots);
  }

  /// Namesakes beyond kMaxNamesakes are forgotten: no kernel has so many, and a blob made of them would cost their
  /// square.
  void add(std::string_view name, uint32_t value) {
    const uint64_t hash = hash_of(name);
    uint64_t at = hash & mask_;
    for (uint32_t same = 0; slots_[at].value_plus_one != 0; at = (at + 1) & mask_) {
      if (slots_[at].tag == tag_of(hash) && ++same == kMaxNamesakes) return;
    }
    slots_[at] = {tag_of(hash), value + 1};
  }

  /// First value added under `name`'s hash that `confirm` accepts.
  template <typename Confirm>
  std::optional<uint32_t> find(std::string_view name, Confirm confirm) const {
    const uint64_t hash = hash_of(name);
    for (uint64_t at = hash & mask_; slots_[at].value_plus_one != 0; at = (at + 1) & mask_) {
      const uint32_t value = slots_[at].value_plus_one - 1;
      if (slots_[at].tag == tag_of(hash) && confirm(value)) return value;
    }
    return std::nullopt;
  }

 private:
  static constexpr uint32_t kMaxNamesakes = 64;

  struct Slot {
    uint32_t tag = 0;
    uint32_t value_plus_one = 0;  // 0: free
  };

  static uint32_t tag_of(uint64_t hash) { return static_cast<uint32_t>(hash >> 32); }

  static uint64_t hash_of(std::string_view name) {
    constexpr uint64_t kMultiplier = 0x9e3779b97f4a7c15;
    uint64_t hash = name.size();
    const char *at = name.data();
    size_t left = name.size();
    for (; left >= 8; left -= 8, at += 8) hash = mix((hash ^ word(at, 8)) * kMultiplier);
    if (left > 0) hash = mix((hash ^ word(at, left)) * kMultiplier);
    return hash;
  }
  static uint64_t mix(uint64_t hash) { return hash ^ (hash >> 29); }
  static uint64_t word(const char *at, size_t len_bytes) {
    uint64_t value = 0;
    std::memcpy(&value, at, len_bytes);
    return value;
  }

  std::unique_ptr<Slot[]> slots_;
  uint64_t mask_ = 0;
};

}  // namespace dtrace
