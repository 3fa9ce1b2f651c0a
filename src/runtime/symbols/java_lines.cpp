// SPDX-License-Identifier: Apache-2.0
#include "runtime/symbols/java_lines.h"

namespace dtrace::runtime {
namespace {

/// A list of pairs of bytecode and line, each stored as the difference from the pair before.
class LineTable {
 public:
  LineTable(uint32_t bias, std::span<const std::byte> table) : table_(table), bias_(bias) {}

  uint32_t bytecode = 0, line = 0;

  /// Goes to the next pair. False: there is no other; is_whole says whether the list ended there.
  bool next() {
    constexpr uint8_t kEnd = 0, kLong = 0xff;
    const std::optional<uint8_t> head = byte();
    if (!head) return false;
    if (*head == kEnd) {
      is_whole = true;
      return false;
    }
    if (*head != kLong) {
      bytecode += *head >> 3;
      line += *head & 7U;
      return true;
    }
    const std::optional<uint32_t> code = signed_number(), lines = signed_number();
    if (!code || !lines) return false;
    bytecode += *code;
    line += *lines;
    return true;
  }

  bool is_whole = false;

 private:
  std::optional<uint8_t> byte() {
    if (at_ >= table_.size()) return std::nullopt;
    return static_cast<uint8_t>(table_[at_++]);
  }
  /// Up to five bytes, six bits each, the lowest first; more follow one from 192 on. The lowest bit is the sign.
  std::optional<uint32_t> signed_number() {
    constexpr uint8_t kMore = 192;
    constexpr unsigned kBits = 6, kMaxBytes = 5;
    uint32_t number = 0;
    for (unsigned i = 0; i < kMaxBytes; ++i) {
      const std::optional<uint8_t> part = byte();
      if (!part) return std::nullopt;
      number += (uint32_t{*part} - bias_) << (kBits * i);
      if (*part < kMore) break;
    }
    return (number >> 1) ^ (0U - (number & 1));
  }

  std::span<const std::byte> table_;
  size_t at_ = 0;
  uint32_t bias_;
};

}  // namespace

std::optional<uint32_t> java_line(uint32_t bias, std::span<const std::byte> table, uint32_t bytecode) {
  // Pairs need not be sorted by bytecode.
  std::optional<uint32_t> best;
  uint32_t best_bytecode = 0;
  LineTable pairs(bias, table);
  while (pairs.next()) {
    if (pairs.line > INT32_MAX) return std::nullopt;
    if (pairs.bytecode == bytecode) return pairs.line;
    if (pairs.bytecode > bytecode || (best && pairs.bytecode < best_bytecode)) continue;
    best = pairs.line;
    best_bytecode = pairs.bytecode;
  }
  return pairs.is_whole ? best : std::nullopt;
}

}  // namespace dtrace::runtime
