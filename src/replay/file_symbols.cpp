// SPDX-License-Identifier: Apache-2.0
#include "replay/file_symbols.h"

#include <algorithm>

#include "replay/type_spelling.h"

namespace dtrace::replay {
namespace {

/// The type of a function from its spelling, which does not say what parameters it has: "long ()".
TypeId function_of(std::string_view spelling, TypeTable &types) {
  const TypeId result = type_of_spelling(spelling.substr(0, spelling.rfind(" (")), types);
  return types.function(result ? result : types.long_type(), {}, true);
}

}  // namespace

std::variant<SymbolSource::Found, SymbolSource::Failure> FileSymbols::find(std::string_view module,
                                                                           std::string_view name, TypeTable &types) {
  const auto found = std::ranges::find_if(recording_.symbols(), [&](const recording::Symbol &symbol) {
    return symbol.name == name && (module.empty() || symbol.module == module);
  });
  if (found == recording_.symbols().end()) return Failure::kUnknownSymbol;
  const TypeId type = found->is_function ? function_of(found->type, types) : type_of_spelling(found->type, types);
  return Found{found->address, type, found->is_function, found->module, found->cpu_offsets};
}

}  // namespace dtrace::replay
