// SPDX-License-Identifier: Apache-2.0
// Source lines of one program's file: at which instructions each begins.
#pragma once

#include <elfutils/libdw.h>

#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <span>
#include <string_view>
#include <utility>

#include "runtime/debug_info/dwarf_file.h"
#include "runtime/foreign/line_program.h"

namespace dtrace::runtime {

class DwarfLines {
 public:
  explicit DwarfLines(DwarfFile &file) : file_(file) {}

  /// A line begins at an instruction: the first that the compiler calls the start of a statement in a run of
  /// instructions of this line. A line has as many as it has runs (a `for`, inlined copies).
  struct Start {
    std::string_view file;  ///< base name
    uint32_t line = 0;
    uint64_t address = 0;
  };
  /// Calls `use` for the starts of all lines of the source files that `wants` takes by their base names. Reads the
  /// tables of all units that name such a file. False: some lines were not seen, because a table cannot be read or
  /// because there are more than limits::kMaxLineOperations.
  [[nodiscard]] bool each_start(const std::function<bool(std::string_view file)> &wants,
                                const std::function<void(const Start &)> &use);
  /// Calls `use` for the base name of each source file that a unit names, often more than once.
  void each_file(const std::function<void(std::string_view file)> &use);

  /// Where something is declared: base name of its source file, line, column; 0: not known.
  struct Declaration {
    std::string_view file;
    uint64_t line = 0, column = 0;
  };
  /// Calls `use` for each statement of these units that is at the line and column of a declaration, by its index.
  /// False: some were not seen.
  [[nodiscard]] bool each_row_of(std::span<const Declaration> declarations, std::span<const Dwarf_Off> units,
                                 const std::function<void(size_t which, uint64_t address)> &use);
  /// Calls `use` for each statement of a unit. False: some were not seen.
  [[nodiscard]] bool each_statement(
      Dwarf_Off unit, const std::function<void(std::string_view file, uint64_t line, uint64_t address)> &use);
  /// Calls `use` for each row of a unit that has a line. False: some were not seen.
  [[nodiscard]] bool each_line_row(Dwarf_Off unit,
                                   const std::function<void(std::string_view file, const LineRow &row)> &use);
  /// Base name of the source file that declares something (DW_AT_decl_file); empty: it is not known.
  std::string_view source_file(Dwarf_Die die);

  /// Where the function of `unit` that has [start, end) has set up its frame and stored its parameters, as far as the
  /// compiler says. Nothing: it does not.
  std::optional<uint64_t> body_start(Dwarf_Die unit, uint64_t start, uint64_t end);

 private:
  /// `left`: operations that may still be spent.
  std::optional<LineProgram> program_at(uint64_t offset, uint64_t &left);
  bool each_program(uint64_t &left, const std::function<void(const LineProgram &)> &use);

  DwarfFile &file_;
  uint64_t statements_left_ = limits::kMaxLineOperations;  // of all each_statement()
  std::map<uint64_t, std::optional<uint64_t>> bodies_;     // body_start() by start
  // What source_file() has read, by image and offset.
  std::map<std::pair<Dwarf *, uint64_t>, std::optional<LineProgram>> programs_;
};

}  // namespace dtrace::runtime
