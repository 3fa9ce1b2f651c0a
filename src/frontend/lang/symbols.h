// SPDX-License-Identifier: Apache-2.0
// Symbols of the kernel as the checker asks for them.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <variant>

#include "frontend/types/types.h"

namespace dtrace {

/// Kernel data and function symbols for `sym references; the runtime answers from kallsyms and BTF.
class SymbolSource {
 public:
  virtual ~SymbolSource() = default;
  struct Found {
    uint64_t address = 0;
    TypeId type;  ///< poison: no type information
    bool is_function = false;
    std::string module;
    /// For a per-CPU variable: address of the kernel's table of offsets, one u64 for each CPU. Add a CPU's offset to
    /// `address` to get its copy. 0: not per CPU.
    uint64_t cpu_offsets = 0;
  };
  enum class Failure : uint8_t { kUnknownSymbol, kUnknownModule };
  virtual std::variant<Found, Failure> find(std::string_view module, std::string_view name, TypeTable &types) = 0;
};

}  // namespace dtrace
