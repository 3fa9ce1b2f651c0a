// SPDX-License-Identifier: Apache-2.0
// Bytes in the order of the file they are for.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <utility>

#include "usdt/note_dtrace.h"

namespace dtrace::usdt {

/// Appends numbers to a buffer, little-endian by default.
class ByteWriter : public NoteSink {
 public:
  explicit ByteWriter(bool big_endian = false) : big_endian_(big_endian) {}

  void u8(uint8_t value) override { data_.push_back(static_cast<char>(value)); }
  void u16(uint16_t value) override { number(value, 2); }
  void u32(uint32_t value) override { number(value, 4); }
  void u64(uint64_t value) { number(value, 8); }
  void string(std::string_view text) override { data_.append(text).push_back('\0'); }
  void bytes(std::string_view raw) override { data_.append(raw); }

  /// Zeros up to a multiple of `alignment`.
  void align(size_t alignment) {
    while (data_.size() % alignment != 0) data_.push_back('\0');
  }
  size_t size() const { return data_.size(); }
  const std::string &data() const { return data_; }
  std::string take() { return std::move(data_); }

 private:
  void number(uint64_t value, unsigned size_bytes) {
    for (unsigned i = 0; i < size_bytes; ++i) {
      const unsigned shift = 8 * (big_endian_ ? size_bytes - 1 - i : i);
      data_.push_back(static_cast<char>(value >> shift & 0xff));
    }
  }

  std::string data_;
  bool big_endian_;
};

}  // namespace dtrace::usdt
