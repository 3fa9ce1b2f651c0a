// SPDX-License-Identifier: Apache-2.0
// Hexadecimal numbers of the kernel's tables, which have hundreds of thousands of them: eight digits at a time.
#pragma once

#include <bit>
#include <charconv>
#include <cstdint>
#include <cstring>
#include <optional>
#include <span>
#include <string>
#include <string_view>

namespace dtrace {

/// Eight digits, "0".."9" and "a".."f"; nothing if one of them is something else.
inline std::optional<uint32_t> eight_digits(const char *text) {
  constexpr uint64_t kEach = 0x0101010101010101;  // times a byte: that byte in each of the eight
  uint64_t characters = 0;
  std::memcpy(&characters, text, sizeof characters);
  if constexpr (std::endian::native == std::endian::little) characters = __builtin_bswap64(characters);
  const uint64_t letters = characters >> 6 & kEach;
  const uint64_t digits = (characters & 0x0f * kEach) + letters * 9;
  // What these digits are written as must be what is there; a number over 15 has carried into the next byte's half.
  const uint64_t over_9 = (digits + 6 * kEach) >> 4 & kEach;
  if (digits + '0' * kEach + over_9 * ('a' - '0' - 10) != characters || (digits & 0xf0 * kEach) != 0)
    return std::nullopt;
  uint64_t value = (digits | digits >> 4) & 0x00ff00ff00ff00ff;
  value = (value | value >> 8) & 0x0000ffff0000ffff;
  return static_cast<uint32_t>(value | value >> 16);
}

/// The whole text as one number, with or without "0x"; nothing if it is none.
inline std::optional<uint64_t> hexadecimal(std::string_view text) {
  if (text.size() == 16) {
    const std::optional<uint32_t> high = eight_digits(text.data()), low = eight_digits(text.data() + 8);
    if (high && low) return uint64_t{*high} << 32 | *low;
  }
  if (text.starts_with("0x")) text.remove_prefix(2);
  uint64_t value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value, 16);
  return error == std::errc() && end == text.data() + text.size() ? std::optional(value) : std::nullopt;
}

/// Two digits a byte.
inline std::string hexadecimal_text(std::span<const uint8_t> bytes) {
  constexpr std::string_view kDigits = "0123456789abcdef";
  std::string text;
  for (const uint8_t byte : bytes) text.append(1, kDigits[byte >> 4]).append(1, kDigits[byte & 15]);
  return text;
}

}  // namespace dtrace
