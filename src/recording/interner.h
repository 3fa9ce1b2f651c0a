// SPDX-License-Identifier: Apache-2.0
// Gives each distinct key of a block a number from 0. Emptying it costs nothing, so that one serves all blocks.
#pragma once

#include <cstdint>
#include <utility>
#include <vector>

namespace dtrace::recording {

template <typename Key, typename Hash>
class Interner {
 public:
  void clear() {
    size_ = 0;
    if (++generation_ == 0) {
      slots_.assign(slots_.size(), Slot{});
      generation_ = 1;
    }
  }

  uint32_t size() const { return size_; }

  /// The key's number, and whether it is new.
  std::pair<uint32_t, bool> number_of(const Key &key) {
    if (2 * (size_t{size_} + 1) > slots_.size()) grow();
    Slot &slot = find(key);
    if (slot.generation == generation_) return {slot.number, false};
    slot = {key, size_, generation_};
    return {size_++, true};
  }

 private:
  struct Slot {
    Key key{};
    uint32_t number = 0;
    uint32_t generation = 0;
  };

  /// The key's slot, or the free one that it gets.
  Slot &find(const Key &key) {
    const size_t mask = slots_.size() - 1;
    size_t i = Hash()(key) & mask;
    while (slots_[i].generation == generation_ && slots_[i].key != key) i = (i + 1) & mask;
    return slots_[i];
  }

  void grow() {
    std::vector<Slot> old(slots_.empty() ? 64 : 2 * slots_.size());
    std::swap(old, slots_);
    for (const Slot &slot : old)
      if (slot.generation == generation_) find(slot.key) = slot;
  }

  std::vector<Slot> slots_;  // a power of two of them
  uint32_t size_ = 0;
  uint32_t generation_ = 1;
};

}  // namespace dtrace::recording
