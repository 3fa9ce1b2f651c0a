// SPDX-License-Identifier: Apache-2.0
#include "evaluator/text_functions.h"

#include <arpa/inet.h>
#include <fmt/format.h>

#include <algorithm>
#include <bitset>
#include <charconv>
#include <iterator>

namespace dtrace::evaluator {
namespace {

/// Begin and end of the last component of a path; nothing: it has none.
std::optional<std::pair<size_t, size_t>> last_component(std::string_view path) {
  const size_t last = path.find_last_not_of('/');
  if (last == std::string_view::npos) return std::nullopt;
  const size_t slash = path.rfind('/', last);
  return std::pair{slash == std::string_view::npos ? 0 : slash + 1, last + 1};
}

std::string with_letters(std::string_view text, char first, char last) {
  constexpr char kCase = 'a' - 'A';
  std::string changed(text);
  for (char &c : changed)
    if (c >= first && c <= last) c = static_cast<char>(c ^ kCase);
  return changed;
}

}  // namespace

// ---------------------------------------------------------------- paths

std::string base_name(std::string_view path) {
  const auto component = last_component(path);
  if (!component) return path.empty() ? "." : "/";
  return std::string(path.substr(component->first, component->second - component->first));
}

std::string directory_name(std::string_view path) {
  const auto component = last_component(path);
  const std::string_view above = component ? path.substr(0, component->first) : std::string_view();
  const size_t last = above.find_last_not_of('/');
  if (last != std::string_view::npos) return std::string(above.substr(0, last + 1));
  return path.starts_with('/') ? "/" : ".";
}

std::string clean_path(std::string_view path) {
  std::string clean = path.starts_with('/') ? "/" : "";
  size_t nr_named = 0;  // components that a ".." may take back
  while (!path.empty()) {
    const size_t slash = path.find('/');
    const std::string_view component = path.substr(0, slash);
    path.remove_prefix(slash == std::string_view::npos ? path.size() : slash + 1);
    if (component.empty() || component == ".") continue;
    if (component == ".." && nr_named != 0) {
      nr_named--;
      clean.pop_back();  // its slash
      clean.erase(clean.rfind('/') + 1);
      continue;
    }
    if (component == ".." && clean.starts_with('/')) continue;  // the root is its own parent
    if (component != "..") nr_named++;
    clean += component;
    if (slash != std::string_view::npos) clean += '/';
  }
  return clean;
}

// ---------------------------------------------------------------- characters and parts

std::string upper_case(std::string_view text) { return with_letters(text, 'a', 'z'); }
std::string lower_case(std::string_view text) { return with_letters(text, 'A', 'Z'); }

namespace {

std::optional<std::string> from(std::string_view text, size_t position) {
  if (position == std::string_view::npos) return std::nullopt;
  return std::string(text.substr(position));
}

int64_t index_or_none(size_t position) {
  return position == std::string_view::npos ? -1 : static_cast<int64_t>(position);
}

}  // namespace

std::optional<std::string> from_first(std::string_view text, char character) {
  return character == '\0' ? std::string() : from(text, text.find(character));
}

std::optional<std::string> from_last(std::string_view text, char character) {
  return character == '\0' ? std::string() : from(text, text.rfind(character));
}

std::optional<std::string> from_text(std::string_view text, std::string_view wanted) {
  return from(text, text.find(wanted));
}

int64_t first_index(std::string_view text, std::string_view wanted, std::optional<int64_t> start) {
  const auto length = static_cast<int64_t>(text.size());
  const int64_t begin = std::clamp<int64_t>(start.value_or(0), 0, length);
  return index_or_none(text.find(wanted, static_cast<size_t>(begin)));
}

int64_t last_index(std::string_view text, std::string_view wanted, std::optional<int64_t> start) {
  const auto length = static_cast<int64_t>(text.size());
  const int64_t begin = std::min(start.value_or(length), length);
  if (begin < 0) return wanted.empty() ? 0 : -1;
  return index_or_none(text.rfind(wanted, static_cast<size_t>(begin)));
}

std::string part_of(std::string_view text, int64_t index, std::optional<int64_t> count) {
  const auto length = static_cast<int64_t>(text.size());
  int64_t begin = index;
  int64_t wanted = count.value_or(length);
  if (index < 0) {
    begin = index + length;
    if (!count) wanted = static_cast<int64_t>(static_cast<uint64_t>(length) - static_cast<uint64_t>(begin));
    if (begin < 0 && wanted > 0) {
      // Beginning before the text, a part has what of it lies in the text.
      if (static_cast<uint64_t>(wanted) <= -static_cast<uint64_t>(begin)) return {};
      wanted += begin;
      begin = 0;
    }
  }
  if (begin < 0 || begin >= length) return {};
  // A negative count leaves out that many characters at the end.
  if (wanted < 0) wanted = std::max<int64_t>(length - begin + wanted, 0);
  return std::string(text.substr(static_cast<size_t>(begin), static_cast<size_t>(wanted)));
}

// ---------------------------------------------------------------- numbers

std::string number_text(int64_t number, unsigned base) {
  const bool is_negative = base == 10 && number < 0;
  const auto magnitude = is_negative ? -static_cast<uint64_t>(number) : static_cast<uint64_t>(number);
  char digits[64];
  const std::to_chars_result end =
      std::to_chars(std::begin(digits), std::end(digits), magnitude, static_cast<int>(base));
  const std::string_view prefix = is_negative ? "-" : base == 16 ? "0x" : base == 8 && number != 0 ? "0" : "";
  return std::string(prefix).append(digits, end.ptr);
}

namespace {

/// What a digit counts in any base; 36: it is none.
unsigned digit_value(char c) {
  if (c >= '0' && c <= '9') return static_cast<unsigned>(c - '0');
  if (c >= 'a' && c <= 'z') return static_cast<unsigned>(c - 'a') + 10;
  if (c >= 'A' && c <= 'Z') return static_cast<unsigned>(c - 'A') + 10;
  return 36;
}

}  // namespace

int64_t text_number(std::string_view text, unsigned base) {
  text.remove_prefix(std::min(text.find_first_not_of(" \t\n\v\f\r"), text.size()));
  const bool is_negative = text.starts_with('-');
  if (is_negative || text.starts_with('+')) text.remove_prefix(1);
  if (base == 16 && (text.starts_with("0x") || text.starts_with("0X"))) text.remove_prefix(2);
  uint64_t number = 0;
  for (const char c : text) {
    const unsigned digit = digit_value(c);
    if (digit >= base) break;
    number = number * base + digit;
  }
  return static_cast<int64_t>(is_negative ? -number : number);
}

// ---------------------------------------------------------------- JSON

namespace {

/// Follows a path into a JSON text. What is beside the path is skipped without a look at it.
class JsonWalk {
 public:
  JsonWalk(std::string_view text, std::string_view path) : text_(text), path_(path) {}

