// SPDX-License-Identifier: Apache-2.0
#include "usdt/declaration.h"

#include <algorithm>
#include <array>
#include <deque>
#include <iterator>

#include "frontend/text/lexer_literal.h"

namespace dtrace::usdt {
namespace {

/// Words of a type: which make a type by themselves (`int`), and which only qualify one (`const`).
struct TypeWord {
  std::string_view word;
  bool is_type;
  std::string_view spelling;  ///< empty: not a part of the type's text
};
constexpr auto kTypeWords = std::to_array<TypeWord>({
    {"_Atomic", false, "_Atomic"},
    {"_Bool", true, "_Bool"},
    {"_Complex", false, "_Complex"},
    {"__const", false, "const"},
    {"__const__", false, "const"},
    {"__extension__", false, ""},
    {"__int128", true, "__int128"},
    {"__restrict", false, "restrict"},
    {"__restrict__", false, "restrict"},
    {"__signed", true, "signed"},
    {"__signed__", true, "signed"},
    {"__volatile", false, "volatile"},
    {"__volatile__", false, "volatile"},
    {"auto", false, ""},
    {"bool", true, "bool"},
    {"char", true, "char"},
    {"const", false, "const"},
    {"double", true, "double"},
    {"extern", false, ""},
    {"float", true, "float"},
    {"int", true, "int"},
    {"long", true, "long"},
    {"register", false, ""},
    {"restrict", false, "restrict"},
    {"short", true, "short"},
    {"signed", true, "signed"},
    {"static", false, ""},
    {"unsigned", true, "unsigned"},
    {"userland", false, "userland"},
    {"void", true, "void"},
    {"volatile", false, "volatile"},
});
static_assert(std::ranges::is_sorted(kTypeWords, {}, &TypeWord::word));

const TypeWord *type_word(std::string_view word) {
  const auto *found = std::ranges::lower_bound(kTypeWords, word, {}, &TypeWord::word);
  return found != kTypeWords.end() && found->word == word ? found : nullptr;
}

bool is_tag_word(const Token &token) { return token.is("struct") || token.is("union") || token.is("enum"); }

bool is_attribute(const Token &token) {
  return token.is("__attribute__") || token.is("__attribute") || token.is("__asm__") || token.is("__asm");
}

/// Index after the parentheses, brackets or braces that open at `at`; the end if they do not close.
size_t after_group(std::span<const Token> tokens, size_t at) {
  int depth = 0;
  for (; at < tokens.size(); ++at) {
    if (tokens[at].is("(") || tokens[at].is("[") || tokens[at].is("{")) ++depth;
    if ((tokens[at].is(")") || tokens[at].is("]") || tokens[at].is("}")) && --depth <= 0) return at + 1;
  }
  return at;
}

/// The tokens without `__attribute__((...))` and the like.
std::vector<Token> without_attributes(std::span<const Token> tokens) {
  std::vector<Token> result;
  for (size_t i = 0; i < tokens.size();) {
    if (is_attribute(tokens[i]) && i + 1 < tokens.size() && tokens[i + 1].is("(")) {
      i = after_group(tokens, i + 1);
    } else {
      result.push_back(tokens[i++]);
    }
  }
  return result;
}

/// Where the arguments of a template that opens at `at` end: after its `>`; `at` if it does not close.
size_t after_template(std::span<const Token> tokens, size_t at) {
  int depth = 0;
  for (size_t i = at; i < tokens.size(); ++i) {
    if (tokens[i].is("<")) ++depth;
    if (tokens[i].is(">") && --depth == 0) return i + 1;
  }
  return at;
}

bool is_scope(std::span<const Token> tokens, size_t at) {
  return at + 2 < tokens.size() && tokens[at].is(":") && tokens[at + 1].is(":") && tokens[at + 2].is_word();
}

/// A list in which each name of C++, `ns::order` or `std::vector<int>`, is one word. `texts` keeps what it consists of.
std::vector<Token> with_whole_names(std::span<const Token> tokens, std::deque<std::string> &texts) {
  std::vector<Token> result;
  for (size_t at = 0; at < tokens.size();) {
    const size_t begin = at;
    if (is_scope(tokens, at)) at += 2;
    if (!tokens[at].is_word()) {
      result.push_back(tokens[at++]);
      continue;
    }
    size_t end = at + 1;
    for (size_t before = begin; before != end;) {
      before = end;
      if (end < tokens.size() && tokens[end].is("<")) end = after_template(tokens, end);
      if (is_scope(tokens, end)) end += 3;
    }
    at = end;
    if (end == begin + 1) {
      result.push_back(tokens[begin]);
      continue;
    }
    std::string &text = texts.emplace_back();
    for (size_t i = begin; i < end; ++i) {
      const bool parts_words = i > begin && tokens[i].is_word() && (is_word(text.back()) || text.back() == ',');
      if (parts_words) text += ' ';
      text += tokens[i].text;
    }
    Token whole = tokens[begin];
    whole.kind = Token::Kind::kWord;
    whole.text = text;
    result.push_back(whole);
  }
  return result;
}

/// Puts type texts together word by word.
class TypeText {
 public:
  void add(const Token &token) {
    const TypeWord *word = type_word(token.text);
    add(word != nullptr ? word->spelling : token.text);
  }
  std::string take() { return std::move(text_); }

