// SPDX-License-Identifier: Apache-2.0
// Source: Objects/lnotab_notes.txt (3.9, 3.10) and Objects/locations.md (3.11 and later) of CPython.
#include "runtime/symbols/python_lines.h"

namespace dtrace::runtime {
namespace {

std::optional<uint32_t> as_line(int64_t line) {
  if (line <= 0 || line > INT32_MAX) return std::nullopt;
  return static_cast<uint32_t>(line);
}

uint8_t byte_at(std::span<const std::byte> table, size_t at) { return static_cast<uint8_t>(table[at]); }

/// Pairs: by how much the code's address grows in bytes, and then the line. What lies behind the last one has its line.
std::optional<uint32_t> line_of_pairs(std::span<const std::byte> table, bool is_cut, int64_t line, uint64_t address) {
  uint64_t at = 0;
  for (size_t i = 0; i + 1 < table.size(); i += 2) {
    at += byte_at(table, i);
    if (at > address) return as_line(line);
    line += static_cast<int8_t>(byte_at(table, i + 1));
  }
  return is_cut ? std::nullopt : as_line(line);
}

/// Pairs: of how many bytes of code the range is, and by how much the line grows before it; kNoLine: it has none.
std::optional<uint32_t> line_of_ranges(std::span<const std::byte> table, int64_t line, uint64_t address) {
  constexpr int8_t kNoLine = -128;
  uint64_t end = 0;
  for (size_t i = 0; i + 1 < table.size(); i += 2) {
    end += byte_at(table, i);
    const auto delta = static_cast<int8_t>(byte_at(table, i + 1));
    if (delta != kNoLine) line += delta;
    if (end > address) return delta == kNoLine ? std::nullopt : as_line(line);
  }
  return std::nullopt;
}

/// Entries, whose first byte alone has the highest bit set: the form of what follows, and of how many units of code it
/// tells.
class LocationTable {
 public:
  explicit LocationTable(std::span<const std::byte> table) : table_(table) {}

  std::optional<uint32_t> line(int64_t line, uint64_t position) {
    uint64_t end = 0;
    while (at_ < table_.size()) {
      const uint8_t head = byte_at(table_, at_++);
      if ((head & kEntry) == 0) return std::nullopt;
      const unsigned form = head >> 3 & 15;
      end += (head & 7) + 1U;
      if (form == kLong || form == kNoColumns) {
        const std::optional<int64_t> more = signed_number();
        if (!more) return std::nullopt;
        line += *more;
      }
      if (form >= kOneLine && form < kNoColumns) line += form - kOneLine;
      if (end > position) return form == kNoLocation ? std::nullopt : as_line(line);
      while (at_ < table_.size() && (byte_at(table_, at_) & kEntry) == 0) ++at_;
    }
    return std::nullopt;
  }

 private:
  static constexpr uint8_t kEntry = 0x80;
  static constexpr unsigned kOneLine = 10, kNoColumns = 13, kLong = 14, kNoLocation = 15;

  /// Six bits a byte, the lowest first; the sign is the lowest bit of the whole. Nothing: it does not end in the table.
  std::optional<int64_t> signed_number() {
    uint64_t number = 0;
    for (unsigned shift = 0; at_ < table_.size() && shift < 36; shift += 6) {
      const uint8_t byte = byte_at(table_, at_);
      if ((byte & kEntry) != 0) return std::nullopt;
      ++at_;
      number |= uint64_t{byte & 63U} << shift;
      if ((byte & 64) != 0) continue;
      const auto magnitude = static_cast<int64_t>(number >> 1);
      return (number & 1) != 0 ? -magnitude : magnitude;
    }
    return std::nullopt;
  }

  std::span<const std::byte> table_;
  size_t at_ = 0;
};

}  // namespace

std::optional<uint32_t> python_line(uint32_t version, std::span<const std::byte> table, bool is_cut,
                                    uint32_t first_line, uint32_t position) {
  constexpr uint32_t kRanges = 0x030a, kLocations = 0x030b;
  if (version < kRanges) return line_of_pairs(table, is_cut, first_line, uint64_t{position} * 2);
  if (version < kLocations) return line_of_ranges(table, first_line, uint64_t{position} * 2);
  return LocationTable(table).line(first_line, position);
}

}  // namespace dtrace::runtime
