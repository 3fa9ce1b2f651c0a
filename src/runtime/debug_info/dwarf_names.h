// SPDX-License-Identifier: Apache-2.0
// Names at file scope and in namespaces of one program's file: types, enumerators and variables. The file is walked
// once, when the first name is looked up.
#pragma once

#include <elfutils/libdw.h>

#include <array>
#include <cstdint>
#include <optional>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

#include "frontend/types/types.h"
#include "runtime/debug_info/dwarf_file.h"

namespace dtrace::runtime {

/// Is the enumeration's underlying type signed? Without one it is `int`.
bool is_signed_enumeration(Dwarf_Die *enumeration);
/// The value of an enumerator, by that.
int64_t enumerator_value(Dwarf_Die *enumerator, bool is_signed);

class DwarfNames {
 public:
  explicit DwarfNames(DwarfFile &file) : file_(file) {}

  /// A definition of that name, else a declaration. In kOrdinary are typedefs and base types, and C++ classes, whose
  /// names need no keyword.
  std::optional<Dwarf_Die> type(TagKind kind, std::string_view name);
  /// The enumeration that has it, and its value.
  std::optional<std::pair<Dwarf_Die, int64_t>> enumerator(std::string_view name);
  std::optional<Dwarf_Die> variable(std::string_view name);

 private:
  struct Named {
    Dwarf_Die die;
    bool is_complete = false;
  };
  using Names = std::unordered_map<std::string_view, Named>;  // the texts are the debug information's

  void read();
  void read_scope(Dwarf_Die *scope, unsigned depth, bool is_cxx);
  void add(Dwarf_Die *die, unsigned depth, bool is_cxx);
  void note(Names &names, Dwarf_Die *die, bool is_complete);

  DwarfFile &file_;
  bool is_read_ = false;
  std::array<Names, 4> types_;  // by TagKind
  Names variables_;
  std::vector<Dwarf_Die> enumerations_;
  std::optional<std::unordered_map<std::string_view, std::pair<Dwarf_Die, int64_t>>> enumerators_;
};

}  // namespace dtrace::runtime
