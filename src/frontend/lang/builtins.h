// SPDX-License-Identifier: Apache-2.0
// The built-in functions and variables as enumerations and tables; rows live in builtins.def and variables.def, and the
// checker, the code generator and the consumer expand the same rows.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

namespace dtrace {

enum class Builtin : uint8_t {
#define BUILTIN(name, kind, prototype, effect) k_##name,
#include "frontend/lang/builtins.def"
};

enum class BuiltinKind : uint8_t { kSubr, kAct, kValue, kAgg };
enum class BuiltinEffect : uint8_t {
  kPure,
  kScratch,
  kRecords,
  kDestructive,
  kDestructiveRecords,
  kSpecial,
  kUnsupported
};

struct BuiltinRow {
  Builtin id;
  std::string_view name;
  BuiltinKind kind;
  std::string_view prototype;
  BuiltinEffect effect;
};

inline constexpr BuiltinRow kBuiltins[] = {
#define BUILTIN(name, kind, prototype, effect) \
  {Builtin::k_##name, #name, BuiltinKind::k##kind, prototype, BuiltinEffect::k##effect},
#include "frontend/lang/builtins.def"
};

constexpr const BuiltinRow &row(Builtin id) { return kBuiltins[static_cast<size_t>(id)]; }

constexpr std::optional<Builtin> find_builtin(std::string_view name) {
  for (const BuiltinRow &r : kBuiltins)
    if (r.name == name) return r.id;
  return std::nullopt;
}

enum class Variable : uint8_t {
#define VARIABLE(name, type) k_##name,
#include "frontend/lang/variables.def"
};

struct VariableRow {
  Variable id;
  std::string_view name;
  std::string_view type;
};

inline constexpr VariableRow kVariables[] = {
#define VARIABLE(name, type) {Variable::k_##name, #name, type},
#include "frontend/lang/variables.def"
};

constexpr const VariableRow &row(Variable id) { return kVariables[static_cast<size_t>(id)]; }

constexpr std::optional<Variable> find_variable(std::string_view name) {
  for (const VariableRow &r : kVariables)
    if (r.name == name) return r.id;
  return std::nullopt;
}

}  // namespace dtrace
