// SPDX-License-Identifier: Apache-2.0
// LEB128, the numbers of variable length in DWARF and call frame information.
#pragma once

#include <cstdint>

namespace dtrace {

/// An unsigned number. `next` returns the next byte, and 0 where there is none: so each number ends. Bits beyond the
/// 64th are dropped.
template <typename NextByte>
uint64_t read_uleb128(NextByte next) {
  uint64_t value = 0;
  for (unsigned shift = 0;; shift += 7) {
    const uint64_t byte = next();
    if (shift < 64) value |= (byte & 0x7f) << shift;
    if ((byte & 0x80) == 0) return value;
  }
}

/// A signed one.
template <typename NextByte>
int64_t read_sleb128(NextByte next) {
  uint64_t value = 0, byte = 0;
  unsigned shift = 0;
  do {
    byte = next();
    if (shift < 64) value |= (byte & 0x7f) << shift;
    shift += 7;
  } while ((byte & 0x80) != 0);
  if (shift < 64 && (byte & 0x40) != 0) value |= ~uint64_t{0} << shift;
  return static_cast<int64_t>(value);
}

}  // namespace dtrace
