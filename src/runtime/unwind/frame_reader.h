// SPDX-License-Identifier: Apache-2.0
// Words of call frame information, read from bytes that somebody else wrote.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>

namespace dtrace::runtime {

/// Reads on from the start of a piece of a section. What is not there reads as 0, and is_whole() is false from then on.
class FrameReader {
 public:
  /// `address`: where the bytes lie in the program, for pointers that are relative to their own address.
  FrameReader(std::span<const std::byte> bytes, uint64_t address) : bytes_(bytes), address_(address) {}

  bool is_whole() const { return is_whole_; }
  bool at_end() const { return at_ == bytes_.size() || !is_whole_; }
  uint64_t address() const { return address_ + at_; }

  uint8_t u8() { return fixed<uint8_t>(); }
  uint16_t u16() { return fixed<uint16_t>(); }
  uint32_t u32() { return fixed<uint32_t>(); }
  uint64_t u64() { return fixed<uint64_t>(); }
  uint64_t uleb();
  int64_t sleb();
  /// A pointer of an encoding of .eh_frame (DW_EH_PE_*); `data_base`: what DW_EH_PE_datarel counts from.
  uint64_t pointer(uint8_t encoding, uint64_t data_base);
  std::span<const std::byte> bytes(uint64_t count);
  void skip(uint64_t count) { (void)bytes(count); }

 private:
  template <typename T>
  T fixed() {
    T value{};
    const std::span<const std::byte> from = bytes(sizeof value);
    if (!from.empty()) std::memcpy(&value, from.data(), sizeof value);
    return value;
  }

  std::span<const std::byte> bytes_;
  size_t at_ = 0;
  uint64_t address_;
  bool is_whole_ = true;
};

}  // namespace dtrace::runtime
