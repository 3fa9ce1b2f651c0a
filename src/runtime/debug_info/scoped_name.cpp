// SPDX-License-Identifier: Apache-2.0
#include "runtime/debug_info/scoped_name.h"

#include <dwarf.h>

namespace dtrace::runtime {
namespace {

constexpr size_t kMaxNameBytes = 4096;

/// The child of `scope` that is the entry at `offset`, or that has it inside. libdw's dwarf_getscopes_die() finds it by
/// a recursion as deep as the entries are nested, which nobody bounds.
bool child_with(Dwarf_Die *scope, Dwarf_Off offset, Dwarf_Die *found, DwarfBudget &budget) {
  Dwarf_Die child;
  if (!first_child(scope, &child, budget)) return false;
  bool any = false;
  do {
    if (dwarf_dieoffset(&child) > offset) break;
    *found = child;
    any = true;
  } while (next_sibling(&child, budget));
  return any;
}

bool names_scope(int tag) {
  return tag == DW_TAG_namespace || tag == DW_TAG_structure_type || tag == DW_TAG_class_type ||
         tag == DW_TAG_union_type;
}

}  // namespace

std::string scoped_name(Dwarf_Die die, DwarfBudget &budget) {
  const std::string_view own = dwarf_name(&die).substr(0, kMaxNameBytes);
  const Dwarf_Off offset = dwarf_dieoffset(&die);
  std::string name;
  Dwarf_Die scope, inner;
  if (own.empty() || dwarf_diecu(&die, &scope, nullptr, nullptr) == nullptr) return std::string(own);
  for (unsigned depth = 0; depth <= limits::kMaxDwarfDepth && child_with(&scope, offset, &inner, budget); ++depth) {
    if (dwarf_dieoffset(&inner) == offset) return name.append(own);
    if (names_scope(dwarf_tag(&inner)) && !dwarf_name(&inner).empty())
      name.append(dwarf_name(&inner).substr(0, kMaxNameBytes)).append("::");
    scope = inner;
  }
  return std::string(own);
}

}  // namespace dtrace::runtime
