// SPDX-License-Identifier: Apache-2.0
// Numbers of variable length as protocol buffers have them: seven bits a byte, the lowest first.
#pragma once

#include <cstdint>
#include <string>

namespace dtrace::recording {

constexpr size_t kMaxVarintBytes = 10;

/// Small numbers of either sign become small numbers.
constexpr uint64_t zigzag(uint64_t value) { return (value << 1) ^ (0 - (value >> 63)); }
constexpr uint64_t from_zigzag(uint64_t value) { return (value >> 1) ^ (0 - (value & 1)); }

/// Writes at most kMaxVarintBytes. Returns the end.
inline char *put_varint(char *to, uint64_t value) {
  for (; value >= 0x80; value >>= 7) *to++ = static_cast<char>(value | 0x80);
  *to++ = static_cast<char>(value);
  return to;
}

inline void append_varint(std::string &to, uint64_t value) {
  if (value < 0x80) return to.push_back(static_cast<char>(value));
  char bytes[kMaxVarintBytes];
  to.append(bytes, put_varint(bytes, value));
}

/// Bytes that are read from the front.
struct Cursor {
  const char *next = nullptr;
  const char *end = nullptr;

  bool is_at_end() const { return next == end; }

  /// False: the bytes end within the number, or it has more than 64 bits.
  bool varint(uint64_t &value) {
    if (next == end) return false;
    uint64_t byte = static_cast<uint8_t>(*next++);
    if (byte < 0x80) {
      value = byte;
      return true;
    }
    uint64_t sum = byte & 0x7f;
    for (unsigned shift = 7; shift < 64; shift += 7) {
      if (next == end) return false;
      byte = static_cast<uint8_t>(*next++);
      sum |= (byte & 0x7f) << shift;
      if (byte < 0x80) {
        value = sum;
        return shift < 63 || byte <= 1;
      }
    }
    return false;
  }
};

}  // namespace dtrace::recording
