// SPDX-License-Identifier: Apache-2.0
// Calls that the compiler has replaced by the code of the function (DW_TAG_inlined_subroutine), by function.
//
// What a reader would get wrong: one entry of the debug information may stand for several copies of the code, because
// an unrolled or rotated loop repeats it, and the entry names at most one address at which a call begins. gcc writes a
// row into the line table for each copy: a statement at the line and column of the function's declaration.
#pragma once

#include <elfutils/libdw.h>

#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <span>
#include <string_view>
#include <tuple>
#include <unordered_map>
#include <utility>
#include <vector>

#include "runtime/debug_info/dwarf_file.h"
#include "runtime/debug_info/dwarf_lines.h"

namespace dtrace::runtime {

class InlinedCalls {
 public:
  InlinedCalls(DwarfFile &file, DwarfLines &lines) : file_(file), lines_(lines) {}

  /// A piece of code: from the first address to behind the last.
  using Piece = std::pair<uint64_t, uint64_t>;
  struct Call {
    Dwarf_Die die{};
    Dwarf_Off unit = 0;        ///< has the line table of its code
    uint64_t around_line = 0;  ///< where the function around the call is declared; 0: not known
  };
  struct Function {
    Dwarf_Die die{};              ///< as it is declared
    std::string_view name;        ///< as the linker would call it
    std::vector<uint32_t> calls;  ///< numbers of calls, those around others first
  };
  /// All functions of which calls are inlined; the file is walked once. Source files have functions of their own.
  const std::vector<Function> &functions();
  /// By number, from 0.
  const Call &call(uint32_t number) const { return calls_[number]; }
  /// False: some calls are not known, because the file has too many entries, or other files that cannot be read.
  bool is_whole() const { return is_whole_; }

  /// Where its code is, ascending. Empty: it has none.
  std::vector<Piece> pieces(const Call &call);
  /// The addresses in its code at which gcc says that a statement of the function begins. An instruction that the
  /// compiler has moved out of a loop around the call begins none. Empty: the compiler does not say so much.
  std::vector<uint64_t> statements(const Function &function, const Call &call);
  /// The rows of one line and column in the call's code, where `counts`. Every copy of the code has each line and
  /// column at least once, so the ones with the fewest rows bound the number of copies. Chooses the ones next to
  /// `begin`.
  std::vector<uint64_t> repeated_rows(const Call &call, uint64_t begin,
                                      const std::function<bool(uint64_t address)> &counts);
  /// The number of rows in the call's code of the line and column that has the fewest, among those that begin no
  /// statement. 0: there are none.
  size_t fewest_expression_rows(const Call &call);
  /// Where it begins, if the debug information says so (DW_AT_entry_pc).
  static std::optional<uint64_t> stated_entry(const Call &call);

  /// The source's line that has the call.
  static std::optional<uint64_t> line_of(const Call &call);

  /// An address at which a call begins; `call` is by number.
  struct Begin {
    uint32_t call = 0;
    uint64_t address = 0;
    bool is_shared = false;  ///< another call of the same code begins there: there is no code between them
  };
  /// The rows that gcc writes for the calls of these functions. A call without one has no Begin.
  std::vector<Begin> marked_begins(std::span<const Function *const> functions);
  /// Which copies of a call's code are marked. gcc does not mark all with link-time optimisation and -funroll-loops;
  /// other compilers mark none.
  enum class Marks : uint8_t { kAll, kSome, kNone };
  Marks marks_of_copies(const Call &call);

 private:
  void read();
  /// The rows of one line and column.
  struct Rows {
    std::vector<uint64_t> addresses;
    bool is_statement = false;  ///< one of them begins a statement
  };
  using RowsByPlace = std::map<std::tuple<std::string_view, uint64_t, uint64_t>, Rows>;
  /// The rows in the call's code, where `counts`, ascending. Empty: there are none, or some cannot be read.
  RowsByPlace rows_in(const Call &call, const std::function<bool(uint64_t address)> &counts);
  /// What a call is found in.
  struct Around {
    Dwarf_Off unit = 0;
    bool has_code = false;  ///< of a function that is in the program; the others only say how it is declared
    uint64_t line = 0;      ///< where it is declared
  };
  void read_scope(Dwarf_Die *scope, const Around &around, unsigned depth);
  void add(Dwarf_Die die, const Around &around);

  DwarfFile &file_;
  DwarfLines &lines_;
  bool is_read_ = false, is_whole_ = true;
  std::unordered_map<Dwarf_Off, Marks> marks_;  // by unit
  std::vector<Call> calls_;
  std::vector<Function> functions_;
  std::unordered_map<const void *, uint32_t> by_origin_;
};

}  // namespace dtrace::runtime
