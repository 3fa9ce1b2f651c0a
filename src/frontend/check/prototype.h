// SPDX-License-Identifier: Apache-2.0
// Prototypes of built-in functions: the text of a builtins.def row, parsed against a TypeTable. Also type texts in
// general, for the few tables that name a D type.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "frontend/lang/builtins.h"
#include "frontend/types/types.h"

namespace dtrace {

struct PrototypeParam {
  enum class Kind : uint8_t {
    kAny,          ///< @
    kConstant,     ///< $c
    kAggregation,  ///< $a
    kFormat,       ///< $f
    kTyped,
  };
  Kind kind = Kind::kAny;
  TypeId type;       ///< kTyped
  std::string text;  ///< as a message shows it: "const char *", "any type"
  bool optional = false;
};

struct Prototype {
  TypeId result;  ///< poison for aggregating functions
  std::vector<PrototypeParam> params;
  bool variadic = false;
  size_t required() const;
};

/// Kernel types that this kernel lacks become forward tags, unknown typedefs of them void.
Prototype parse_prototype(const BuiltinRow &row, TypeTable &types);

/// "struct task_struct *", "const char *", "uint_t". Poison: no such type.
TypeId parse_type_text(std::string_view text, TypeTable &types);

}  // namespace dtrace
