// SPDX-License-Identifier: Apache-2.0
#include "frontend/text/type_name.h"

#include <algorithm>
#include <array>
#include <vector>

namespace dtrace {
namespace {

constexpr size_t kMaxArgumentsBytes = 4096;
constexpr unsigned kMaxBrackets = 64;

bool is_name_blank(char c) { return c == ' ' || c == '\t' || c == '\n'; }
bool is_name_character(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' || c == '$';
}
bool opens_bracket(char c) { return c == '<' || c == '(' || c == '[' || c == '{'; }
bool closes_bracket(char c) { return c == '>' || c == ')' || c == ']' || c == '}'; }

/// "->" is no bracket.
bool is_arrow(std::string_view text, size_t at) { return at > 0 && text[at] == '>' && text[at - 1] == '-'; }

/// Default template arguments, which are left out behind the first argument, and the templates that have them. In
/// argument lists of other templates every argument is kept.
constexpr std::array<std::string_view, 7> kDefaults = {
    "std::allocator<", "std::char_traits<", "std::default_delete<", "std::less<",
    "std::hash<",      "std::equal_to<",    "alloc::alloc::Global"};
constexpr std::array<std::string_view, 24> kWithDefaults = {
    "Arc",           "Box",          "Rc",    "Vec",        "VecDeque",      "basic_string",       "basic_string_view",
    "deque",         "forward_list", "list",  "map",        "multimap",      "multiset",           "priority_queue",
    "queue",         "set",          "stack", "unique_ptr", "unordered_map", "unordered_multimap", "unordered_multiset",
    "unordered_set", "vector",       "RawVec"};

/// A number without its suffix: "3ul" is 3.
std::string_view without_suffix(std::string_view word) {
  const size_t digits = word.find_first_not_of("0123456789");
  const bool is_number = digits != 0 && word.find_first_not_of("uUlL", digits) == std::string_view::npos;
  return is_number ? word.substr(0, digits) : word;
}

bool has_defaults(std::string_view template_name) {
  const std::string_view last = split_type_name(template_name).second;
  return std::ranges::find(kWithDefaults, last) != kWithDefaults.end();
}

bool is_default(std::string_view argument) {
  return std::ranges::any_of(kDefaults, [&](std::string_view text) { return argument.starts_with(text); });
}

/// The words that name an integer, as one spelling: "long unsigned int" is "unsigned long".
class IntegerWords {
 public:
  bool take(std::string_view word) {
    if (word == "long")
      ++longs_;
    else if (word == "short")
      ++shorts_;
    else if (word == "unsigned")
      ++unsigneds_;
    else if (word == "signed")
      ++signeds_;
    else if (word == "int")
      ++ints_;
    else if (word == "char")
      ++chars_;
    else
      return false;
    return true;
  }
  bool any() const { return longs_ + shorts_ + unsigneds_ + signeds_ + ints_ + chars_ != 0; }
  std::string text() {
    std::string out;
    if (chars_ != 0 && signeds_ != 0)
      out = "signed char";
    else {
      if (unsigneds_ != 0) out = "unsigned ";
      if (chars_ != 0)
        out += "char";
      else if (shorts_ != 0)
        out += "short";
      else if (longs_ > 1)
        out += "long long";
      else if (longs_ == 1)
        out += "long";
      else
        out += "int";
    }
    *this = IntegerWords();
    return out;
  }

 private:
  unsigned longs_ = 0, shorts_ = 0, unsigneds_ = 0, signeds_ = 0, ints_ = 0, chars_ = 0;
};

class Canonical {
 public:
  explicit Canonical(std::string_view name) : name_(name) {}

  std::string text() {
    std::string out;
    while (at_ < name_.size()) out += part(0);
    return out;
  }

 private:
  void put(std::string &out, std::string_view text) {
    if (!out.empty() && is_name_character(out.back()) && !text.empty() && is_name_character(text.front())) out += ' ';
    out += text;
  }

