// SPDX-License-Identifier: Apache-2.0
#include "runtime/unwind/pool_space.h"

#include <algorithm>
#include <bit>

namespace dtrace::runtime {

unsigned PoolSpace::order_of(uint64_t size_bytes) {
  return static_cast<unsigned>(std::countr_zero(std::bit_ceil(std::max(size_bytes, kSmallestPiece)) / kSmallestPiece));
}

PoolSpace::PoolSpace(uint64_t size_bytes, uint64_t first) : size_bytes_(size_bytes) {
  free_.resize(order_of(std::bit_floor(std::max(size_bytes, kSmallestPiece))) + 1);
  // The largest pieces that lie at multiples of their size.
  for (uint64_t place = (first + kSmallestPiece - 1) / kSmallestPiece * kSmallestPiece;
       place + kSmallestPiece <= size_bytes;) {
    unsigned order = 0;
    while (order + 1 < free_.size() && place % (kSmallestPiece << (order + 1)) == 0 &&
           place + (kSmallestPiece << (order + 1)) <= size_bytes)
      ++order;
    free_[order].insert(place);
    place += kSmallestPiece << order;
  }
}

std::optional<uint64_t> PoolSpace::take(uint64_t size_bytes) {
  if (size_bytes > size_bytes_) return std::nullopt;
  const unsigned wanted = order_of(size_bytes);
  unsigned order = wanted;
  while (order < free_.size() && free_[order].empty()) ++order;
  if (order >= free_.size()) return std::nullopt;
  const uint64_t place = *free_[order].begin();
  free_[order].erase(free_[order].begin());
  for (; order > wanted; --order) free_[order - 1].insert(place + (kSmallestPiece << (order - 1)));
  taken_.emplace(place, wanted);
  taken_bytes_ += kSmallestPiece << wanted;
  return place;
}

void PoolSpace::give_back(uint64_t place) {
  const auto found = taken_.find(place);
  if (found == taken_.end()) return;
  unsigned order = found->second;
  taken_.erase(found);
  taken_bytes_ -= kSmallestPiece << order;
  for (; order + 1 < free_.size(); ++order) {
    const uint64_t neighbour = place ^ (kSmallestPiece << order);
    if (free_[order].erase(neighbour) == 0) break;
    place = std::min(place, neighbour);
  }
  free_[order].insert(place);
}

}  // namespace dtrace::runtime
