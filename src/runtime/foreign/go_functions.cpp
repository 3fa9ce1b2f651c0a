// SPDX-License-Identifier: Apache-2.0
#include "runtime/foreign/go_functions.h"

#include <elf.h>

#include <algorithm>
#include <span>
#include <utility>

#include "base/foreign_limits.h"

namespace dtrace::runtime {
namespace {

/// What differs between the formats, which Go's runtime/symtab.go describes. Numbers are words of the header, which
/// begin behind its first eight bytes.
struct Format {
  uint32_t magic;
  bool has_offsets;       ///< in the header, and not one table from which all is counted
  bool counts_from_text;  ///< addresses are 32-bit distances from the start of the text
  unsigned text, names, table;
};
constexpr Format kFormats[] = {
    {0xfffffffb, false, false, 0, 0, 0},  // Go 1.2
    {0xfffffffa, true, false, 0, 2, 6},   // 1.16
    {0xfffffff0, true, true, 2, 3, 7},    // 1.18
    {0xfffffff1, true, true, 2, 3, 7},    // 1.20
};
constexpr unsigned kHeaderBytes = 8;
constexpr unsigned kPointerBytes = 8;

/// Numbers anywhere in the table; those beyond its end are 0, and is_whole() is false from then on.
class Table {
 public:
  explicit Table(std::span<const std::byte> bytes) : bytes_(bytes) {}
  uint64_t number(uint64_t at, unsigned size_bytes) {
    if (at > bytes_.size() || bytes_.size() - at < size_bytes) {
      is_whole_ = false;
      return 0;
    }
    return usdt::Cursor(bytes_.subspan(at)).number(size_bytes);
  }
  uint64_t header_word(unsigned n) { return number(kHeaderBytes + uint64_t{n} * kPointerBytes, kPointerBytes); }
  bool is_whole() const { return is_whole_; }

 private:
  std::span<const std::byte> bytes_;
  bool is_whole_ = true;
};

/// Where the text starts. A program that may be loaded anywhere has 0 there, and a relocation that says it.
std::optional<uint64_t> text_start(const usdt::ElfFile &elf, uint64_t address_of_word, uint64_t word) {
  if (word != 0) return word;
  std::optional<uint64_t> found;
  for (const usdt::Section &section : elf.sections())
    if (section.type == SHT_RELA)
      elf.each_relocation(section, [&](const usdt::Relocation &relocation) {
        if (relocation.place == address_of_word) found = static_cast<uint64_t>(relocation.addend);
      });
  return found;
}

}  // namespace

const usdt::Section *go_function_table(const usdt::ElfFile &elf) {
  const usdt::Section *section = elf.section(".gopclntab");
  // In programs that may be loaded anywhere.
  return section != nullptr ? section : elf.section(".data.rel.ro.gopclntab");
}

std::optional<GoFunctions> read_go_functions(const usdt::ElfFile &elf) {
  const usdt::Section *section = go_function_table(elf);
  if (section == nullptr || !elf.is_64bit()) return std::nullopt;
  const std::vector<std::byte> bytes = elf.contents(*section, limits::kMaxGoTableBytes);
  Table table(bytes);
  const auto magic = static_cast<uint32_t>(table.number(0, 4));
  const auto *format = std::ranges::find(kFormats, magic, &Format::magic);
  if (format == std::end(kFormats) || table.number(7, 1) != kPointerBytes) return std::nullopt;

  const uint64_t nr_functions = table.header_word(0);
  const uint64_t names = format->has_offsets ? table.header_word(format->names) : 0;
  const uint64_t entries = format->has_offsets ? table.header_word(format->table) : kHeaderBytes + kPointerBytes;
  const uint64_t descriptions = format->has_offsets ? entries : 0;  // what their offsets are counted from
  const unsigned field_bytes = format->counts_from_text ? 4 : kPointerBytes;
  if (!table.is_whole() || nr_functions > bytes.size() / (2 * uint64_t{field_bytes}) || names > bytes.size() ||
      entries > bytes.size())
    return std::nullopt;
  uint64_t text = 0;
  if (format->counts_from_text) {
    const std::optional<uint64_t> start = text_start(
        elf, section->address + kHeaderBytes + uint64_t{format->text} * kPointerBytes, table.header_word(format->text));
    if (!start) return std::nullopt;
    text = *start;
  }

  // As with symbols: names may share their bytes, but not thousands of them.
  constexpr uint64_t kSharedNames = 8;
  uint64_t names_bytes = 0;
  GoFunctions found;
  found.functions.reserve(nr_functions);
  uint64_t names_end = names;
  for (uint64_t i = 0; i < nr_functions; ++i) {
    const uint64_t entry = entries + i * 2 * field_bytes;
    const uint64_t address = table.number(entry, field_bytes);
    const uint64_t next = table.number(entry + 2 * field_bytes, field_bytes);
    const uint64_t description = descriptions + table.number(entry + field_bytes, field_bytes);
    const uint64_t name = table.number(description + field_bytes, 4);
    if (!table.is_whole() || next < address) return std::nullopt;
    const std::string_view text_of_name = usdt::string_in(bytes, names + name, limits::kMaxSymbolNameBytes);
    if (text_of_name.empty()) continue;
    names_bytes += text_of_name.size();
    if (names_bytes > bytes.size() * kSharedNames) return std::nullopt;
    names_end = std::max(names_end, names + name + text_of_name.size() + 1);
    found.functions.push_back({text + address, next - address, static_cast<uint32_t>(name)});
  }
  found.names.assign(reinterpret_cast<const char *>(bytes.data()) + names, names_end - names);
  return found;
}

}  // namespace dtrace::runtime
