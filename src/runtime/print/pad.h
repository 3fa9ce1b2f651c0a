// SPDX-License-Identifier: Apache-2.0
// Appending in columns, with printf(3)'s meaning of a width: never cuts, negative is left-aligned. No locale, no stdio.
#pragma once

#include <fmt/format.h>

#include <cstdint>
#include <string>
#include <string_view>

namespace dtrace::runtime {

/// "%*s".
inline void append_padded(std::string &out, std::string_view text, int width) {
  const size_t columns = width < 0 ? -static_cast<size_t>(width) : static_cast<size_t>(width);
  const size_t blanks = columns > text.size() ? columns - text.size() : 0;
  if (width >= 0) out.append(blanks, ' ');
  out.append(text);
  if (width < 0) out.append(blanks, ' ');
}

/// "%*lld" or "%*llu".
template <typename Int>
void append_number(std::string &out, Int value, int width = 0) {
  const fmt::format_int digits(value);
  append_padded(out, {digits.data(), digits.size()}, width);
}

/// "%*llx".
inline void append_hex(std::string &out, uint64_t value, int width = 0) {
  char digits[16];
  size_t begin = sizeof(digits);
  do {
    digits[--begin] = "0123456789abcdef"[value & 15];
    value >>= 4;
  } while (value != 0);
  append_padded(out, {digits + begin, sizeof(digits) - begin}, width);
}

}  // namespace dtrace::runtime
