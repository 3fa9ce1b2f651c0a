// SPDX-License-Identifier: Apache-2.0
#include "runtime/debug_info/passed_by_reference.h"

#include <dwarf.h>

#include <optional>
#include <string_view>

#include "base/foreign_limits.h"

namespace dtrace::runtime {
namespace {

bool is_class(int tag) { return tag == DW_TAG_structure_type || tag == DW_TAG_class_type || tag == DW_TAG_union_type; }

/// The class that an entry's type is, behind typedefs, qualifiers and arrays.
std::optional<Dwarf_Die> class_of(Dwarf_Die *die) {
  Dwarf_Die at = *die, next;
  for (unsigned step = 0; step < limits::kMaxDwarfDepth && dwarf_reference(&at, DW_AT_type, &next); ++step) {
    const int tag = dwarf_tag(&next);
    if (is_class(tag)) return next;
    if (tag != DW_TAG_typedef && tag != DW_TAG_const_type && tag != DW_TAG_volatile_type && tag != DW_TAG_array_type)
      return std::nullopt;
    at = next;
  }
  return std::nullopt;
}

/// Does a constructor take a reference to its own class, and nothing else?
bool is_copying(Dwarf_Die *constructor, const Dwarf_Die &of, DwarfBudget &budget) {
  Dwarf_Die parameter, reference;
  if (!first_child(constructor, &parameter, budget)) return false;
  do {
    if (dwarf_tag(&parameter) != DW_TAG_formal_parameter || dwarf_has_flag(&parameter, DW_AT_artificial)) continue;
    if (!dwarf_reference(&parameter, DW_AT_type, &reference)) return false;
    const int tag = dwarf_tag(&reference);
    if (tag != DW_TAG_reference_type && tag != DW_TAG_rvalue_reference_type) return false;
    const std::optional<Dwarf_Die> target = class_of(&reference);
    return target && target->addr == of.addr;
  } while (next_sibling(&parameter, budget));
  return false;
}

bool copies_by_code(Dwarf_Die of, unsigned depth, DwarfBudget &budget) {
  if (const auto stated = dwarf_number(&of, DW_AT_calling_convention); stated && *stated != DW_CC_normal)
    return *stated == DW_CC_pass_by_reference;
  Dwarf_Die child;
  if (depth == limits::kMaxDwarfDepth || !first_child(&of, &child, budget)) return false;
  const std::string_view name = dwarf_name(&of).substr(0, dwarf_name(&of).find('<'));
  do {
    const int tag = dwarf_tag(&child);
    const std::string_view child_name = dwarf_name(&child);
    if (tag == DW_TAG_subprogram) {
      // Declared `= default` where it is declared: as if it were not.
      if (dwarf_number(&child, DW_AT_defaulted) == uint64_t{DW_DEFAULTED_in_class}) continue;
      if (child_name.starts_with('~')) return true;
      if (child_name == name && is_copying(&child, of, budget)) return true;
    } else if (tag == DW_TAG_member || tag == DW_TAG_inheritance) {
      if (child_name.starts_with("_vptr")) return true;  // a class with virtual functions
      if (dwarf_hasattr(&child, DW_AT_external) != 0 || dwarf_hasattr(&child, DW_AT_declaration) != 0) continue;
      const std::optional<Dwarf_Die> inner = class_of(&child);
      if (inner && copies_by_code(*inner, depth + 1, budget)) return true;
    }
  } while (next_sibling(&child, budget));
  return false;
}

/// Does an entry's location lead to a pointer to it?
bool is_behind_pointer(Dwarf_Die *die) {
  Dwarf_Attribute location;
  Dwarf_Op *operations = nullptr;
  size_t count = 0;
  return dwarf_attr(die, DW_AT_location, &location) != nullptr &&
         dwarf_getlocation(&location, &operations, &count) == 0 && count == 2 && operations[1].atom == DW_OP_deref;
}

}  // namespace

bool is_passed_by_reference(Dwarf_Die *die, DwarfBudget &budget) {
  std::optional<Dwarf_Die> type = class_of(die);
  // clang leaves out what another source describes, as the C++ library does std::string.
  if (type && dwarf_has_flag(&*type, DW_AT_declaration)) return is_behind_pointer(die);
  return type && copies_by_code(*type, 0, budget);
}

}  // namespace dtrace::runtime
