// SPDX-License-Identifier: Apache-2.0
#include "command_line/quoted_words.h"

#include <algorithm>
#include <cctype>
#include <string_view>

namespace dtrace::command {
namespace {

void append_quoted(std::string &text, std::string_view word) {
  text += '\'';
  for (const char c : word) text += c == '\'' ? "'\\''" : std::string(1, c);
  text += '\'';
}

bool is_plain(std::string_view word) {
  static constexpr std::string_view kPlain = "_-./:,=@%+";
  return !word.empty() && std::ranges::all_of(word, [](unsigned char c) {
    return std::isalnum(c) != 0 || kPlain.find(static_cast<char>(c)) != std::string_view::npos;
  });
}

}  // namespace

std::string quoted(std::span<char *const> words) {
  std::string text;
  for (const char *word : words) {
    if (!text.empty()) text += ' ';
    append_quoted(text, word);
  }
  return text;
}

std::string typed_text(std::span<char *const> words) {
  std::string text;
  for (const char *word : words) {
    if (!text.empty()) text += ' ';
    if (is_plain(word))
      text += word;
    else
      append_quoted(text, word);
  }
  return text;
}

}  // namespace dtrace::command
