// SPDX-License-Identifier: Apache-2.0
#include "runtime/debug_info/dwarf_lines.h"

#include <dwarf.h>

#include <algorithm>
#include <unordered_set>
#include <utility>
#include <vector>

namespace dtrace::runtime {
namespace {

std::span<const std::byte> bytes_of(Dwarf *dwarf, std::string_view name) {
  const std::span<const std::byte> bytes = section_of(dwarf, std::string(".debug_").append(name));
  return bytes.empty() ? section_of(dwarf, std::string(".zdebug_").append(name)) : bytes;
}

LineSections sections_of(Dwarf *dwarf) {
  return {bytes_of(dwarf, "line"), bytes_of(dwarf, "line_str"), bytes_of(dwarf, "str")};
}

constexpr uint64_t kMaxRows = 4 << 20;  // that one search finds

/// Code that the linker has dropped begins at one of these addresses.
bool is_dropped(uint64_t address) { return address == 0 || address >= UINT64_MAX - 1; }

}  // namespace

std::optional<LineProgram> DwarfLines::program_at(uint64_t offset, uint64_t &left) {
  std::optional<LineProgram> program = LineProgram::read(sections_of(file_.get()), offset);
  // To read names costs as much as operations do.
  if (program) left -= std::min<uint64_t>(left, program->nr_files());
  return program;
}

bool DwarfLines::each_program(uint64_t &left, const std::function<void(const LineProgram &)> &use) {
  bool is_whole = true;
  std::unordered_set<uint64_t> seen;  // units may share a table
  Dwarf_Die unit;
  for (Dwarf_CU *cu = nullptr; left != 0 && file_.budget().entries != 0 &&
                               dwarf_get_units(file_.get(), cu, &cu, nullptr, nullptr, &unit, nullptr) == 0;) {
    --file_.budget().entries;
    const std::optional<uint64_t> offset = dwarf_number(&unit, DW_AT_stmt_list);
    if (!offset || !seen.insert(*offset).second) continue;
    if (const std::optional<LineProgram> program = program_at(*offset, left))
      use(*program);
    else
      is_whole = false;
  }
  return is_whole && left != 0 && file_.budget().entries != 0;
}

void DwarfLines::each_file(const std::function<void(std::string_view file)> &use) {
  uint64_t left = limits::kMaxLineOperations;
  (void)each_program(left, [&](const LineProgram &program) {
    for (uint64_t number = 0; number < program.nr_files(); ++number)
      if (const std::string_view name = program.file(number); !name.empty()) use(name);
  });
}

bool DwarfLines::each_start(const std::function<bool(std::string_view file)> &wants,
                            const std::function<void(const Start &)> &use) {
  uint64_t left = limits::kMaxLineOperations;
  return each_program(left, [&](const LineProgram &program) {
    std::vector<bool> is_wanted;
    for (uint64_t number = 0; number < program.nr_files(); ++number)
      is_wanted.push_back(!program.file(number).empty() && wants(program.file(number)));
    if (std::ranges::find(is_wanted, true) == is_wanted.end()) return;
    bool is_first = true, is_skipped = false, is_told = false;
    std::pair<std::string_view, uint64_t> at;  // of the run of instructions
    program.each_row(left, [&](const LineRow &row) {
      if (row.ends_sequence) {
        is_first = true;
        return true;
      }
      const std::pair here(program.file(row.file), row.line);
      // clang says so only of another number, and a file's line may follow the line of that number in another file.
      const bool is_statement = row.is_statement || (!is_first && here.first != at.first && here.second == at.second);
      if (is_first) is_skipped = is_dropped(row.address);
      if (is_first || here != at) is_told = false;
      is_first = false;
      at = here;
      const bool is_start = is_statement && !is_told && !is_skipped && row.line != 0 && row.line <= UINT32_MAX;
      if (!is_start || row.file >= is_wanted.size() || !is_wanted[row.file]) return true;
      is_told = true;
      use({here.first, static_cast<uint32_t>(row.line), row.address});
      return true;
    });
  });
}

std::string_view DwarfLines::source_file(Dwarf_Die die) {
  Dwarf_Attribute stated;
  Dwarf_Word number = 0;
  if (dwarf_attr_integrate(&die, DW_AT_decl_file, &stated) == nullptr || dwarf_formudata(&stated, &number) != 0)
    return {};
  Dwarf_Die unit;
  Dwarf *image = dwarf_cu_getdwarf(stated.cu);
  if (dwarf_cu_die(stated.cu, &unit, nullptr, nullptr, nullptr, nullptr, nullptr, nullptr) == nullptr) return {};
  const std::optional<uint64_t> offset = dwarf_number(&unit, DW_AT_stmt_list);
  // A unit of a file of its own (.dwo) has the only table there.
  const auto [known, is_new] = programs_.try_emplace({image, offset.value_or(0)});
  if (is_new && (offset || image != file_.get()))
    known->second = LineProgram::read(sections_of(image), offset.value_or(0));
  return known->second ? known->second->file(number) : std::string_view();
}

bool DwarfLines::each_row_of(std::span<const Declaration> declarations, std::span<const Dwarf_Off> units,
                             const std::function<void(size_t which, uint64_t address)> &use) {
  std::multimap<std::pair<uint64_t, uint64_t>, size_t> wanted;
  for (size_t i = 0; i < declarations.size(); ++i)
    if (declarations[i].line != 0 && declarations[i].column != 0)
      wanted.emplace(std::pair(declarations[i].line, declarations[i].column), i);
  if (wanted.empty()) return true;
  bool is_whole = true;
  uint64_t rows_left = kMaxRows;
  uint64_t left = limits::kMaxLineOperations;
  std::unordered_set<uint64_t> seen;  // units may share a table
  for (const Dwarf_Off at : units) {
    Dwarf_Die unit;
    const std::optional<uint64_t> offset =
        dwarf_offdie(file_.get(), at, &unit) != nullptr ? dwarf_number(&unit, DW_AT_stmt_list) : std::nullopt;
    if (!offset || !seen.insert(*offset).second) continue;
    const std::optional<LineProgram> program = program_at(*offset, left);
    is_whole &= program.has_value();
    if (!program) continue;
    bool is_first = true, is_skipped = false;
    program->each_row(left, [&](const LineRow &row) {
      if (is_first) is_skipped = is_dropped(row.address);
      is_first = row.ends_sequence;
      if (row.ends_sequence || !row.is_statement || is_skipped) return true;
      const auto [first, last] = wanted.equal_range({row.line, row.column});
      for (auto one = first; one != last && rows_left != 0; ++one, --rows_left)
        if (declarations[one->second].file == program->file(row.file)) use(one->second, row.address);
      return rows_left != 0;
    });
  }
  return is_whole && left != 0 && rows_left != 0;
}

bool DwarfLines::each_line_row(Dwarf_Off at,
                               const std::function<void(std::string_view file, const LineRow &row)> &use) {
  Dwarf_Die unit;
  const std::optional<uint64_t> offset =
      dwarf_offdie(file_.get(), at, &unit) != nullptr ? dwarf_number(&unit, DW_AT_stmt_list) : std::nullopt;
  const std::optional<LineProgram> program = offset ? program_at(*offset, statements_left_) : std::nullopt;
  if (!program) return false;
  program->each_row(statements_left_, [&](const LineRow &row) {
    if (!row.ends_sequence) use(program->file(row.file), row);
    return true;
  });
  return statements_left_ != 0;
}

bool DwarfLines::each_statement(
    Dwarf_Off unit, const std::function<void(std::string_view file, uint64_t line, uint64_t address)> &use) {
  return each_line_row(unit, [&](std::string_view file, const LineRow &row) {
    if (row.is_statement) use(file, row.line, row.address);
  });
}

std::optional<uint64_t> DwarfLines::body_start(Dwarf_Die unit, uint64_t start, uint64_t end) {
  const auto [known, is_new] = bodies_.try_emplace(start);
  if (!is_new) return known->second;
  uint64_t left = limits::kMaxLineOperations;
  const std::optional<uint64_t> offset = dwarf_number(&unit, DW_AT_stmt_list);
  const std::optional<LineProgram> program = offset ? program_at(*offset, left) : std::nullopt;
  if (!program) return std::nullopt;
  std::optional<uint64_t> second, told;
  program->each_row(left, [&](const LineRow &row) {
    if (row.ends_sequence || row.address < start || row.address >= end) return true;
    if (row.ends_prologue && (!told || row.address < *told)) told = row.address;
    if (row.address != start && (!second || row.address < *second)) second = row.address;
    return true;
  });
  // gcc says nothing; its second row is behind the prologue.
  return known->second = told ? told : second;
}

}  // namespace dtrace::runtime
