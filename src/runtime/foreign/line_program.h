// SPDX-License-Identifier: Apache-2.0
// The line table of one unit (.debug_line, DWARF 2 to 5): which source line each instruction belongs to.
//
// What a reader would get wrong: the table is a program that makes rows, and one byte of it may make a row. So rows are
// handed on one by one and never kept, and each walk takes from a budget.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

namespace dtrace::runtime {

/// The sections that line tables are in, decompressed. They outlive what is read from them.
struct LineSections {
  std::span<const std::byte> line, line_strings, strings;
};

struct LineRow {
  uint64_t address = 0;
  uint64_t file = 1;  ///< number for LineProgram::file()
  uint64_t line = 1;  ///< 0: none
  uint64_t column = 0;
  bool is_statement = false;
  bool ends_prologue = false;
  bool ends_sequence = false;  ///< `address` is behind the last instruction; the rest says nothing
};

class LineProgram {
 public:
  /// The table at `offset` of .debug_line (DW_AT_stmt_list). Nothing: there is none, or none that we can read.
  static std::optional<LineProgram> read(const LineSections &sections, uint64_t offset);

  /// Base name of a source file; empty: there is none of that number.
  std::string_view file(uint64_t number) const { return number < files_.size() ? files_[number] : std::string_view(); }
  size_t nr_files() const { return files_.size(); }
  /// Calls `use` for the rows, in order, until it returns false or `left` operations have been spent.
  void each_row(uint64_t &left, const std::function<bool(const LineRow &)> &use) const;

 private:
  std::vector<std::string_view> files_;  // base names; DWARF 2 to 4 have no number 0
  std::span<const std::byte> opcode_lengths_, program_;
  uint8_t instruction_bytes_ = 1, line_range_ = 1, first_special_ = 1;
  int8_t line_base_ = 0;
  bool begins_as_statement_ = true;
};

}  // namespace dtrace::runtime
