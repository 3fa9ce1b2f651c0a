// SPDX-License-Identifier: Apache-2.0
#include "runtime/foreign/line_program.h"

#include <dwarf.h>

#include <array>

#include "base/foreign_limits.h"
#include "base/leb128.h"
#include "usdt/elf_file.h"

namespace dtrace::runtime {
namespace {

using usdt::Cursor;

uint64_t uleb_of(Cursor &cursor) {
  return read_uleb128([&] { return cursor.number(1); });
}
int64_t sleb_of(Cursor &cursor) {
  return read_sleb128([&] { return cursor.number(1); });
}

std::string_view base_name(std::string_view path) {
  const size_t slash = path.rfind('/');
  return slash == std::string_view::npos ? path : path.substr(slash + 1);
}

/// One column of the tables of directories and files of DWARF 5.
struct Column {
  uint64_t content = 0, form = 0;
};
constexpr size_t kMaxColumns = 16;

/// A field of a form; `text` is set for strings. False: a form that no line table has.
bool read_field(Cursor &cursor, uint64_t form, unsigned offset_bytes, const LineSections &sections,
                std::string_view &text) {
  switch (form) {
    case DW_FORM_string:
      text = cursor.string();
      break;
    case DW_FORM_line_strp:
      text = usdt::string_in(sections.line_strings, cursor.number(offset_bytes));
      break;
    case DW_FORM_strp:
      text = usdt::string_in(sections.strings, cursor.number(offset_bytes));
      break;
    case DW_FORM_udata:
      uleb_of(cursor);
      break;
    case DW_FORM_data1:
      cursor.skip(1);
      break;
    case DW_FORM_data2:
      cursor.skip(2);
      break;
    case DW_FORM_data4:
      cursor.skip(4);
      break;
    case DW_FORM_data8:
      cursor.skip(8);
      break;
    case DW_FORM_data16:
      cursor.skip(16);
      break;
    case DW_FORM_block:
      cursor.skip(uleb_of(cursor));
      break;
    default:
      return false;
  }
  return cursor.ok();
}

/// A table of DWARF 5: the base names in it. False: it makes no sense.
bool read_names(Cursor &cursor, unsigned offset_bytes, const LineSections &sections,
                std::vector<std::string_view> &names) {
  std::array<Column, kMaxColumns> columns;
  const uint64_t nr_columns = cursor.number(1);
  if (nr_columns > columns.size()) return false;
  for (uint64_t i = 0; i < nr_columns; ++i) {
    columns[i].content = uleb_of(cursor);
    columns[i].form = uleb_of(cursor);
  }
  const uint64_t count = uleb_of(cursor);
  // A row has a byte at least.
  if (!cursor.ok() || count > cursor.left() || count > limits::kMaxSourceFiles || (count != 0 && nr_columns == 0))
    return false;
  for (uint64_t row = 0; row < count; ++row) {
    std::string_view name;
    for (uint64_t i = 0; i < nr_columns; ++i) {
      std::string_view text;
      if (!read_field(cursor, columns[i].form, offset_bytes, sections, text)) return false;
      if (columns[i].content == DW_LNCT_path) name = base_name(text);
    }
    names.push_back(name);
  }
  return true;
}

/// The tables of DWARF 2 to 4, in which files count from 1.
bool read_old_names(Cursor &cursor, std::vector<std::string_view> &names) {
  while (cursor.ok() && !cursor.string().empty()) {
  }
  names.emplace_back();
  while (cursor.ok() && names.size() < limits::kMaxSourceFiles) {
    const std::string_view name = cursor.string();
    if (name.empty()) break;
    for (int i = 0; i < 3; ++i) uleb_of(cursor);  // directory, time, size
    names.push_back(base_name(name));
  }
  return cursor.ok();
}

}  // namespace

std::optional<LineProgram> LineProgram::read(const LineSections &sections, uint64_t offset) {
  if (offset >= sections.line.size()) return std::nullopt;
  Cursor whole(sections.line.subspan(offset));
  uint64_t length = whole.number(4);
  unsigned offset_bytes = 4;
  if (length == UINT32_MAX) {
    length = whole.number(8);
    offset_bytes = 8;
  }
  if (!whole.ok() || length > whole.left()) return std::nullopt;
  Cursor unit(whole.bytes(length));
  const uint64_t version = unit.number(2);
  if (version < 2 || version > 5) return std::nullopt;
  if (version == 5) unit.skip(2);  // sizes of addresses and of segment selectors
  const uint64_t header_bytes = unit.number(offset_bytes);
  if (!unit.ok() || header_bytes > unit.left()) return std::nullopt;
  LineProgram program;
  Cursor header(unit.bytes(header_bytes));
  program.program_ = unit.bytes(unit.left());
  program.instruction_bytes_ = static_cast<uint8_t>(header.number(1));
  if (version >= 4 && header.number(1) > 1) return std::nullopt;  // several operations in an instruction
  program.begins_as_statement_ = header.number(1) != 0;
  program.line_base_ = static_cast<int8_t>(header.number(1));
  program.line_range_ = static_cast<uint8_t>(header.number(1));
  program.first_special_ = static_cast<uint8_t>(header.number(1));
  if (program.line_range_ == 0 || program.first_special_ == 0) return std::nullopt;
  program.opcode_lengths_ = header.bytes(program.first_special_ - 1U);
  if (!header.ok()) return std::nullopt;
  std::vector<std::string_view> directories;
  const bool has_names = version < 5 ? read_old_names(header, program.files_)
                                     : read_names(header, offset_bytes, sections, directories) &&
                                           read_names(header, offset_bytes, sections, program.files_);
  if (!has_names) return std::nullopt;
  return program;
}

void LineProgram::each_row(uint64_t &left, const std::function<bool(const LineRow &)> &use) const {
  LineRow begin;
  begin.is_statement = begins_as_statement_;
  LineRow row = begin;
  Cursor cursor(program_);
  const auto take = [&] {
    const bool goes_on = use(row);
    row.ends_prologue = false;
    return goes_on;
  };
  const auto advance = [&](uint64_t units) { row.address += units * instruction_bytes_; };
  while (!cursor.at_end() && cursor.ok() && left != 0) {
    --left;
    const auto opcode = static_cast<uint8_t>(cursor.number(1));
    if (opcode >= first_special_) {
      const unsigned adjusted = opcode - first_special_;
      advance(adjusted / line_range_);
      row.line += static_cast<uint64_t>(static_cast<int64_t>(line_base_) + adjusted % line_range_);
      if (!take()) return;
      continue;
    }
    switch (opcode) {
      case 0: {  // extended: its length follows
        const uint64_t length = uleb_of(cursor);
        if (length == 0 || length > cursor.left()) return;
        Cursor operation(cursor.bytes(length));
        const uint64_t kind = operation.number(1);
        if (kind == DW_LNE_set_address) {
          if (operation.left() != 4 && operation.left() != 8) return;
          row.address = operation.number(static_cast<unsigned>(operation.left()));
        } else if (kind == DW_LNE_end_sequence) {
          row.ends_sequence = true;
          if (!use(row)) return;
          row = begin;
        }
        break;
      }
      case DW_LNS_copy:
        if (!take()) return;
        break;
      case DW_LNS_advance_pc:
        advance(uleb_of(cursor));
        break;
      case DW_LNS_advance_line:
        row.line += static_cast<uint64_t>(sleb_of(cursor));
        break;
      case DW_LNS_set_file:
        row.file = uleb_of(cursor);
        break;
      case DW_LNS_set_column:
        row.column = uleb_of(cursor);
        break;
      case DW_LNS_negate_stmt:
        row.is_statement = !row.is_statement;
        break;
      case DW_LNS_const_add_pc:
        advance((UINT8_MAX - first_special_) / line_range_);
        break;
      case DW_LNS_fixed_advance_pc:
        row.address += cursor.number(2);
        break;
      case DW_LNS_set_prologue_end:
        row.ends_prologue = true;
        break;
      default:
        for (auto operands = static_cast<uint8_t>(opcode_lengths_[opcode - 1U]); operands != 0; --operands)
          uleb_of(cursor);
        break;
    }
  }
}

}  // namespace dtrace::runtime
