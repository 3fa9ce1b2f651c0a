// SPDX-License-Identifier: Apache-2.0
// Functions of one program's file by the address of their code, and their parameters.
#pragma once

#include <elfutils/libdw.h>

#include <cstdint>
#include <optional>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "runtime/debug_info/dwarf_file.h"

namespace dtrace::runtime {

/// One parameter as the source declares it, in the order of the source.
struct DwarfParameter {
  std::string_view name;  ///< empty: it has none
  Dwarf_Die die;          ///< of this copy of the function, else of its declaration
  bool is_kept = true;    ///< this copy of the function has it; false: the compiler removed it
};

class DwarfFunctions {
 public:
  explicit DwarfFunctions(DwarfFile &file) : file_(file) {}

  /// The function whose first instruction has this address in the file. Units are read when an address in them is asked
  /// for.
  std::optional<Dwarf_Die> at(uint64_t address);
  std::vector<DwarfParameter> parameters(Dwarf_Die function);

 private:
  /// A piece of code of a unit.
  struct Piece {
    uint64_t start, end;
    Dwarf_Off unit;
  };
  void find_units();
  void add_functions(Dwarf_Die *scope, unsigned depth);

  DwarfFile &file_;
  bool has_units_ = false;
  uint64_t ranges_left_ = limits::kMaxDwarfRanges;
  std::vector<Piece> pieces_;                          // by start
  std::unordered_map<Dwarf_Off, bool> read_;           // units whose functions are known
  std::unordered_map<uint64_t, Dwarf_Die> functions_;  // by address
};

}  // namespace dtrace::runtime
