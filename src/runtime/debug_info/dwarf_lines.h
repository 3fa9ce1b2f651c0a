// SPDX-License-Identifier: Apache-2.0
// Source lines of one program's file: at which instructions each begins.
#pragma once

#include <elfutils/libdw.h>

#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <string_view>

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

  /// Where the function of `unit` that has [start, end) has set up its frame and stored its parameters, as far as the
  /// compiler says. Nothing: it does not.
  std::optional<uint64_t> body_start(Dwarf_Die unit, uint64_t start, uint64_t end);

 private:
  /// `left`: operations that may still be spent.
  std::optional<LineProgram> program_at(uint64_t offset, uint64_t &left);
  bool each_program(uint64_t &left, const std::function<void(const LineProgram &)> &use);

  DwarfFile &file_;
  std::map<uint64_t, std::optional<uint64_t>> bodies_;  // body_start() by start
};

}  // namespace dtrace::runtime
