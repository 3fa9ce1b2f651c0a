// SPDX-License-Identifier: Apache-2.0
#include "runtime/print/coloured_pieces.h"

#include <algorithm>
#include <string_view>

namespace dtrace::runtime {
namespace {

constexpr std::string_view kKey = "\033[36m", kBar = "\033[32m", kPlain = "\033[39m";

/// Without the blanks around them, line by line: a stack has a line for each frame.
void append_key(std::string &out, std::string_view text) {
  while (!text.empty()) {
    const size_t end = std::min(text.find('\n'), text.size());
    const std::string_view line = text.substr(0, end);
    const size_t first = line.find_first_not_of(' ');
    if (first == std::string_view::npos) {
      out += line;
    } else {
      const size_t last = line.find_last_not_of(' ');
      out.append(line.substr(0, first)).append(kKey).append(line.substr(first, last + 1 - first)).append(kPlain);
      out += line.substr(last + 1);
    }
    if (end < text.size()) out += '\n';
    text.remove_prefix(std::min(end + 1, text.size()));
  }
}

/// Of '@' or of blocks, U+2580 to U+259F: what bars are made of.
size_t bar_bytes(std::string_view text) {
  if (text.starts_with('@')) return 1;
  if (text.size() < 3 || text[0] != '\xe2' || text[1] != '\x96') return 0;
  return static_cast<unsigned char>(text[2]) < 0xa0 ? 3 : 0;
}

void append_bars(std::string &out, std::string_view text) {
  while (!text.empty()) {
    size_t bar = 0;
    while (const size_t bytes = bar_bytes(text.substr(bar))) bar += bytes;
    if (bar != 0) {
      out.append(kBar).append(text.substr(0, bar)).append(kPlain);
      text.remove_prefix(bar);
      continue;
    }
    out += text.front();
    text.remove_prefix(1);
  }
}

}  // namespace

void ColouredPieces::end(const Piece &piece) {
  std::string &text = output_.text();
  const bool is_key = (piece.flags & Piece::kKey) != 0;
  if (is_coloured_ && (is_key || piece.has_bars) && begin_ < text.size()) {
    const std::string plain = text.substr(begin_);
    text.resize(begin_);
    is_key ? append_key(text, plain) : append_bars(text, plain);
  }
  begin_ = text.size();
}

void ColouredPieces::row_done() {
  output_.row_done();
  begin_ = output_.text().size();
}

}  // namespace dtrace::runtime
