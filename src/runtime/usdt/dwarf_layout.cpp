// SPDX-License-Identifier: Apache-2.0
// Only names at file scope and in namespaces are looked at: a probe's declaration cannot name others.
#include "runtime/usdt/dwarf_layout.h"

#include <dwarf.h>
#include <elfutils/libdw.h>

#include <memory>
#include <string>

namespace dtrace {
namespace {

struct DwarfEnd {
  void operator()(Dwarf *dwarf) const { dwarf_end(dwarf); }
};
using DwarfHandle = std::unique_ptr<Dwarf, DwarfEnd>;

/// Hostile files: structures in structures, and chains of typedefs.
constexpr unsigned kMostDepth = 16;
constexpr size_t kMostMembers = 65536;

/// What a declaration calls it: the keyword, if any, and the last part of the name.
struct Wanted {
  int tag = 0;  ///< 0: a typedef, or in C++ a class as well
  std::string_view name;
};

Wanted wanted(std::string_view type) {
  Wanted result;
  if (const size_t blank = type.find(' '); blank != std::string_view::npos) {
    result.tag = type.substr(0, blank) == "union" ? DW_TAG_union_type : DW_TAG_structure_type;
    type.remove_prefix(blank + 1);
  }
  const size_t colon = type.rfind("::");
  result.name = colon == std::string_view::npos ? type : type.substr(colon + 2);
  return result;
}

bool is_aggregate(int tag) {
  return tag == DW_TAG_structure_type || tag == DW_TAG_union_type || tag == DW_TAG_class_type;
}

std::optional<uint64_t> number(Dwarf_Die *die, unsigned attribute) {
  Dwarf_Attribute found;
  Dwarf_Word value = 0;
  if (dwarf_attr_integrate(die, attribute, &found) == nullptr || dwarf_formudata(&found, &value) != 0)
    return std::nullopt;
  return value;
}

/// The type of a member or typedef, without names and qualifiers.
bool type_of(Dwarf_Die *die, Dwarf_Die *type) {
  Dwarf_Attribute attribute;
  if (dwarf_attr_integrate(die, DW_AT_type, &attribute) == nullptr) return false;
  Dwarf_Die direct;
  if (dwarf_formref_die(&attribute, &direct) == nullptr) return false;
  return dwarf_peel_type(&direct, type) == 0;
}

std::vector<StructLayout::Member> members_of(Dwarf_Die *aggregate, unsigned depth, size_t &budget);

std::optional<StructLayout::Member> member_of(Dwarf_Die *die, unsigned depth, size_t &budget) {
  StructLayout::Member member;
  const bool is_base = dwarf_tag(die) == DW_TAG_inheritance;
  if (const char *name = dwarf_diename(die); name != nullptr && !is_base) member.name = name;
  Dwarf_Die type;
  if (dwarf_hasattr(die, DW_AT_external) || !type_of(die, &type)) return std::nullopt;  // a static member
  Dwarf_Word size = 0;
  if (dwarf_aggregate_size(&type, &size) == 0) member.bits = size * 8;
  member.off_bits = number(die, DW_AT_data_member_location).value_or(0) * 8;
  if (const std::optional<uint64_t> bits = number(die, DW_AT_bit_size)) {
    if (const std::optional<uint64_t> offset = number(die, DW_AT_data_bit_offset)) {
      member.off_bits = *offset;
    } else if (const std::optional<uint64_t> from_top = number(die, DW_AT_bit_offset)) {
      // DWARF 3: counted from the most significant bit of the unit.
      const uint64_t unit_bits = number(die, DW_AT_byte_size).value_or(member.bits / 8) * 8;
      if (*from_top + *bits <= unit_bits) member.off_bits += unit_bits - *from_top - *bits;
    }
    member.bits = *bits;
  }
  if (is_aggregate(dwarf_tag(&type))) member.members = members_of(&type, depth + 1, budget);
  return member;
}

std::vector<StructLayout::Member> members_of(Dwarf_Die *aggregate, unsigned depth, size_t &budget) {
  std::vector<StructLayout::Member> result;
  Dwarf_Die child;
  if (depth > kMostDepth || dwarf_child(aggregate, &child) != 0) return result;
  do {
    const int tag = dwarf_tag(&child);
    if (tag != DW_TAG_member && tag != DW_TAG_inheritance) continue;
    if (budget == 0) return result;
    --budget;
    std::optional<StructLayout::Member> member = member_of(&child, depth, budget);
    if (!member) continue;
    if (!member->name.empty()) {
      result.push_back(std::move(*member));
      continue;
    }
    for (StructLayout::Member &inner : member->members) {
      inner.off_bits += member->off_bits;
      result.push_back(std::move(inner));
    }
  } while (dwarf_siblingof(&child, &child) == 0);
  return result;
}

/// The layout, if `die` is a definition of what is wanted.
std::optional<StructLayout> definition(Dwarf_Die *die, const Wanted &wanted) {
  const int tag = dwarf_tag(die);
  const bool fits = wanted.tag == 0
                        ? tag == DW_TAG_typedef || is_aggregate(tag)
                        : tag == wanted.tag || (tag == DW_TAG_class_type && wanted.tag != DW_TAG_union_type);
  if (!fits) return std::nullopt;
  const char *name = dwarf_diename(die);
  if (name == nullptr || wanted.name != name) return std::nullopt;
  Dwarf_Die type = *die;
  if (tag == DW_TAG_typedef && !type_of(die, &type)) return std::nullopt;
  if (!is_aggregate(dwarf_tag(&type)) || dwarf_hasattr(&type, DW_AT_declaration)) return std::nullopt;
  StructLayout layout;
  Dwarf_Word size = 0;
  if (dwarf_aggregate_size(&type, &size) == 0) layout.size_bytes = size;
  size_t budget = kMostMembers;
  layout.members = members_of(&type, 0, budget);
  return layout;
}

std::optional<StructLayout> search(Dwarf_Die *scope, const Wanted &wanted, unsigned depth) {
  Dwarf_Die child;
  if (depth > kMostDepth || dwarf_child(scope, &child) != 0) return std::nullopt;
  do {
    if (std::optional<StructLayout> found = definition(&child, wanted)) return found;
    if (dwarf_tag(&child) != DW_TAG_namespace) continue;
    if (std::optional<StructLayout> found = search(&child, wanted, depth + 1)) return found;
  } while (dwarf_siblingof(&child, &child) == 0);
  return std::nullopt;
}

/// A unit of -gsplit-dwarf names the file that has its types.
bool is_skeleton(Dwarf_Die *unit) {
  return dwarf_hasattr(unit, DW_AT_dwo_name) != 0 || dwarf_hasattr(unit, DW_AT_GNU_dwo_name) != 0;
}

}  // namespace

bool has_split_units(int fd) {
  const DwarfHandle dwarf(dwarf_begin(fd, DWARF_C_READ));
  Dwarf_Die unit;
  for (Dwarf_CU *cu = nullptr;
       dwarf != nullptr && dwarf_get_units(dwarf.get(), cu, &cu, nullptr, nullptr, &unit, nullptr) == 0;)
    if (is_skeleton(&unit)) return true;
  return false;
}

std::optional<StructLayout> dwarf_layout(int fd, std::string_view type, uint64_t pc) {
  const DwarfHandle dwarf(dwarf_begin(fd, DWARF_C_READ));
  if (dwarf == nullptr) return std::nullopt;
  const Wanted what = wanted(type);
  Dwarf_Die unit;
  if (dwarf_addrdie(dwarf.get(), pc, &unit) != nullptr)
    if (std::optional<StructLayout> found = search(&unit, what, 0)) return found;
  // Units that dwz moved out of several files lie in one that they share; its handle ends with ours.
  for (Dwarf *file : {dwarf.get(), dwarf_getalt(dwarf.get())})
    for (Dwarf_CU *cu = nullptr;
         file != nullptr && dwarf_get_units(file, cu, &cu, nullptr, nullptr, &unit, nullptr) == 0;)
      if (std::optional<StructLayout> found = search(&unit, what, 0)) return found;
  return std::nullopt;
}

}  // namespace dtrace
