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

/// What a member function is to copies of its class.
enum class CopyRole : uint8_t { kNone, kCopies, kMayCopy };

/// A constructor whose first parameter is a reference to its own class copies or moves, if the others have defaults.
CopyRole role_of(Dwarf_Die *constructor, const Dwarf_Die &of, bool only_moves, DwarfBudget &budget) {
  CopyRole role = CopyRole::kNone;
  Dwarf_Die parameter, reference;
  if (!first_child(constructor, &parameter, budget)) return role;
  do {
    if (dwarf_tag(&parameter) != DW_TAG_formal_parameter || dwarf_has_flag(&parameter, DW_AT_artificial)) continue;
    if (role == CopyRole::kCopies) return CopyRole::kMayCopy;
    if (!dwarf_reference(&parameter, DW_AT_type, &reference)) return CopyRole::kNone;
    const int tag = dwarf_tag(&reference);
    if (tag != DW_TAG_rvalue_reference_type && (only_moves || tag != DW_TAG_reference_type)) return CopyRole::kNone;
    const std::optional<Dwarf_Die> target = class_of(&reference);
    if (!target || target->addr != of.addr) return CopyRole::kNone;
    role = CopyRole::kCopies;
  } while (next_sibling(&parameter, budget));
  return role;
}

/// What the member functions of a class say of its copies.
struct Copies {
  bool need_code = false, are_unsure = false;
  bool is_deleted = false, is_defaulted = false, moves_by_assignment = false;

  void note(Dwarf_Die *function, const Dwarf_Die &of, std::string_view class_name, DwarfBudget &budget) {
    // Declared `= default` where it is declared: as if it were not.
    const bool is_default = dwarf_number(function, DW_AT_defaulted) == uint64_t{DW_DEFAULTED_in_class};
    const std::string_view name = dwarf_name(function);
    if (name.starts_with('~')) need_code |= !is_default;
    if (name == "operator=") moves_by_assignment |= role_of(function, of, true, budget) == CopyRole::kCopies;
    if (name != class_name) return;
    const CopyRole role = role_of(function, of, false, budget);
    if (role == CopyRole::kMayCopy) are_unsure = true;
    if (role != CopyRole::kCopies) return;
    const bool is_absent = dwarf_has_flag(function, DW_AT_deleted);
    is_deleted |= is_absent;
    is_defaulted |= is_default && !is_absent;
    need_code |= !is_default && !is_absent;
  }
  ObjectPassing result() const {
    // A class of which no object can be copied is passed so, too. Assignments that move delete what is not declared.
    if (need_code || ((is_deleted || moves_by_assignment) && !is_defaulted)) return ObjectPassing::kByReference;
    return are_unsure ? ObjectPassing::kUnsure : ObjectPassing::kByValue;
  }
};

ObjectPassing passing_of_class(Dwarf_Die of, unsigned depth, DwarfBudget &budget) {
  if (const auto stated = dwarf_number(&of, DW_AT_calling_convention); stated && *stated != DW_CC_normal)
    return *stated == DW_CC_pass_by_reference ? ObjectPassing::kByReference : ObjectPassing::kByValue;
  Dwarf_Die child;
  if (depth == limits::kMaxDwarfDepth || !first_child(&of, &child, budget)) return ObjectPassing::kByValue;
  const std::string_view name = dwarf_name(&of).substr(0, dwarf_name(&of).find('<'));
  Copies copies;
  do {
    const int tag = dwarf_tag(&child);
    if (tag == DW_TAG_subprogram) {
      copies.note(&child, of, name, budget);
    } else if (tag == DW_TAG_member || tag == DW_TAG_inheritance) {
      if (dwarf_name(&child).starts_with("_vptr"))
        return ObjectPassing::kByReference;  // a class with virtual functions
      if (dwarf_hasattr(&child, DW_AT_external) != 0 || dwarf_hasattr(&child, DW_AT_declaration) != 0) continue;
      const std::optional<Dwarf_Die> inner = class_of(&child);
      const ObjectPassing passing = inner ? passing_of_class(*inner, depth + 1, budget) : ObjectPassing::kByValue;
      if (passing == ObjectPassing::kByReference) return passing;
      copies.are_unsure |= passing == ObjectPassing::kUnsure;
    }
  } while (next_sibling(&child, budget));
  return copies.result();
}

/// What the location of a parameter in the function's frame shows. Nothing: it has another one, or none.
std::optional<ObjectPassing> passing_by_location(Dwarf_Die *die) {
  Dwarf_Attribute location;
  Dwarf_Op *operations = nullptr;
  size_t count = 0;
  if (dwarf_tag(die) != DW_TAG_formal_parameter || dwarf_attr(die, DW_AT_location, &location) == nullptr ||
      dwarf_getlocation(&location, &operations, &count) != 0)
    return std::nullopt;
  if (count == 2 && operations[1].atom == DW_OP_deref) return ObjectPassing::kByReference;
  return count == 1 && operations[0].atom == DW_OP_fbreg ? std::optional(ObjectPassing::kByValue) : std::nullopt;
}

}  // namespace

ObjectPassing object_passing(Dwarf_Die *die, DwarfBudget &budget) {
  std::optional<Dwarf_Die> type = class_of(die);
  if (!type) return ObjectPassing::kByValue;
  if (const std::optional<ObjectPassing> shown = passing_by_location(die)) return *shown;
  // clang leaves out what another source describes, as the C++ library does std::string.
  return dwarf_has_flag(&*type, DW_AT_declaration) ? ObjectPassing::kByValue : passing_of_class(*type, 0, budget);
}

}  // namespace dtrace::runtime
