// SPDX-License-Identifier: Apache-2.0
#include "runtime/foreign/split_base.h"

#include <dwarf.h>

#include <algorithm>
#include <array>
#include <cstring>
#include <optional>

#include "base/leb128.h"
#include "usdt/elf_file.h"

namespace dtrace::runtime {
namespace {

using usdt::Cursor;

uint64_t uleb_of(Cursor &cursor) {
  return read_uleb128([&] { return cursor.number(1); });
}

/// Size of an attribute's value; nothing: the form is not known here.
std::optional<size_t> form_bytes(uint64_t form) {
  switch (form) {
    case DW_FORM_flag_present:
    case DW_FORM_implicit_const:
      return 0;
    case DW_FORM_data1:
    case DW_FORM_flag:
    case DW_FORM_strx1:
    case DW_FORM_addrx1:
      return 1;
    case DW_FORM_data2:
    case DW_FORM_strx2:
    case DW_FORM_addrx2:
      return 2;
    case DW_FORM_data4:
    case DW_FORM_strx4:
    case DW_FORM_sec_offset:
      return 4;
    case DW_FORM_data8:
      return 8;
    default:
      return std::nullopt;
  }
}

/// Offsets in sections.
struct Place {
  size_t unit_entry = 0;     // .debug_info: the unit's first entry
  size_t abbreviations = 0;  // .debug_abbrev
};

std::optional<Place> find_unit(std::span<const std::byte> info, uint64_t id) {
  constexpr uint64_t kMax32 = 0xfffffff0;
  for (size_t at = 0; at < info.size();) {
    Cursor cursor(info.subspan(at));
    const uint64_t length = cursor.number(4);
    if (!cursor.ok() || length >= kMax32) return std::nullopt;
    const uint64_t version = cursor.number(2), type = cursor.number(1);
    cursor.skip(1);  // size of addresses
    const uint64_t abbreviations = cursor.number(4), own_id = cursor.number(8);
    if (!cursor.ok()) return std::nullopt;
    if (version == 5 && type == DW_UT_split_compile && own_id == id)
      return Place{info.size() - cursor.left(), static_cast<size_t>(abbreviations)};
    at += length + 4;
  }
  return std::nullopt;
}

std::span<std::byte> bytes_of(std::span<DwarfSection> sections, std::string_view name) {
  const auto found = std::ranges::find(sections, name, &DwarfSection::name);
  return found == sections.end() ? std::span<std::byte>() : std::span(found->bytes);
}

}  // namespace

bool state_split_base(std::span<DwarfSection> sections, uint64_t id, uint64_t base) {
  const std::span<std::byte> info = bytes_of(sections, ".debug_info");
  const std::span<std::byte> abbreviations = bytes_of(sections, ".debug_abbrev");
  const std::span<const std::byte> addresses = bytes_of(sections, ".debug_addr");
  const std::optional<Place> unit = find_unit(info, id);
  if (!unit || unit->abbreviations > abbreviations.size()) return true;
  std::array<std::byte, sizeof base> wanted{};
  std::memcpy(wanted.data(), &base, sizeof base);
  uint64_t index = 0;
  while ((index + 1) * sizeof base <= addresses.size() &&
         !std::ranges::equal(addresses.subspan(index * sizeof base, sizeof base), wanted))
    ++index;
  const bool is_known = (index + 1) * sizeof base <= addresses.size();

  Cursor entry(std::span<const std::byte>(info).subspan(unit->unit_entry));
  const uint64_t code = uleb_of(entry);
  Cursor table(std::span<const std::byte>(abbreviations).subspan(unit->abbreviations));
  // The unit's entry uses one of the first abbreviations.
  for (unsigned left = 4096; left != 0 && table.ok(); --left) {
    const uint64_t own = uleb_of(table);
    if (own == 0) return true;
    uleb_of(table);  // tag
    table.skip(1);   // has it children?
    for (;;) {
      const size_t at = abbreviations.size() - table.left();
      const uint64_t attribute = uleb_of(table), form = uleb_of(table);
      if (!table.ok()) return true;
      if (form == DW_FORM_implicit_const) uleb_of(table);
      if (attribute == 0 && form == 0) break;
      if (own != code) continue;
      const std::optional<size_t> size = form_bytes(form);
      if (!size) return true;
      const bool is_room = attribute == DW_AT_dwo_name && (form == DW_FORM_strx1 || form == DW_FORM_strx2);
      if (!is_room) {
        entry.skip(*size);
        continue;
      }
      // The numbers of attribute and form have one byte each, before and after.
      if (!is_known || index >> (*size * 8) != 0 || entry.left() < *size) return false;
      abbreviations[at] = std::byte{DW_AT_low_pc};
      abbreviations[at + 1] = std::byte{static_cast<uint8_t>(*size == 1 ? DW_FORM_addrx1 : DW_FORM_addrx2)};
      std::memcpy(info.data() + (info.size() - entry.left()), &index, *size);
      return true;
    }
    if (own == code) return true;
  }
  return true;
}

}  // namespace dtrace::runtime