  std::optional<std::string> find() {
    for (;;) {
      skip_blanks();
      if (ends_word()) return std::nullopt;
      if (path_.empty()) return take();
      const bool went = path_.starts_with('[') ? enter_array() : enter_object();
      if (!went) return std::nullopt;
    }
  }

 private:
  static bool is_blank(char c) { return c == ' ' || c == '\t' || c == '\n' || c == '\r'; }
  bool at_end() const { return position_ >= text_.size(); }
  char here() const { return at_end() ? '\0' : text_[position_]; }
  bool ends_word() const {
    return at_end() || is_blank(here()) || std::string_view(",}]").find(here()) != std::string_view::npos;
  }
  void skip_blanks() {
    while (!at_end() && is_blank(here())) position_++;
  }
  /// Passes `c`, behind blanks; false: something else is there.
  bool pass(char c) {
    skip_blanks();
    if (here() != c || at_end()) return false;
    position_++;
    return true;
  }
  /// Passes the rest of a string and its closing quote; false: it has none.
  bool pass_string() {
    for (; !at_end(); position_++) {
      if (here() == '\\') {
        position_++;
      } else if (here() == '"') {
        position_++;
        return true;
      }
    }
    return false;
  }
  bool pass_nested() {
    size_t depth = 0;
    while (!at_end()) {
      const char c = text_[position_++];
      if (c == '"') {
        if (!pass_string()) return false;
      } else if (c == '{' || c == '[') {
        depth++;
      } else if ((c == '}' || c == ']') && --depth == 0) {
        return true;
      }
    }
    return false;
  }
  void pass_word() {
    while (!ends_word()) position_++;
  }
  bool pass_value() {
    skip_blanks();
    if (at_end() || here() == ']') return false;
    if (here() == '{' || here() == '[') return pass_nested();
    if (here() != '"') {
      pass_word();
      return true;
    }
    position_++;
    return pass_string();
  }
  std::optional<std::string> take() {
    const bool is_string = here() == '"';
    if (is_string) position_++;
    const size_t begin = position_;
    if (is_string) {
      if (!pass_string()) return std::nullopt;
    } else if (here() == '{' || here() == '[') {
      if (!pass_nested()) return std::nullopt;
    } else {
      pass_word();
    }
    return std::string(text_.substr(begin, position_ - begin - (is_string ? 1 : 0)));
  }
  void pass_dot() {
    if (path_.starts_with('.')) path_.remove_prefix(1);
  }
  bool enter_array() {
    if (!pass('[')) return false;
    path_.remove_prefix(1);
    uint64_t wanted = 0;
    while (!path_.empty() && digit_value(path_.front()) < 10) {
      wanted = wanted * 10 + digit_value(path_.front());
      path_.remove_prefix(1);
    }
    if (!path_.empty()) path_.remove_prefix(1);  // the bracket
    pass_dot();
    for (uint64_t index = 0; index < wanted; index++)
      if (!pass_value() || !pass(',')) return false;
    return true;
  }
  bool enter_object() {
    if (!pass('{')) return false;
    for (;;) {
      if (!pass('"')) return false;
      const size_t begin = position_;
      if (!pass_string()) return false;
      const std::string_view key = text_.substr(begin, position_ - 1 - begin);
      if (!pass(':')) return false;
      if (path_.starts_with(key)) {
        const std::string_view rest = path_.substr(key.size());
        if (rest.empty() || rest.starts_with('.') || rest.starts_with('[')) {
          path_ = rest;
          pass_dot();
          return true;
        }
      }
      if (!pass_value() || !pass(',')) return false;
    }
  }

