// SPDX-License-Identifier: Apache-2.0
#include "replay/type_spelling.h"

#include <cctype>
#include <charconv>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace dtrace::replay {
namespace {

/// More levels are no type that anybody has; a file that is not ours could have them.
constexpr int kMaxDepth = 64;

bool is_word(char c) {
  // A name may have its module in front ("ext4`struct"), and one of C++ its namespaces.
  return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_' || c == '`' || c == ':' || c == '$';
}

class Spelling {
 public:
  Spelling(std::string_view text, TypeTable &types) : text_(text), types_(types) {}

  TypeId type() {
    const bool is_user = take_word("userland");
    const TypeId base = base_type();
    if (!base) return kPoison;
    const TypeId type = declared(base, 0);
    skip_blanks();
    if (!type || !text_.empty()) return kPoison;
    return is_user ? in_user_space(type) : type;
  }

 private:
  void skip_blanks() {
    while (!text_.empty() && text_.front() == ' ') text_.remove_prefix(1);
  }
  bool take(char c) {
    skip_blanks();
    if (text_.empty() || text_.front() != c) return false;
    text_.remove_prefix(1);
    return true;
  }
  std::string_view next_word() {
    skip_blanks();
    size_t end = 0;
    while (end < text_.size() && is_word(text_[end])) ++end;
    return text_.substr(0, end);
  }
  bool take_word(std::string_view word) {
    if (next_word() != word) return false;
    text_.remove_prefix(word.size());
    return true;
  }
  uint8_t take_qualifiers() {
    uint8_t qualifiers = 0;
    for (;;) {
      if (take_word("const"))
        qualifiers |= kConst;
      else if (take_word("volatile"))
        qualifiers |= kVolatile;
      else if (take_word("restrict"))
        qualifiers |= kRestrict;
      else if (take_word("userland"))
        qualifiers |= kUserland;
      else
        return qualifiers;
    }
  }
  TypeId qualified(TypeId type, uint8_t qualifiers) {
    return qualifiers == 0 ? type : types_.qualified(type, qualifiers);
  }
  bool is_pointer_next() {
    skip_blanks();
    return text_.starts_with('*') || text_.starts_with("(*");
  }

  TypeId base_type() {
    const uint8_t qualifiers = take_qualifiers();
    for (const auto &[keyword, kind] :
         {std::pair{"struct", TagKind::kStruct}, {"union", TagKind::kUnion}, {"enum", TagKind::kEnum}})
      if (take_word(keyword)) return qualified(tagged(kind), qualifiers);
    std::string name;
    for (std::string_view word = next_word(); !word.empty(); word = next_word()) {
      if (word == "const" || word == "volatile") break;
      name += (name.empty() ? "" : " ") + std::string(word);
      text_.remove_prefix(word.size());
    }
    TypeId type = named(name);
    if (!type && !name.empty() && is_pointer_next()) type = types_.void_type();
    return type ? qualified(type, qualifiers) : kPoison;
  }

  TypeId tagged(TagKind kind) {
    const std::string_view name = next_word();
    if (name.empty()) return is_pointer_next() ? types_.void_type() : kPoison;  // it had no name
    text_.remove_prefix(name.size());
    if (const std::optional<TypeId> found = types_.find(kind, name)) return *found;
    return kind == TagKind::kEnum ? types_.int_type() : types_.declare_tag(kind, name);
  }

  TypeId named(std::string_view name) {
    if (name == "string") return types_.string_type();
    if (name == "void") return types_.void_type();
    return types_.find(TagKind::kOrdinary, name).value_or(kPoison);
  }

  /// What stands behind the base type: `*const (*)[4]`, from the outside to the inside.
  TypeId declared(TypeId type, int depth) {
    if (depth == kMaxDepth || !type) return kPoison;
    while (take('*')) type = qualified(types_.pointer_to(type), take_qualifiers());
    skip_blanks();
    std::string_view inner;
    if (text_.starts_with('(') && !text_.starts_with("()")) {
      const std::optional<size_t> end = closing();
      if (!end) return kPoison;
      inner = text_.substr(1, *end - 1);
      text_.remove_prefix(*end + 1);
    }
    type = with_suffixes(type);
    if (inner.empty() || !type) return type;
    const std::string_view rest = std::exchange(text_, inner);
    type = declared(type, depth + 1);
    skip_blanks();
    if (!text_.empty()) return kPoison;
    text_ = rest;
    return type;
  }

  std::optional<size_t> closing() const {
    int open = 0;
    for (size_t i = 0; i < text_.size(); ++i) {
      open += text_[i] == '(' ? 1 : text_[i] == ')' ? -1 : 0;
      if (open == 0) return i;
    }
    return std::nullopt;
  }

  /// `[2][3]` is an array of two arrays; `()` is a function.
  TypeId with_suffixes(TypeId type) {
    constexpr uint64_t kFunction = UINT64_MAX;
    std::vector<uint64_t> suffixes;
    for (;;) {
      skip_blanks();
      if (text_.starts_with("()")) {
        text_.remove_prefix(2);
        suffixes.push_back(kFunction);
      } else if (text_.starts_with('[')) {
        uint64_t count = 0;
        const auto [end, error] = std::from_chars(text_.data() + 1, text_.data() + text_.size(), count);
        constexpr uint64_t kMax = uint64_t{1} << 32;
        if (error != std::errc() || end == text_.data() + text_.size() || *end != ']' || count > kMax) return kPoison;
        text_.remove_prefix(static_cast<size_t>(end - text_.data()) + 1);
        suffixes.push_back(count);
      } else {
        break;
      }
      if (suffixes.size() > kMaxDepth) return kPoison;
    }
    for (auto suffix = suffixes.rbegin(); suffix != suffixes.rend(); ++suffix)
      type = *suffix == kFunction ? types_.function(type, {}, false) : types_.array_of(type, *suffix);
    return type;
  }

  /// Only the outermost pointer's space is spelled.
  TypeId in_user_space(TypeId type) {
    const Type &outer = types_[type];
    if (outer.kind == TypeKind::kPointer) return types_.pointer_to(outer.target, Space::kUser);
    return types_.qualified(type, kUserland);
  }

  std::string_view text_;
  TypeTable &types_;
};

}  // namespace

TypeId type_of_spelling(std::string_view spelling, TypeTable &types) { return Spelling(spelling, types).type(); }

}  // namespace dtrace::replay
