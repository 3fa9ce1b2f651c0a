// SPDX-License-Identifier: Apache-2.0
// A prototype is one line of C with no nested parentheses, so it is cut at commas rather than parsed by a grammar.
#include "frontend/check/prototype.h"

#include <algorithm>

namespace dtrace {
namespace {

std::string_view trim(std::string_view text) {
  while (!text.empty() && text.front() == ' ') text.remove_prefix(1);
  while (!text.empty() && text.back() == ' ') text.remove_suffix(1);
  return text;
}

bool take_word(std::string_view &text, std::string_view word) {
  if (!text.starts_with(word)) return false;
  if (text.size() > word.size() && text[word.size()] != ' ') return false;
  text = trim(text.substr(word.size()));
  return true;
}

struct Mark {
  std::string_view word;
  PrototypeParam::Kind kind;
  std::string_view text;
};
constexpr Mark kMarks[] = {
    {"@", PrototypeParam::Kind::kAny, "any type"},
    {"$c", PrototypeParam::Kind::kConstant, "integer constant"},
    {"$a", PrototypeParam::Kind::kAggregation, "aggregation"},
    {"$f", PrototypeParam::Kind::kFormat, "string constant"},
};

PrototypeParam parse_param(std::string_view text, TypeTable &types) {
  PrototypeParam param;
  if (text.starts_with('[')) {
    param.optional = true;
    text = trim(text.substr(1, text.size() - 2));
  }
  const auto *mark = std::find_if(std::begin(kMarks), std::end(kMarks), [&](const Mark &m) { return m.word == text; });
  if (mark != std::end(kMarks)) {
    param.kind = mark->kind;
    param.text = mark->text;
  } else {
    param.kind = PrototypeParam::Kind::kTyped;
    param.type = parse_type_text(text, types);
    param.text = text;
  }
  return param;
}

}  // namespace

size_t Prototype::required() const {
  return static_cast<size_t>(std::count_if(params.begin(), params.end(), [](const auto &p) { return !p.optional; }));
}

TypeId parse_type_text(std::string_view text, TypeTable &types) {
  text = trim(text);
  unsigned pointers = 0;
  while (text.ends_with('*')) {
    ++pointers;
    text = trim(text.substr(0, text.size() - 1));
  }
  const uint8_t qualifiers = take_word(text, "const") ? uint8_t{kConst} : uint8_t{0};
  TypeId type;
  if (take_word(text, "struct")) {
    type = types.find(TagKind::kStruct, text).value_or(kPoison);
    if (!type) type = types.declare_tag(TagKind::kStruct, text);
  } else {
    type = types.find(TagKind::kOrdinary, text).value_or(kPoison);
    if (!type && pointers > 0) type = types.void_type();
  }
  if (!type) return kPoison;
  if (qualifiers != 0) type = types.qualified(type, qualifiers);
  for (; pointers > 0; --pointers) type = types.pointer_to(type);
  return type;
}

Prototype parse_prototype(const BuiltinRow &row, TypeTable &types) {
  Prototype result;
  const size_t open = row.prototype.find('(');
  std::string_view params = row.prototype.substr(open + 1, row.prototype.size() - open - 2);
  if (row.kind != BuiltinKind::kAgg) result.result = parse_type_text(row.prototype.substr(0, open), types);
  while (!params.empty()) {
    const size_t comma = params.find(',');
    const std::string_view one = trim(params.substr(0, comma));
    params.remove_prefix(comma == std::string_view::npos ? params.size() : comma + 1);
    if (one == "...") {
      result.variadic = true;
    } else {
      result.params.push_back(parse_param(one, types));
    }
  }
  return result;
}

}  // namespace dtrace
