// SPDX-License-Identifier: Apache-2.0
// Rows of one size, in blocks: the array grows without a copy of what it has, so growing takes no memory beside it.
#pragma once

#include <algorithm>
#include <bit>
#include <cstddef>
#include <memory>
#include <span>
#include <utility>
#include <vector>

namespace dtrace::runtime {

template <typename T>
class RowArray {
 public:
  /// `row_items`: items of a row; may be 0.
  explicit RowArray(size_t row_items)
      : row_items_(row_items),
        shift_(static_cast<unsigned>(std::countr_zero(std::bit_floor(
            std::clamp(kBlockBytes / std::max<size_t>(row_items * sizeof(T), 1), size_t{1}, kMaxBlockRows))))) {}

  /// Row `index`, below size().
  T *operator[](size_t index) { return const_cast<T *>(std::as_const(*this)[index]); }
  const T *operator[](size_t index) const {
    if (row_items_ == 0) return nullptr;
    return blocks_[index >> shift_].get() + (index & ((size_t{1} << shift_) - 1)) * row_items_;
  }
  std::span<T> row(size_t index) { return {(*this)[index], row_items_}; }
  std::span<const T> row(size_t index) const { return {(*this)[index], row_items_}; }

  size_t size() const { return size_; }
  /// Adds a row of zeros.
  void add() {
    if (row_items_ != 0 && size_ >> shift_ == blocks_.size())
      blocks_.push_back(std::make_unique<T[]>(row_items_ << shift_));
    else if (row_items_ != 0)
      std::fill_n(blocks_[size_ >> shift_].get() + (size_ & ((size_t{1} << shift_) - 1)) * row_items_, row_items_, T{});
    ++size_;
  }
  /// Rows from `size` on are removed.
  void cut(size_t size) {
    size_ = std::min(size, size_);
    if (row_items_ != 0) blocks_.resize((size_ + (size_t{1} << shift_) - 1) >> shift_);
  }

 private:
  static constexpr size_t kBlockBytes = 64 << 10, kMaxBlockRows = 1024;

  size_t row_items_;
  unsigned shift_;  // rows of a block: 1 << shift_
  size_t size_ = 0;
  std::vector<std::unique_ptr<T[]>> blocks_;
};

}  // namespace dtrace::runtime