 private:
  void add(std::string_view piece) {
    if (piece.empty()) return;
    const char last = text_.empty() ? '(' : text_.back();
    const bool after_word = is_word(last) || last == '>';
    const bool is_word_or_opens =
        is_word(piece.front()) || std::string_view("*&([:").find(piece.front()) != std::string_view::npos;
    if (last == ',' || (after_word && is_word_or_opens)) {
      text_ += ' ';
    }
    text_ += piece;
  }

  std::string text_;
};

/// Where the declarator of a parameter begins: after the words of its type.
size_t end_of_specifiers(std::span<const Token> tokens) {
  bool has_type = false;
  size_t at = 0;
  for (; at < tokens.size() && tokens[at].is_word(); ++at) {
    if (is_tag_word(tokens[at])) {
      has_type = true;
      ++at;  // the tag
    } else if (const TypeWord *word = type_word(tokens[at].text)) {
      has_type |= word->is_type;
    } else if (!has_type) {
      has_type = true;
    } else {
      // The name, unless it is a macro's word, as in `char __user *p`.
      const bool is_decoration = tokens[at].text.starts_with("__") && at + 1 < tokens.size();
      if (!is_decoration) break;
    }
  }
  return std::min(at, tokens.size());
}

/// Index of the name in a declarator that begins at `at`, or the end if it has none.
size_t name_in_declarator(std::span<const Token> tokens, size_t at) {
  for (; at < tokens.size(); ++at) {
    const Token &token = tokens[at];
    if (token.is_word()) {
      if (type_word(token.text) == nullptr) return at;
    } else if (token.is("(")) {
      const bool nested = at + 1 < tokens.size() && (tokens[at + 1].is("*") || tokens[at + 1].is("("));
      const bool wrapped = at + 2 < tokens.size() && tokens[at + 1].is_word() && tokens[at + 2].is(")") &&
                           type_word(tokens[at + 1].text) == nullptr;
      if (!nested && !wrapped) break;
    } else if (!token.is("*") && !token.is("&")) {
      break;
    }
  }
  return tokens.size();
}

/// The first token that no declarator holds, or null.
const Token *find_intruder(std::span<const Token> tokens) {
  constexpr std::string_view kAllowed = "*&()[],";
  int depth = 0;
  for (const Token &token : tokens) {
    if (token.is("[") || token.is("(")) ++depth;
    if (token.is("]") || token.is(")")) --depth;
    const bool is_expression = depth > 0 && !token.is("{") && !token.is(";");  // an array's size
    const bool is_declarator = token.is_word() || (token.kind == Token::Kind::kPunct && token.text.size() == 1 &&
                                                   kAllowed.find(token.text[0]) != std::string_view::npos);
    if (!is_expression && !is_declarator) return &token;
  }
  return nullptr;
}

}  // namespace

std::optional<Argument> read_parameter(std::span<const Token> given, const Token *&wrong) {
  wrong = given.data();
  std::deque<std::string> names;
  const std::vector<Token> kept = with_whole_names(without_attributes(given), names);
  const std::span<const Token> tokens(kept);
  if (tokens.empty() || !tokens[0].is_word()) return std::nullopt;
  if (const Token *intruder = find_intruder(tokens)) {
    const auto same = std::ranges::find(given, intruder->span.begin, [](const Token &t) { return t.span.begin; });
    wrong = &*same;
    return std::nullopt;
  }
  const size_t declarator = end_of_specifiers(tokens);
  const size_t name = name_in_declarator(tokens, declarator);
  // Two names in a row: `int a b`.
  if (name + 1 < tokens.size() && tokens[name + 1].is_word()) {
    wrong = &given.back();
    return std::nullopt;
  }
  Argument argument;
  TypeText type;
  for (size_t i = 0; i < tokens.size(); ++i)
    if (i != name) type.add(tokens[i]);
  argument.type = type.take();
  if (name < tokens.size()) argument.name = tokens[name].text;
  if (argument.type.empty()) return std::nullopt;
  return argument;
}

std::string declaration_text(std::span<const Token> given) {
  std::string text;
  for (const Token &token : without_attributes(given)) {
    if (token.is("__extension__")) continue;
    constexpr std::string_view kNoBlankBefore = ";,)]";
    const bool tight = text.empty() || kNoBlankBefore.find(token.text[0]) != std::string_view::npos ||
                       text.back() == '(' || text.back() == '[' || (text.back() == '*' && !token.is("{")) ||
                       ((token.is("[") || token.is("(")) && is_word(text.back()));
    if (!tight) text += ' ';
    text += token.text;
  }
  return text;
}

namespace {

/// Is the group that opens at `open` the body of a structure with fewer than two members?
bool is_dummy_body(std::span<const Token> tokens, size_t open) {
  const size_t end = after_group(tokens, open);
  int depth = 0;
  int members = 0;
  for (size_t i = open; i < end; ++i) {
    if (tokens[i].is("{") || tokens[i].is("(") || tokens[i].is("[")) ++depth;
    if (tokens[i].is("}") || tokens[i].is(")") || tokens[i].is("]")) --depth;
    members += depth == 1 && (tokens[i].is(";") || tokens[i].is(","));
  }
  return members < 2;
}

void add_use(std::vector<std::string> &uses, std::string name) {
  if (std::ranges::find(uses, name) == uses.end()) uses.push_back(std::move(name));
}

void collect_uses(std::span<const Token> tokens, std::vector<std::string> &uses) {
  for (size_t i = 0; i < tokens.size(); ++i) {
    if (!tokens[i].is_word()) continue;
    if (is_tag_word(tokens[i]) && i + 1 < tokens.size() && tokens[i + 1].is_word()) {
      add_use(uses, std::string(tokens[i].text) + ' ' + std::string(tokens[i + 1].text));
      ++i;
    } else if (type_word(tokens[i].text) == nullptr) {
      add_use(uses, std::string(tokens[i].text));
    }
  }
}

/// The names of a typedef: those of its declarators, from `at`.
void collect_typedef_names(std::span<const Token> tokens, size_t at, std::vector<std::string> &names) {
  while (at < tokens.size()) {
    size_t end = at;
    while (end < tokens.size() && !tokens[end].is(",") && !tokens[end].is(";"))
      end = tokens[end].is("(") || tokens[end].is("[") ? after_group(tokens, end) : end + 1;
    const size_t name = name_in_declarator(tokens.first(end), at);
    if (name < end) names.emplace_back(tokens[name].text);
    at = end + 1;
  }
}

}  // namespace

std::optional<Definition> read_type_definition(std::span<const Token> given) {
  const std::vector<Token> kept = without_attributes(given);
  std::span<const Token> tokens(kept);
  while (!tokens.empty() && tokens[0].is("__extension__")) tokens = tokens.subspan(1);
  if (tokens.size() < 3) return std::nullopt;
  const bool is_typedef = tokens[0].is("typedef");
  size_t at = is_typedef ? 1 : 0;
  Definition definition;
  while (at < tokens.size() && type_word(tokens[at].text) != nullptr && !type_word(tokens[at].text)->is_type) ++at;
  if (at < tokens.size() && is_tag_word(tokens[at])) {
    const bool is_enum = tokens[at].is("enum");
    const std::string tag_word(tokens[at++].text);
    std::string tag;
    if (at < tokens.size() && tokens[at].is_word()) tag = tag_word + ' ' + std::string(tokens[at++].text);
    const bool has_body = at < tokens.size() && tokens[at].is("{");
    if (has_body) {
      if (!is_enum && is_dummy_body(tokens, at)) return std::nullopt;
      if (!tag.empty()) definition.names.push_back(tag);
      at = after_group(tokens, at);
    } else if (!is_typedef) {
      return std::nullopt;
    }
  } else if (is_typedef) {
    at = 1 + end_of_specifiers(tokens.subspan(1));
  }
  if (is_typedef) collect_typedef_names(tokens, at, definition.names);
  if (definition.names.empty()) return std::nullopt;
  collect_uses(tokens, definition.uses);
  definition.text = declaration_text(tokens);
  if (definition.text.empty() || definition.text.back() != ';') return std::nullopt;
  return definition;
}

std::vector<std::string> names_used(std::string_view type) {
  std::vector<Token> tokens;
  for (size_t at = 0; at < type.size();) {
    size_t end = at + 1;
    if (is_word_start(type[at])) {
      while (end < type.size() &&
             (is_word(type[end]) || type.substr(end).starts_with("::") || (type[end] == ':' && type[end - 1] == ':')))
        ++end;
      tokens.push_back({Token::Kind::kWord, {}, type.substr(at, end - at)});
    }
    at = end;
  }
  std::vector<std::string> uses;
  collect_uses(tokens, uses);
  return uses;
}

}  // namespace dtrace::usdt
