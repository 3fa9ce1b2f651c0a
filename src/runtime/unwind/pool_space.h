// SPDX-License-Identifier: Apache-2.0
// Allocates bytes of the pool that programs look up (bpf/dt_unwind.h). Pieces are powers of two and lie at
// multiples of their size, so that none smaller than a block lies across two.
#pragma once

#include <cstdint>
#include <optional>
#include <set>
#include <unordered_map>
#include <vector>

namespace dtrace::runtime {

class PoolSpace {
 public:
  static constexpr uint64_t kSmallestPiece = 512;

  /// `size_bytes`: of the pool, a multiple of DT_UNWIND_BLOCK_BYTES. What lies before `first` is never given.
  PoolSpace(uint64_t size_bytes, uint64_t first);

  /// The offset of a piece of at least so many bytes, the lowest there is; nothing: there is none.
  std::optional<uint64_t> take(uint64_t size_bytes);
  /// `place`: as take() gave it.
  void give_back(uint64_t place);

  uint64_t taken_bytes() const { return taken_bytes_; }
  uint64_t size_bytes() const { return size_bytes_; }

 private:
  static unsigned order_of(uint64_t size_bytes);

  uint64_t size_bytes_;
  uint64_t taken_bytes_ = 0;
  std::vector<std::set<uint64_t>> free_;          // by order: offsets of pieces of kSmallestPiece << order
  std::unordered_map<uint64_t, unsigned> taken_;  // by offset: the order
};

}  // namespace dtrace::runtime
