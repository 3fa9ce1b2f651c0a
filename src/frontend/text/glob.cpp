// SPDX-License-Identifier: Apache-2.0
// Only the last `*` is ever retried: an earlier one that matched as little as possible can lose nothing by it.
#include "frontend/text/glob.h"

namespace dtrace {

namespace {

/// The index of the `]` that closes the class opened at `open`, npos if there is none. A `]` that comes first is a
/// member.
size_t class_end(std::string_view pattern, size_t open) {
  size_t at = open + 1;
  if (at < pattern.size() && pattern[at] == '!') ++at;
  for (bool first = true; at < pattern.size(); ++at, first = false) {
    if (pattern[at] == ']' && !first) return at;
    if (pattern[at] == '\\') ++at;
  }
  return std::string_view::npos;
}

/// Is `c` in the class whose text between the brackets is `body`?
bool in_class(std::string_view body, unsigned char c) {
  bool negated = !body.empty() && body[0] == '!';
  bool found = false;
  size_t at = negated ? 1 : 0;
  auto take = [&] {
    if (body[at] == '\\' && at + 1 < body.size()) ++at;
    return static_cast<unsigned char>(body[at++]);
  };
  while (at < body.size()) {
    unsigned char low = take();
    unsigned char high = low;
    if (at + 1 < body.size() && body[at] == '-') {
      ++at;
      high = take();
    }
    found |= low <= c && c <= high;
  }
  return found != negated;
}

/// Matches one character of text against the pattern element at `p`, which is not `*`; moves `p` past the element.
bool match_one(std::string_view pattern, size_t &p, char c) {
  switch (pattern[p]) {
    case '?':
      ++p;
      return true;
    case '[': {
      size_t end = class_end(pattern, p);
      if (end == std::string_view::npos) break;
      std::string_view body = pattern.substr(p + 1, end - p - 1);
      p = end + 1;
      return in_class(body, static_cast<unsigned char>(c));
    }
    case '\\':
      if (p + 1 < pattern.size()) ++p;
      break;
    default:
      break;
  }
  return pattern[p++] == c;
}

}  // namespace

bool is_glob(std::string_view pattern) { return pattern.find_first_of("*?[\\") != std::string_view::npos; }

bool glob_match(std::string_view pattern, std::string_view text) {
  size_t p = 0;
  size_t t = 0;
  size_t star = std::string_view::npos;  // pattern position after the last `*`
  size_t star_text = 0;                  // where the text after that star's match begins
  while (t < text.size()) {
    if (p < pattern.size() && pattern[p] == '*') {
      star = ++p;
      star_text = t;
      continue;
    }
    size_t next = p;
    if (p < pattern.size() && match_one(pattern, next, text[t])) {
      p = next;
      ++t;
      continue;
    }
    if (star == std::string_view::npos) return false;
    p = star;
    t = ++star_text;
  }
  while (p < pattern.size() && pattern[p] == '*') ++p;
  return p == pattern.size();
}

}  // namespace dtrace
