// SPDX-License-Identifier: Apache-2.0
// The declarations are a text of their own: with C's types and D's, and none of the kernel's or of libraries, which
// have names in common with the program's.
#include "runtime/usdt/note_layout.h"

#include "frontend/check/declare.h"

namespace dtrace::runtime {

std::optional<StructLayout> note_layout(std::span<const std::string> definitions, std::string_view type,
                                        bool is_64bit) {
  if (definitions.empty()) return std::nullopt;
  TypeTable types;
  std::string text;
  for (const std::string &definition : definitions) text += definition + '\n';
  if (!declare_types(std::move(text), types)) return std::nullopt;

  TagKind kind = TagKind::kOrdinary;
  if (type.starts_with("struct ")) kind = TagKind::kStruct;
  if (type.starts_with("union ")) kind = TagKind::kUnion;
  if (kind != TagKind::kOrdinary) type.remove_prefix(type.find(' ') + 1);
  const std::optional<TypeId> found = types.find(kind, type);
  if (!found) return std::nullopt;
  return is_64bit ? layout_of(types, *found) : layout_of_i386(types, *found);
}

}  // namespace dtrace::runtime
