// SPDX-License-Identifier: Apache-2.0
#include "runtime/foreign/dwarf_entry.h"

#include <dwarf.h>

namespace dtrace::runtime {

bool first_child(Dwarf_Die *parent, Dwarf_Die *child, DwarfBudget &budget) {
  if (budget.entries == 0) return false;
  --budget.entries;
  return dwarf_child(parent, child) == 0;
}

bool next_sibling(Dwarf_Die *die, DwarfBudget &budget) {
  if (budget.entries == 0) return false;
  --budget.entries;
  const Dwarf_Off before = dwarf_dieoffset(die);
  return dwarf_siblingof(die, die) == 0 && dwarf_dieoffset(die) > before;
}

std::optional<uint64_t> dwarf_number(Dwarf_Die *die, unsigned attribute) {
  Dwarf_Attribute found;
  Dwarf_Word value = 0;
  if (dwarf_attr_integrate(die, attribute, &found) == nullptr || dwarf_formudata(&found, &value) != 0)
    return std::nullopt;
  return value;
}

bool dwarf_has_flag(Dwarf_Die *die, unsigned attribute) {
  Dwarf_Attribute found;
  bool is_set = false;
  return dwarf_attr_integrate(die, attribute, &found) != nullptr && dwarf_formflag(&found, &is_set) == 0 && is_set;
}

bool may_hold_code(int tag) {
  switch (tag) {
    case DW_TAG_namespace:
    case DW_TAG_module:
    case DW_TAG_structure_type:
    case DW_TAG_class_type:
    case DW_TAG_union_type:
    case DW_TAG_subprogram:
    case DW_TAG_lexical_block:
    case DW_TAG_try_block:
    case DW_TAG_catch_block:
    case DW_TAG_inlined_subroutine:
      return true;
    default:
      return false;
  }
}

bool dwarf_reference(Dwarf_Die *die, unsigned attribute, Dwarf_Die *to) {
  Dwarf_Attribute found;
  return dwarf_attr_integrate(die, attribute, &found) != nullptr && dwarf_formref_die(&found, to) != nullptr;
}

Dwarf_Die dwarf_origin(Dwarf_Die die) {
  constexpr unsigned kMaxCopies = 16;  // of copies
  Dwarf_Attribute found;
  Dwarf_Die origin;
  for (unsigned i = 0; i < kMaxCopies && dwarf_attr(&die, DW_AT_abstract_origin, &found) != nullptr &&
                       dwarf_formref_die(&found, &origin) != nullptr;
       ++i)
    die = origin;
  return die;
}

std::string_view dwarf_name(Dwarf_Die *die) {
  Dwarf_Attribute found;
  if (dwarf_attr_integrate(die, DW_AT_name, &found) == nullptr) return {};
  const char *name = dwarf_formstring(&found);
  return name == nullptr ? std::string_view() : std::string_view(name);
}

std::string_view dwarf_linkage_name(Dwarf_Die *die) {
  Dwarf_Attribute found;
  for (const unsigned attribute : {DW_AT_linkage_name, DW_AT_MIPS_linkage_name})
    if (dwarf_attr_integrate(die, attribute, &found) != nullptr)
      if (const char *name = dwarf_formstring(&found); name != nullptr) return name;
  return dwarf_name(die);
}

std::optional<uint64_t> dwarf_dimension(Dwarf_Die *array, unsigned number, DwarfBudget &budget) {
  Dwarf_Die bound;
  if (!first_child(array, &bound, budget)) return std::nullopt;
  unsigned at = 0;
  do {
    const int tag = dwarf_tag(&bound);
    if (tag != DW_TAG_subrange_type && tag != DW_TAG_enumeration_type) continue;
    if (at++ != number) continue;
    if (const std::optional<uint64_t> count = dwarf_number(&bound, DW_AT_count)) return *count;
    const std::optional<uint64_t> last = dwarf_number(&bound, DW_AT_upper_bound);
    return last ? *last + 1 - dwarf_number(&bound, DW_AT_lower_bound).value_or(0) : 0;
  } while (next_sibling(&bound, budget));
  return std::nullopt;
}

std::optional<DwarfMemberPlace> dwarf_member_place(Dwarf_Die *member, uint64_t type_bytes) {
  DwarfMemberPlace place;
  Dwarf_Attribute location;
  if (dwarf_attr(member, DW_AT_data_member_location, &location) != nullptr) {
    Dwarf_Word bytes = 0;
    if (dwarf_formudata(&location, &bytes) != 0) return std::nullopt;
    if (__builtin_mul_overflow(bytes, uint64_t{8}, &place.off_bits)) return std::nullopt;
  }
  const std::optional<uint64_t> bits = dwarf_number(member, DW_AT_bit_size);
  if (!bits) {
    if (const auto offset = dwarf_number(member, DW_AT_data_bit_offset)) place.off_bits = *offset;
    return place;
  }
  if (*bits == 0 || *bits > 64) return std::nullopt;
  place.bits = static_cast<uint32_t>(*bits);
  if (const auto offset = dwarf_number(member, DW_AT_data_bit_offset)) {
    place.off_bits = *offset;
  } else if (const auto from_top = dwarf_number(member, DW_AT_bit_offset)) {
    // DWARF 3: counted from the most significant bit of the unit.
    const uint64_t unit_bits = dwarf_number(member, DW_AT_byte_size).value_or(type_bytes) * 8;
    if (*from_top + *bits <= unit_bits) place.off_bits += unit_bits - *from_top - *bits;
  }
  return place;
}

}  // namespace dtrace::runtime