  std::string_view text_, path_;
  size_t position_ = 0;
};

}  // namespace

std::optional<std::string> json_element(std::string_view text, std::string_view path) {
  return JsonWalk(text, path).find();
}

// ---------------------------------------------------------------- addresses

std::string ipv4_text(std::span<const unsigned char, 4> address) { return fmt::format("{}", fmt::join(address, ".")); }

std::string ipv6_text(std::span<const unsigned char, 16> address, bool plain) {
  char text[INET6_ADDRSTRLEN];
  inet_ntop(AF_INET6, address.data(), text, sizeof text);
  const std::string_view whole = text;
  const size_t colon = whole.rfind(':');
  return std::string(plain && whole.find('.') != std::string_view::npos ? whole.substr(colon + 1) : whole);
}

std::string link_text(std::span<const unsigned char> address) { return fmt::format("{:02x}", fmt::join(address, ":")); }

// ---------------------------------------------------------------- tokens

std::optional<std::string> Tokens::next(std::string_view delimiters) {
  if (!text_) return std::nullopt;
  next_ = std::min(text_->find_first_not_of(delimiters, next_), text_->size());
  const size_t end = std::min(text_->find_first_of(delimiters, next_), text_->size());
  std::string token = text_->substr(next_, end - next_);
  next_ = end;  // at the delimiter: the next call may have others
  if (token.empty()) return std::nullopt;
  return token;
}

}  // namespace dtrace::evaluator