  /// Up to a comma or a closing bracket, which are taken by the caller of the list; those of depth 0 belong to the
  /// text.
  std::string part(unsigned depth) {
    std::string out;
    IntegerWords integer;
    const auto settle = [&] {
      if (integer.any()) put(out, integer.text());
    };
    while (at_ < name_.size()) {
      const char c = name_[at_];
      if (is_name_blank(c)) {
        ++at_;
      } else if (is_name_character(c)) {
        const size_t begin = at_;
        while (at_ < name_.size() && is_name_character(name_[at_])) ++at_;
        const std::string_view word = without_suffix(name_.substr(begin, at_ - begin));
        const bool in_scope = begin >= 2 && name_.substr(begin - 2, 2) == "::";
        if (!in_scope && integer.take(word)) continue;
        settle();
        put(out, word);
      } else if (depth > 0 && (c == ',' || closes_bracket(c))) {
        break;
      } else {
        settle();
        ++at_;
        out += c;
        if (opens_bracket(c) && depth < kMaxBrackets) list(out, c, depth);
      }
    }
    settle();
    return out;
  }

  /// What is in brackets, up to and with the closing one.
  void list(std::string &out, char open, unsigned depth) {
    const std::string template_name = out.substr(0, out.size() - 1);
    std::vector<std::string> arguments;
    bool is_closed = false;
    while (at_ < name_.size() && !is_closed) {
      arguments.push_back(part(depth + 1));
      if (at_ == name_.size()) break;
      const char end = name_[at_++];
      is_closed = end != ',';
      if (is_closed) close_ = end;
    }
    if (open == '<' && has_defaults(template_name))
      while (arguments.size() > 1 && is_default(arguments.back())) arguments.pop_back();
    for (size_t i = 0; i < arguments.size(); ++i) {
      if (i != 0) out += ',';
      out += arguments[i];
    }
    if (is_closed) out += close_;
  }

  std::string_view name_;
  size_t at_ = 0;
  char close_ = 0;
};

}  // namespace

std::string canonical_type_name(std::string_view name) {
  if (std::ranges::all_of(name, [](char c) { return is_name_character(c) || c == ':'; }) &&
      name.find("int") == std::string_view::npos && name != "signed" && name != "unsigned")
    return std::string(name);
  return Canonical(name).text();
}

std::pair<std::string_view, std::string_view> split_type_name(std::string_view name) {
  int depth = 0;
  for (size_t i = name.size(); i-- > 0;) {
    if (closes_bracket(name[i]) && !is_arrow(name, i)) ++depth;
    if (opens_bracket(name[i])) --depth;
    if (depth == 0 && i > 0 && name[i] == ':' && name[i - 1] == ':') return {name.substr(0, i - 1), name.substr(i + 1)};
  }
  return {{}, name};
}

bool type_name_matches(std::string_view pattern, std::string_view name) {
  const size_t star = pattern.find('*');
  if (star == std::string_view::npos) return pattern == name;
  if (!name.starts_with(pattern.substr(0, star))) return false;
  const std::string_view rest = pattern.substr(star + 1);
  std::string_view text = name.substr(star);
  int depth = 0;
  for (size_t taken = 0;; ++taken) {
    if (depth == 0 && type_name_matches(rest, text.substr(taken))) return true;
    if (taken == text.size()) return false;
    if (opens_bracket(text[taken])) ++depth;
    if (closes_bracket(text[taken]) && --depth < 0) return false;
  }
}

size_t template_arguments_length(std::string_view text) {
  if (!text.starts_with('<')) return 0;
  int depth = 0;
  for (size_t i = 0; i < std::min(text.size(), kMaxArgumentsBytes); ++i) {
    const char c = text[i];
    if (opens_bracket(c)) {
      ++depth;
    } else if (closes_bracket(c)) {
      if (is_arrow(text, i) || --depth < 0) return 0;
      if (depth != 0) continue;
      if (c != '>') return 0;
      size_t end = i + 1;
      if (!text.substr(end).starts_with("::")) return end;
      for (end += 2; end < text.size() && (is_name_character(text[end]) || text[end] == ':');) ++end;
      return end + template_arguments_length(text.substr(end));
    } else if (!is_name_character(c) && !is_name_blank(c) &&
               std::string_view(":,*&-'.+").find(c) == std::string_view::npos) {
      return 0;
    }
  }
  return 0;
}

}  // namespace dtrace
