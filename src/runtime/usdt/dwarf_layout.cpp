// SPDX-License-Identifier: Apache-2.0
// Only names at file scope and in namespaces are looked at: a probe's declaration cannot name others.
#include "runtime/usdt/dwarf_layout.h"

#include <dwarf.h>
#include <elfutils/libdw.h>

#include <string>

#include "base/foreign_limits.h"
#include "runtime/foreign/dwarf_entry.h"
#include "runtime/foreign/dwarf_image.h"

namespace dtrace::runtime {
namespace {

using limits::kMaxDwarfDepth;
using Budget = DwarfBudget;

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

bool is_only_name(int tag) {
  return tag == DW_TAG_typedef || tag == DW_TAG_const_type || tag == DW_TAG_volatile_type ||
         tag == DW_TAG_restrict_type || tag == DW_TAG_atomic_type;
}

/// The type of a member or typedef, without names and qualifiers.
bool type_of(Dwarf_Die *die, Dwarf_Die *type) {
  Dwarf_Die at = *die;
  for (unsigned step = 0; step <= kMaxDwarfDepth; ++step) {
    Dwarf_Die next;
    if (!dwarf_reference(&at, DW_AT_type, &next)) return false;
    if (!is_only_name(dwarf_tag(&next))) {
      *type = next;
      return true;
    }
    at = next;
  }
  return false;
}

/// The number of elements of an array.
uint64_t count_of(Dwarf_Die *array, Budget &budget) {
  uint64_t count = 1;
  std::optional<uint64_t> elements;
  unsigned dimension = 0;
  for (; (elements = dwarf_dimension(array, dimension, budget)); ++dimension)
    if (__builtin_mul_overflow(count, *elements, &count)) return 0;
  return dimension == 0 ? 0 : count;
}

/// Size of a type without names and qualifiers. Nothing: the file does not say.
std::optional<uint64_t> size_of(Dwarf_Die *type, Budget &budget, unsigned depth = 0) {
  if (const std::optional<uint64_t> size = dwarf_number(type, DW_AT_byte_size)) return size;
  switch (dwarf_tag(type)) {
    case DW_TAG_pointer_type:
    case DW_TAG_reference_type:
    case DW_TAG_rvalue_reference_type: {
      Dwarf_Die unit;
      uint8_t address_bytes = 0;
      if (dwarf_diecu(type, &unit, &address_bytes, nullptr) == nullptr) return std::nullopt;
      return address_bytes;
    }
    case DW_TAG_array_type: {
      Dwarf_Die element;
      if (depth > kMaxDwarfDepth || !type_of(type, &element)) return std::nullopt;
      std::optional<uint64_t> size = size_of(&element, budget, depth + 1);
      if (!size || __builtin_mul_overflow(*size, count_of(type, budget), &*size)) return std::nullopt;
      return size;
    }
    default:
      return std::nullopt;
  }
}

std::vector<StructLayout::Member> members_of(Dwarf_Die *aggregate, unsigned depth, Budget &budget);

std::optional<StructLayout::Member> member_of(Dwarf_Die *die, unsigned depth, Budget &budget) {
  StructLayout::Member member;
  const bool is_base = dwarf_tag(die) == DW_TAG_inheritance;
  if (const char *name = dwarf_diename(die); name != nullptr && !is_base) member.name = name;
  Dwarf_Die type;
  if (dwarf_hasattr(die, DW_AT_external) || !type_of(die, &type)) return std::nullopt;  // a static member
  member.bits = size_of(&type, budget).value_or(0) * 8;
  const std::optional<DwarfMemberPlace> place = dwarf_member_place(die, member.bits / 8);
  if (place) {
    member.off_bits = place->off_bits;
    if (place->bits != 0) member.bits = place->bits;
  }
  if (is_aggregate(dwarf_tag(&type))) member.members = members_of(&type, depth + 1, budget);
  return member;
}

std::vector<StructLayout::Member> members_of(Dwarf_Die *aggregate, unsigned depth, Budget &budget) {
  std::vector<StructLayout::Member> result;
  Dwarf_Die child;
  if (depth > kMaxDwarfDepth || !first_child(aggregate, &child, budget)) return result;
  do {
    const int tag = dwarf_tag(&child);
    if (tag != DW_TAG_member && tag != DW_TAG_inheritance) continue;
    if (budget.members == 0) return result;
    --budget.members;
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
  } while (next_sibling(&child, budget));
  return result;
}

/// The layout, if `die` is a definition of what is wanted.
std::optional<StructLayout> definition(Dwarf_Die *die, const Wanted &wanted, Budget &budget) {
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
  layout.size_bytes = dwarf_number(&type, DW_AT_byte_size).value_or(0);
  layout.members = members_of(&type, 0, budget);
  return layout;
}

std::optional<StructLayout> search(Dwarf_Die *scope, const Wanted &wanted, unsigned depth, Budget &budget) {
  Dwarf_Die child;
  if (depth > kMaxDwarfDepth || !first_child(scope, &child, budget)) return std::nullopt;
  do {
    if (std::optional<StructLayout> found = definition(&child, wanted, budget)) return found;
    if (dwarf_tag(&child) != DW_TAG_namespace) continue;
    if (std::optional<StructLayout> found = search(&child, wanted, depth + 1, budget)) return found;
  } while (next_sibling(&child, budget));
  return std::nullopt;
}

/// A unit of -gsplit-dwarf names the file that has its types.
bool is_skeleton(Dwarf_Die *unit) {
  return dwarf_hasattr(unit, DW_AT_dwo_name) != 0 || dwarf_hasattr(unit, DW_AT_GNU_dwo_name) != 0;
}

std::optional<StructLayout> search_units(Dwarf *file, const Wanted &wanted, Budget &budget) {
  Dwarf_Die unit;
  for (Dwarf_CU *cu = nullptr;
       budget.entries != 0 && dwarf_get_units(file, cu, &cu, nullptr, nullptr, &unit, nullptr) == 0;)
    if (std::optional<StructLayout> found = search(&unit, wanted, 0, budget)) return found;
  return std::nullopt;
}

/// Units that dwz moved out of several files lie in one that they share.
std::optional<DwarfImage> shared_image(const usdt::ElfFile &elf, const FilePlace &place) {
  const Fd fd = open_shared_debug_file(shared_debug_file(elf), place);
  if (!fd) return std::nullopt;
  const usdt::FileSource source(fd.get());
  const Result<usdt::ElfFile> file = usdt::ElfFile::open_any(source);
  if (!file) return std::nullopt;
  Result<DwarfImage> image = DwarfImage::read(*file);
  return image ? std::optional(std::move(*image)) : std::nullopt;
}

}  // namespace

bool has_split_units(const usdt::ElfFile &elf) {
  const Result<DwarfImage> image = DwarfImage::read(elf);
  if (!image) return false;
  Dwarf_Die unit;
  for (Dwarf_CU *cu = nullptr; dwarf_get_units(image->get(), cu, &cu, nullptr, nullptr, &unit, nullptr) == 0;)
    if (is_skeleton(&unit)) return true;
  return false;
}

std::optional<StructLayout> dwarf_layout(const usdt::ElfFile &elf, std::string_view type, uint64_t pc,
                                         const FilePlace &place) {
  const std::optional<DwarfImage> shared = shared_image(elf, place);
  Result<DwarfImage> own = DwarfImage::read(elf);
  if (!own) return std::nullopt;
  if (shared) own->share(*shared);
  const Wanted what = wanted(type);
  Budget budget;
  Dwarf_Die unit;
  if (dwarf_addrdie(own->get(), pc, &unit) != nullptr)
    if (std::optional<StructLayout> found = search(&unit, what, 0, budget)) return found;
  if (std::optional<StructLayout> found = search_units(own->get(), what, budget)) return found;
  return shared ? search_units(shared->get(), what, budget) : std::nullopt;
}

}  // namespace dtrace::runtime
