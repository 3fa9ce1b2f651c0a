// SPDX-License-Identifier: Apache-2.0
#include "runtime/debug_info/dwarf_functions.h"

#include <dwarf.h>

#include <algorithm>

namespace dtrace::runtime {
namespace {

/// Entries whose members may be functions with code.
bool holds_functions(int tag) {
  return tag == DW_TAG_namespace || tag == DW_TAG_module || tag == DW_TAG_structure_type || tag == DW_TAG_class_type ||
         tag == DW_TAG_union_type;
}

/// Where a function is entered. If it has several pieces (.cold), the first piece has the entry.
std::optional<uint64_t> entry_of(Dwarf_Die *function) {
  Dwarf_Addr base = 0, start = 0, end = 0;
  if (dwarf_entrypc(function, &start) == 0) return start;
  if (dwarf_hasattr(function, DW_AT_ranges) == 0 || dwarf_ranges(function, 0, &base, &start, &end) <= 0)
    return std::nullopt;
  return start;
}

std::vector<Dwarf_Die> parameters_of(Dwarf_Die *function, DwarfBudget &budget) {
  std::vector<Dwarf_Die> found;
  Dwarf_Die child;
  if (!first_child(function, &child, budget)) return found;
  do
    if (dwarf_tag(&child) == DW_TAG_formal_parameter) found.push_back(child);
  while (found.size() < limits::kMaxUserParameters && next_sibling(&child, budget));
  return found;
}

}  // namespace

void DwarfFunctions::find_units() {
  if (has_units_) return;
  has_units_ = true;
  Dwarf_Die unit;
  for (Dwarf_CU *cu = nullptr;
       file_.budget().entries != 0 && dwarf_get_units(file_.get(), cu, &cu, nullptr, nullptr, &unit, nullptr) == 0;) {
    --file_.budget().entries;
    Dwarf_Addr base = 0, start = 0, end = 0;
    for (ptrdiff_t at = 0; ranges_left_ != 0 && (at = dwarf_ranges(&unit, at, &base, &start, &end)) > 0; --ranges_left_)
      if (start < end) pieces_.push_back({start, end, dwarf_dieoffset(&unit)});
  }
  std::ranges::sort(pieces_, {}, &Piece::start);
}

void DwarfFunctions::add_function(Dwarf_Die function) {
  if (const std::optional<uint64_t> start = entry_of(&function)) functions_.try_emplace(*start, function);
  Dwarf_Addr base = 0, start = 0, end = 0;
  for (ptrdiff_t at = 0; ranges_left_ != 0 && (at = dwarf_ranges(&function, at, &base, &start, &end)) > 0;
       --ranges_left_)
    if (start < end) code_.try_emplace(start, end, function);
}

void DwarfFunctions::add_functions(Dwarf_Die *scope, unsigned depth) {
  Dwarf_Die die;
  if (depth == limits::kMaxDwarfDepth || !first_child(scope, &die, file_.budget())) return;
  do {
    const int tag = dwarf_tag(&die);
    if (tag == DW_TAG_subprogram) add_function(die);
    // In C++ a class may hold functions in functions; their code is their own.
    if (holds_functions(tag)) add_functions(&die, depth + 1);
  } while (next_sibling(&die, file_.budget()));
}

std::optional<Dwarf_Die> DwarfFunctions::read_unit(uint64_t address) {
  find_units();
  const auto after = std::ranges::upper_bound(pieces_, address, {}, &Piece::start);
  if (after == pieces_.begin() || address >= std::prev(after)->end) return std::nullopt;
  const Dwarf_Off offset = std::prev(after)->unit;
  Dwarf_Die die;
  if (dwarf_offdie(file_.get(), offset, &die) == nullptr) return std::nullopt;
  if (read_.try_emplace(offset, true).second)
    if (Result<Dwarf_Die> unit = file_.whole_unit(die)) add_functions(&*unit, 0);
  return die;
}

std::optional<Dwarf_Die> DwarfFunctions::at(uint64_t address) {
  if (!read_unit(address)) return std::nullopt;
  const auto found = functions_.find(address);
  return found == functions_.end() ? std::nullopt : std::optional(found->second);
}

std::optional<DwarfFunctions::Around> DwarfFunctions::around(uint64_t address) {
  const std::optional<Dwarf_Die> unit = read_unit(address);
  const auto after = code_.upper_bound(address);
  if (!unit || after == code_.begin() || address >= std::prev(after)->second.end) return std::nullopt;
  const auto &[start, code] = *std::prev(after);
  return Around{code.function, *unit, start, code.end};
}

std::vector<DwarfParameter> DwarfFunctions::parameters(Dwarf_Die function) {
  std::vector<DwarfParameter> result;
  std::vector<Dwarf_Die> own = parameters_of(&function, file_.budget());
  Dwarf_Die origin = dwarf_origin(function);
  if (origin.addr == function.addr) {
    for (Dwarf_Die &die : own) result.push_back({dwarf_name(&die), die, true});
    return result;
  }
  // A copy of a function has what is left of the parameters, in any order; the original has them all.
  for (Dwarf_Die &declared : parameters_of(&origin, file_.budget())) {
    const auto kept =
        std::ranges::find_if(own, [&](Dwarf_Die &die) { return dwarf_origin(die).addr == declared.addr; });
    result.push_back({dwarf_name(&declared), kept != own.end() ? *kept : declared, kept != own.end()});
  }
  return result;
}

}  // namespace dtrace::runtime
