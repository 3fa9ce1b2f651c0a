// SPDX-License-Identifier: Apache-2.0
#include "runtime/kernel/c_type_text.h"

#include <array>
#include <cctype>
#include <string>
#include <vector>

namespace dtrace::runtime {
namespace {

struct Words {
  std::vector<std::string_view> words;
  int pointers = 0;
};

Words split(std::string_view text) {
  Words out;
  for (size_t i = 0; i < text.size();) {
    auto c = static_cast<unsigned char>(text[i]);
    if (c == '*') {
      ++out.pointers;
      ++i;
    } else if (std::isalnum(c) || c == '_') {
      size_t begin = i;
      while (i < text.size() && (std::isalnum(static_cast<unsigned char>(text[i])) || text[i] == '_')) ++i;
      out.words.push_back(text.substr(begin, i - begin));
    } else {
      ++i;
    }
  }
  return out;
}

/// Integer types by their words, any order: counts of each keyword decide.
TypeId integer_of(const std::vector<std::string_view> &words, TypeTable &types) {
  int longs = 0, shorts = 0, chars = 0, unsigneds = 0, signeds = 0, ints = 0;
  const std::array<std::pair<std::string_view, int *>, 6> counters{{{"long", &longs},
                                                                    {"short", &shorts},
                                                                    {"char", &chars},
                                                                    {"unsigned", &unsigneds},
                                                                    {"signed", &signeds},
                                                                    {"int", &ints}}};
  for (std::string_view word : words) {
    bool known = false;
    for (auto &[name, count] : counters)
      if (word == name) {
        ++*count;
        known = true;
      }
    if (!known) return kPoison;
  }
  if (chars > 0 && unsigneds + signeds == 0) return types.char_type();
  if (longs > 1) return types.long_long(unsigneds == 0);
  return types.integer(chars > 0 ? 1 : shorts > 0 ? 2 : longs > 0 ? 8 : 4, unsigneds == 0);
}

}  // namespace

TypeId type_of_declaration(std::string_view declaration, TypeTable &types, Space space) {
  Words parsed = split(declaration.substr(0, declaration.find('[')));
  uint8_t qualifiers = 0;
  std::vector<std::string_view> words;
  for (std::string_view word : parsed.words) {
    if (word == "const")
      qualifiers |= kConst;
    else if (word == "volatile")
      qualifiers |= kVolatile;
    else if (word != "__user" && word != "__restrict")
      words.push_back(word);
  }
  if (words.size() > 1) words.pop_back();  // the declared name
  TypeId base;
  const bool tagged = words.size() == 2 && (words[0] == "struct" || words[0] == "union" || words[0] == "enum");
  if (tagged) {
    TagKind kind = words[0] == "struct" ? TagKind::kStruct : words[0] == "union" ? TagKind::kUnion : TagKind::kEnum;
    base = types.find(kind, words[1]).value_or(types.void_type());
  } else if (words.size() == 1 && words[0] == "void") {
    base = types.void_type();
  } else if (TypeId integer = integer_of(words, types)) {
    base = integer;
  } else if (words.size() == 1) {
    base = types.find(TagKind::kOrdinary, words[0]).value_or(types.ulong_type());
  } else {
    base = types.ulong_type();
  }
  if (parsed.pointers == 0) return types.is_void(base) ? types.ulong_type() : base;
  if (qualifiers != 0) base = types.qualified(base, qualifiers);
  for (int i = 0; i < parsed.pointers; ++i) base = types.pointer_to(base, space);
  return base;
}

std::string_view name_of_declaration(std::string_view declaration) {
  declaration = declaration.substr(0, declaration.find('['));
  declaration = declaration.substr(0, declaration.find_last_not_of(' ') + 1);
  return declaration.substr(declaration.find_last_of(" *") + 1);
}

}  // namespace dtrace::runtime
