// SPDX-License-Identifier: Apache-2.0
// Reading entries of debug information that anybody may have written: types that are made of themselves, siblings that
// lie before their elders. Each walk takes from a budget, and libdw's functions that follow types without a bound
// (dwarf_peel_type(), dwarf_aggregate_size()) are not used.
#pragma once

#include <elfutils/libdw.h>

#include <cstdint>
#include <optional>
#include <string_view>

#include "base/foreign_limits.h"

namespace dtrace::runtime {

/// What one search, or all searches in one file, may still look at.
struct DwarfBudget {
  uint64_t entries = limits::kMaxDwarfEntries;
  size_t members = limits::kMaxDwarfMembers;
};

/// The first child of `parent`; false if it has none, or the budget is spent.
bool first_child(Dwarf_Die *parent, Dwarf_Die *child, DwarfBudget &budget);
/// Goes on to the next sibling, which lies behind.
bool next_sibling(Dwarf_Die *die, DwarfBudget &budget);

/// May an entry of this tag hold code, or entries that do?
bool may_hold_code(int tag);

/// An attribute of the entry, or of the declaration that it completes.
std::optional<uint64_t> dwarf_number(Dwarf_Die *die, unsigned attribute);
bool dwarf_has_flag(Dwarf_Die *die, unsigned attribute);
/// The entry that an attribute refers to.
bool dwarf_reference(Dwarf_Die *die, unsigned attribute, Dwarf_Die *to);
/// What an entry is a copy of, in the end (DW_AT_abstract_origin, from file to file with LTO); else itself.
Dwarf_Die dwarf_origin(Dwarf_Die die);
/// Empty: it has none. Lives as long as the debug information.
std::string_view dwarf_name(Dwarf_Die *die);
/// What the linker calls it; its name, if that is the same.
std::string_view dwarf_linkage_name(Dwarf_Die *die);

/// Elements of dimension `number` of an array; 0: not known, or a flexible array. Nothing: it has no such dimension.
std::optional<uint64_t> dwarf_dimension(Dwarf_Die *array, unsigned number, DwarfBudget &budget);

/// Where a member begins, in bits from the start of what it is in; `bits` is the width of a bit-field, or 0.
/// Nothing: its offset is computed when the program runs (a virtual base).
struct DwarfMemberPlace {
  uint64_t off_bits = 0;
  uint32_t bits = 0;
};
std::optional<DwarfMemberPlace> dwarf_member_place(Dwarf_Die *member, uint64_t type_bytes);

}  // namespace dtrace::runtime
