// SPDX-License-Identifier: Apache-2.0
// Rows of one CPU that are in no block yet: one after another in one buffer, so that a CPU costs little. RowEncoder
// makes columns of them.
//
// A row: varint of 2 * slot + (1 if the thread is another than that of the row before), varint of the zigzag difference
// of times, 8 bytes of the thread if it is another; then for each cell a byte with its kind, and as the kind has it a
// varint, or the varint of a size and bytes, or a byte of the fault and a varint.
#pragma once

#include <algorithm>
#include <cstring>
#include <memory>

#include "recording/model.h"
#include "recording/varint.h"

namespace dtrace::recording {

/// Takes any bytes at its end without a check for each.
class Buffer {
 public:
  size_t size() const { return size_; }
  const char *data() const { return bytes_.get(); }

  /// Where to write at most `max` bytes; used_to() says how many they became.
  char *room_for(size_t max) {
    if (capacity_ - size_ < max) grow(max);
    return bytes_.get() + size_;
  }
  void used_to(const char *end) { size_ = static_cast<size_t>(end - bytes_.get()); }
  void clear() { size_ = 0; }
  void free() { *this = Buffer(); }

 private:
  void grow(size_t max) {
    const size_t capacity = std::max<size_t>({4096, 2 * capacity_, size_ + max});
    auto bytes = std::make_unique_for_overwrite<char[]>(capacity);
    if (size_ != 0) std::memcpy(bytes.get(), bytes_.get(), size_);
    bytes_ = std::move(bytes);
    capacity_ = capacity;
  }

  std::unique_ptr<char[]> bytes_;
  size_t size_ = 0, capacity_ = 0;
};

class PendingRows {
 public:
  /// `slot`: what the encoder knows the row's probe by. False: the row takes more than `limit_bytes`, and is not added.
  bool add(const Row &row, uint32_t slot, size_t limit_bytes) {
    size_t max = 2 * kMaxVarintBytes + sizeof row.thread;
    for (const Cell &cell : row.cells) max += 2 + kMaxVarintBytes + bytes_of(cell).size();
    if (max > limit_bytes) return false;
    char *to = rows_.room_for(max);
    const bool is_other = nr_rows_ == 0 || row.thread != thread_;
    if (nr_rows_ == 0) time_ns_ = start_ns_ = first_ns_ = last_ns_ = row.time_ns;
    to = put_varint(to, uint64_t{slot} << 1 | (is_other ? 1 : 0));
    to = put_varint(to, zigzag(row.time_ns - time_ns_));
    if (is_other) {
      std::memcpy(to, &row.thread, sizeof row.thread);
      to += sizeof row.thread;
    }
    for (const Cell &cell : row.cells) to = put(to, cell);
    rows_.used_to(to);
    thread_ = row.thread;
    time_ns_ = row.time_ns;
    first_ns_ = std::min(first_ns_, row.time_ns);
    last_ns_ = std::max(last_ns_, row.time_ns);
    ++nr_rows_;
    return true;
  }

  void clear() {
    rows_.clear();
    nr_rows_ = 0;
  }
  void free() {
    clear();
    rows_.free();
  }

  uint32_t nr_rows() const { return nr_rows_; }
  size_t size_bytes() const { return rows_.size(); }
  uint64_t first_ns() const { return first_ns_; }  ///< the smallest time
  uint64_t last_ns() const { return last_ns_; }    ///< the greatest

  /// Calls `on_row(slot, time_ns, thread)`, which returns for each cell of such a row where it goes, and
  /// `on_cell(destination, cell)`.
  template <typename OnRow, typename OnCell>
  void for_each(OnRow on_row, OnCell on_cell) const {
    Cursor from{rows_.data(), rows_.data() + rows_.size()};
    uint64_t time_ns = start_ns_, thread = 0;
    while (!from.is_at_end()) {
      const uint64_t head = number(from);
      time_ns += from_zigzag(number(from));
      if ((head & 1) != 0) {
        std::memcpy(&thread, from.next, sizeof thread);
        from.next += sizeof thread;
      }
      for (auto &destination : on_row(static_cast<uint32_t>(head >> 1), time_ns, thread))
        on_cell(destination, get(from));
    }
  }

 private:
  static std::string_view bytes_of(const Cell &cell) {
    return cell.kind == Cell::Kind::kText || cell.kind == Cell::Kind::kBytes ? cell.bytes : std::string_view();
  }

  static char *put(char *to, const Cell &cell) {
    *to++ = static_cast<char>(cell.kind);
    switch (cell.kind) {
      case Cell::Kind::kNothing:
      case Cell::Kind::kNull:
        return to;
      case Cell::Kind::kFault:
        *to++ = static_cast<char>(cell.fault);
        [[fallthrough]];
      case Cell::Kind::kNumber:
        return put_varint(to, cell.number);
      case Cell::Kind::kText:
      case Cell::Kind::kBytes:
        break;
    }
    to = put_varint(to, cell.bytes.size());
    return std::copy(cell.bytes.begin(), cell.bytes.end(), to);
  }

  static uint64_t number(Cursor &from) {
    uint64_t value = 0;
    from.varint(value);  // our own bytes
    return value;
  }

  static Cell get(Cursor &from) {
    Cell cell;
    cell.kind = static_cast<Cell::Kind>(*from.next++);
    switch (cell.kind) {
      case Cell::Kind::kNothing:
      case Cell::Kind::kNull:
        break;
      case Cell::Kind::kFault:
        cell.fault = static_cast<uint8_t>(*from.next++);
        [[fallthrough]];
      case Cell::Kind::kNumber:
        cell.number = number(from);
        break;
      case Cell::Kind::kText:
      case Cell::Kind::kBytes: {
        const uint64_t size = number(from);
        cell.bytes = {from.next, size};
        from.next += size;
        break;
      }
    }
    return cell;
  }

  Buffer rows_;
  uint32_t nr_rows_ = 0;
  uint64_t thread_ = 0, time_ns_ = 0, start_ns_ = 0;  // of the row before; of the first
  uint64_t first_ns_ = 0, last_ns_ = 0;
};

}  // namespace dtrace::recording
