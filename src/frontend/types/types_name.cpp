// SPDX-License-Identifier: Apache-2.0
// C declarators, inside out: the text grows around the position of the name.
#include <fmt/format.h>

#include "frontend/types/types_impl.h"

namespace dtrace {
namespace {

std::string qualifier_words(uint8_t qualifiers) {
  std::string words;
  auto add = [&words, qualifiers](uint8_t bit, std::string_view word) {
    if ((qualifiers & bit) == 0) return;
    if (!words.empty()) words += ' ';
    words += word;
  };
  add(kUserland, "userland");
  add(kConst, "const");
  add(kVolatile, "volatile");
  add(kRestrict, "restrict");
  return words;
}

std::string_view tag_keyword(TagKind tag) {
  switch (tag) {
    case TagKind::kStruct:
      return "struct";
    case TagKind::kUnion:
      return "union";
    case TagKind::kEnum:
      return "enum";
    case TagKind::kOrdinary:
      break;
  }
  return {};
}

/// "struct foo", "struct", "int".
std::string plain_name(const Type &type) {
  const std::string_view keyword = tag_keyword(type.tag);
  if (keyword.empty()) return std::string(type.name);
  return type.name.empty() ? std::string(keyword) : fmt::format("{} {}", keyword, type.name);
}

bool binds_tighter_than_star(TypeKind kind) { return kind == TypeKind::kArray || kind == TypeKind::kFunction; }

std::string declare(const TypeTable &types, TypeId id, std::string inner) {
  std::string leading;  // qualifiers of what is not a pointer
  for (;;) {
    const Type &type = types[id];
    switch (type.kind) {
      case TypeKind::kPointer:
        inner.insert(0, "*");
        if (binds_tighter_than_star(types[type.target].kind)) inner = fmt::format("({})", inner);
        break;
      case TypeKind::kArray:
        inner += fmt::format("[{}]", type.count);
        break;
      case TypeKind::kFunction:
        inner += "()";
        break;
      case TypeKind::kQualified: {
        const std::string words = qualifier_words(type.qualifiers);
        if (types[type.target].kind == TypeKind::kPointer) {
          inner = inner.empty() ? words : fmt::format("{} {}", words, inner);
        } else {
          leading += words + ' ';
        }
        break;
      }
      default:
        return leading + plain_name(type) + (inner.empty() ? "" : " " + inner);
    }
    id = type.target;
  }
}

}  // namespace

std::string TypeTable::name(TypeId id) const {
  const Type &type = (*this)[id];
  const bool user = type.kind == TypeKind::kPointer && type.space == Space::kUser;
  return (user ? "userland " : "") + declare(*this, id, {});
}

}  // namespace dtrace
