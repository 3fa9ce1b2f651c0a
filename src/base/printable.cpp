// SPDX-License-Identifier: Apache-2.0
#include "base/printable.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <iterator>

namespace dtrace {
namespace {

bool is_plain(char c) { return c >= ' ' && c <= '~'; }

struct CodeRange {
  uint32_t first, last;
};
/// Characters that are not seen, that reorder what is around them, or that break the line. Source: Unicode 15's
/// property Default_Ignorable_Code_Point, its line and paragraph separators, and the annotation characters.
constexpr CodeRange kUnseen[] = {
    {0x00ad, 0x00ad}, {0x034f, 0x034f}, {0x061c, 0x061c},   {0x115f, 0x1160},   {0x17b4, 0x17b5},   {0x180b, 0x180f},
    {0x200b, 0x200f}, {0x2028, 0x202e}, {0x2060, 0x206f},   {0x3164, 0x3164},   {0xfe00, 0xfe0f},   {0xfeff, 0xfeff},
    {0xffa0, 0xffa0}, {0xfff0, 0xfffb}, {0x1bca0, 0x1bca3}, {0x1d173, 0x1d17a}, {0xe0000, 0xe0fff},
};

bool is_unseen(uint32_t code) {
  const auto *const range = std::ranges::lower_bound(kUnseen, code, {}, &CodeRange::last);
  return range != std::end(kUnseen) && range->first <= code;
}

/// Bytes of the character at the start of `text`, 0 if it is a control character, is not seen, or is no valid UTF-8.
size_t character_bytes(std::string_view text) {
  const auto byte = [&](size_t i) -> uint32_t { return i < text.size() ? static_cast<uint8_t>(text[i]) : 0U; };
  const uint32_t first = byte(0);
  if (first < 0x80) return is_plain(text[0]) ? 1 : 0;
  const size_t size = first >= 0xf0 ? 4 : first >= 0xe0 ? 3 : 2;
  uint32_t code = first & (0x7fU >> size);
  for (size_t i = 1; i < size; ++i) {
    if ((byte(i) & 0xc0) != 0x80) return 0;
    code = code << 6 | (byte(i) & 0x3f);
  }
  constexpr uint32_t kLeast[] = {0, 0, 0xa0, 0x800, 0x10000};  // below 0xa0 lie the control characters of C1
  const bool is_surrogate = code >= 0xd800 && code <= 0xdfff;
  return first >= 0xc2 && first <= 0xf4 && code >= kLeast[size] && code <= 0x10ffff && !is_surrogate && !is_unseen(code)
             ? size
             : 0;
}

}  // namespace

bool is_printable(std::string_view text) {
  if (std::all_of(text.begin(), text.end(), is_plain)) return true;
  while (!text.empty()) {
    const size_t size = character_bytes(text);
    if (size == 0) return false;
    text.remove_prefix(size);
  }
  return true;
}

void append_printable(std::string &out, std::string_view text) {
  if (std::all_of(text.begin(), text.end(), is_plain)) {
    out.append(text);
    return;
  }
  while (!text.empty()) {
    const size_t size = character_bytes(text);
    if (size != 0) {
      out.append(text.substr(0, size));
    } else {
      const auto byte = static_cast<uint8_t>(text[0]);
      out += '\\';
      for (const int shift : {6, 3, 0}) out += static_cast<char>('0' + (byte >> shift & 7));
    }
    text.remove_prefix(size == 0 ? 1 : size);
  }
}

std::string printable(std::string_view text) {
  std::string out;
  append_printable(out, text);
  return out;
}

}  // namespace dtrace
