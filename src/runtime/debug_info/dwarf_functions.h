// SPDX-License-Identifier: Apache-2.0
// Functions of one program's file by the addresses of their code, and their parameters.
#pragma once

#include <elfutils/libdw.h>

#include <cstdint>
#include <map>
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
  /// A function, and the piece of its code that an address is in. It may have others (.cold).
  struct Around {
    Dwarf_Die function;
    Dwarf_Die unit;  ///< that says which lines there are; of split debug information the skeleton
    uint64_t start = 0, end = 0;
  };
  std::optional<Around> around(uint64_t address);
  /// The parameters of a function or of an inlined call of one.
  std::vector<DwarfParameter> parameters(Dwarf_Die function);

 private:
  /// A piece of code of a unit.
  struct Piece {
    uint64_t start, end;
    Dwarf_Off unit;
  };
  void find_units();
  /// The unit that has the address; its functions are known then.
  std::optional<Dwarf_Die> read_unit(uint64_t address);
  void add_function(Dwarf_Die function);
  void add_functions(Dwarf_Die *scope, unsigned depth);

  DwarfFile &file_;
  bool has_units_ = false;
  uint64_t ranges_left_ = limits::kMaxDwarfRanges;
  std::vector<Piece> pieces_;                          // by start
  std::unordered_map<Dwarf_Off, bool> read_;           // units whose functions are known
  std::unordered_map<uint64_t, Dwarf_Die> functions_;  // by address
  struct Code {
    uint64_t end;
    Dwarf_Die function;
  };
  std::map<uint64_t, Code> code_;  // of the functions, by start
};

}  // namespace dtrace::runtime
