// SPDX-License-Identifier: Apache-2.0
#include "runtime/usdt/argument_type.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <string>
#include <vector>

namespace dtrace::runtime {
namespace {

constexpr unsigned kMaxPointers = 8;
constexpr uint64_t kDoubleBytes = 8;

/// A declared type, taken apart: its words without qualifiers, and how often it is pointed to.
struct Parts {
  std::vector<std::string> words;
  unsigned pointers = 0;
  bool is_function = false;
};

Parts parts_of(std::string_view text) {
  Parts parts;
  if (text.find('(') != std::string_view::npos) {
    parts.is_function = true;  // a pointer to a function: D cannot call it
    return parts;
  }
  std::string word;
  const auto end_word = [&] {
    constexpr std::string_view kIgnored[] = {"const", "volatile", "restrict", "__restrict", "register", "userland"};
    if (!word.empty() && std::find(std::begin(kIgnored), std::end(kIgnored), word) == std::end(kIgnored))
      parts.words.push_back(word);
    word.clear();
  };
  bool in_brackets = false;
  for (const char c : text) {
    if (in_brackets) {
      in_brackets = c != ']';
    } else if (c == '*' || c == '&' || c == '[') {
      end_word();
      parts.pointers += parts.pointers < kMaxPointers ? 1 : 0;
      in_brackets = c == '[';
    } else if (c == ' ' || c == '\t') {
      end_word();
    } else {
      word += c;
    }
  }
  end_word();
  return parts;
}

/// "unsigned long int" in any order; nothing if a word is none of C's.
std::optional<TypeId> c_integer(const std::vector<std::string> &words, TypeTable &types) {
  unsigned longs = 0;
  bool is_unsigned = false, is_signed = false, is_char = false, is_short = false, is_int = false, is_double = false,
       is_float = false;
  for (const std::string &word : words) {
    if (word == "long")
      ++longs;
    else if (word == "unsigned")
      is_unsigned = true;
    else if (word == "signed")
      is_signed = true;
    else if (word == "char")
      is_char = true;
    else if (word == "short")
      is_short = true;
    else if (word == "int")
      is_int = true;
    else if (word == "double")
      is_double = true;
    else if (word == "float")
      is_float = true;
    else
      return std::nullopt;
  }
  if (is_float) return types.floating(4);
  if (is_double) return types.floating(8);
  if (is_char) return !is_unsigned && !is_signed ? types.char_type() : types.integer(1, !is_unsigned);
  if (is_short) return types.integer(2, !is_unsigned);
  if (longs > 1) return types.long_long(!is_unsigned);
  if (longs == 1) return types.integer(8, !is_unsigned);
  if (is_int || is_unsigned || is_signed) return types.integer(4, !is_unsigned);
  return std::nullopt;
}

std::optional<TypeId> base_type(const std::vector<std::string> &words, TypeTable &types) {
  if (words.empty()) return std::nullopt;
  if (std::optional<TypeId> integer = c_integer(words, types)) return integer;
  constexpr std::pair<std::string_view, TagKind> kTags[] = {
      {"struct", TagKind::kStruct}, {"union", TagKind::kUnion}, {"enum", TagKind::kEnum}};
  for (const auto &[word, kind] : kTags)
    if (words.size() == 2 && words[0] == word) return types.find(kind, words[1]);
  if (words.size() != 1) return std::nullopt;
  if (words[0] == "void") return types.void_type();
  if (words[0] == "bool" || words[0] == "_Bool") return types.bool_type();
  return types.find(TagKind::kOrdinary, words[0]);
}

}  // namespace

TypeId operand_type(const UserOperand &operand, TypeTable &types) {
  if (operand.is_float) return types.floating(kDoubleBytes);
  const std::string name = fmt::format("{}int{}_t", operand.is_signed ? "" : "u", operand.size_bytes * 8);
  return types.find(TagKind::kOrdinary, name).value_or(types.integer(operand.size_bytes, operand.is_signed));
}

TypeId declared_type(std::string_view text, const UserOperand &operand, Space space, TypeTable &types) {
  Parts parts = parts_of(text);
  if (parts.is_function) return types.pointer_to(types.void_type(), space);
  if (parts.words.size() == 1 && parts.words[0] == "string") {  // a string of the program is where it points
    parts.words[0] = "char";
    ++parts.pointers;
  }
  std::optional<TypeId> type = base_type(parts.words, types);
  if (!type && parts.pointers == 0) return operand_type(operand, types);
  if (parts.pointers == 0 && (operand.is_float || types.resolved(*type).kind == TypeKind::kFloat))
    return types.floating(kDoubleBytes);
  TypeId result = type.value_or(types.void_type());
  for (unsigned i = 0; i < parts.pointers; ++i) result = types.pointer_to(result, space);
  return result;
}

bool is_floating_type(std::string_view text) {
  const Parts parts = parts_of(text);
  return parts.pointers == 0 &&
         std::ranges::any_of(parts.words, [](const std::string &word) { return word == "float" || word == "double"; });
}

std::string pointed_name(std::string_view text) {
  const Parts parts = parts_of(text);
  const bool is_tagged = parts.words.size() == 2 && (parts.words[0] == "struct" || parts.words[0] == "union");
  if (is_tagged) return parts.words[0] + ' ' + parts.words[1];
  return parts.words.size() == 1 && !parts.is_function ? parts.words[0] : std::string();
}

bool is_known_type(std::string_view text, TypeTable &types) {
  const Parts parts = parts_of(text);
  return parts.is_function || base_type(parts.words, types).has_value();
}

}  // namespace dtrace::runtime
