// SPDX-License-Identifier: Apache-2.0
#include "runtime/debug_info/local_variables.h"

#include <dwarf.h>
#include <fmt/format.h>

#include <algorithm>
#include <string>
#include <unordered_set>
#include <vector>

#include "base/printable.h"

namespace dtrace::runtime {
namespace {

// Blocks and inlined functions in each other.
constexpr size_t kMaxNesting = 128;
constexpr size_t kMaxNames = 16;  // of a message

bool is_scope(int tag) {
  return tag == DW_TAG_lexical_block || tag == DW_TAG_inlined_subroutine || tag == DW_TAG_try_block ||
         tag == DW_TAG_catch_block;
}
bool is_variable(Dwarf_Die *die) {
  const int tag = dwarf_tag(die);
  // A declaration is of a variable elsewhere.
  return tag == DW_TAG_formal_parameter || (tag == DW_TAG_variable && !dwarf_has_flag(die, DW_AT_declaration));
}

/// Calls `use` for each piece of code of a scope until it returns false.
template <typename Use>
void each_piece(Dwarf_Die *scope, DwarfBudget &budget, const Use &use) {
  Dwarf_Addr base = 0, start = 0, end = 0;
  for (ptrdiff_t at = 0; budget.entries != 0 && (at = dwarf_ranges(scope, at, &base, &start, &end)) > 0;) {
    --budget.entries;
    if (start < end && !use(start, end)) return;
  }
}

bool has_code(Dwarf_Die *scope, uint64_t pc, DwarfBudget &budget) {
  bool has = false;
  each_piece(scope, budget, [&](uint64_t start, uint64_t end) { return !(has = start <= pc && pc < end); });
  return has;
}

/// Calls `use` for the entries in a scope until it returns false.
template <typename Use>
void each_child(Dwarf_Die *scope, DwarfBudget &budget, const Use &use) {
  Dwarf_Die child;
  if (!first_child(scope, &child, budget)) return;
  do
    if (!use(&child)) return;
  while (next_sibling(&child, budget));
}

bool find_in(Dwarf_Die *scope, std::string_view name, DwarfBudget &budget, Dwarf_Die *found) {
  bool has = false;
  each_child(scope, budget, [&](Dwarf_Die *child) {
    has = is_variable(child) && dwarf_name(child) == name;
    if (has) *found = *child;
    return !has;
  });
  return has;
}

/// What a copy of a function is made from; false: it is no copy.
bool origin_of(Dwarf_Die *scope, Dwarf_Die *origin) {
  *origin = dwarf_origin(*scope);
  return origin->addr != scope->addr;
}

/// The scopes around an instruction, the function first.
std::vector<Dwarf_Die> scopes_at(const CodePoint &point, DwarfBudget &budget) {
  std::vector<Dwarf_Die> scopes{point.function};
  bool goes_on = true;
  while (goes_on && scopes.size() < kMaxNesting) {
    goes_on = false;
    Dwarf_Die around = scopes.back();
    each_child(&around, budget, [&](Dwarf_Die *child) {
      goes_on = is_scope(dwarf_tag(child)) && has_code(child, point.pc, budget);
      if (goes_on) scopes.push_back(*child);
      return !goes_on;
    });
  }
  return scopes;
}

/// Where variables of the name are, in the scopes below: sentences' parts.
struct Elsewhere {
  std::vector<std::string> places;
  bool is_removed = false;  ///< only the function's declaration has it
};

void search(Dwarf_Die *scope, const CodePoint &point, std::string_view name, unsigned depth, DwarfBudget &budget,
            Elsewhere &found) {
  if (depth == kMaxNesting) return;
  std::vector<Dwarf_Die> inner;
  each_child(scope, budget, [&](Dwarf_Die *child) {
    if (is_scope(dwarf_tag(child))) inner.push_back(*child);
    if (!is_variable(child) || dwarf_name(child) != name || found.places.size() == kMaxNames) return true;
    each_piece(scope, budget, [&](uint64_t start, uint64_t end) {
      const uint64_t from = start - point.start, to = end - point.start;
      const bool is_here = start >= point.start && end <= point.end;
      std::string place = is_here ? fmt::format("at offsets {:x} to {:x}", from, to - 1)
                                  : fmt::format("at addresses {:x} to {:x}", start, end - 1);
      if (const std::optional<uint64_t> line = dwarf_number(child, DW_AT_decl_line))
        place = fmt::format("that of line {} {}", *line, place);
      found.places.push_back(std::move(place));
      return found.places.size() < kMaxNames;
    });
    return true;
  });
  Dwarf_Die origin, removed;
  if (origin_of(scope, &origin) && find_in(&origin, name, budget, &removed)) found.is_removed = true;
  for (Dwarf_Die &one : inner) search(&one, point, name, depth + 1, budget, found);
}

std::string absence(const CodePoint &point, std::vector<Dwarf_Die> &scopes, std::string_view name,
                    DwarfBudget &budget) {
  Elsewhere elsewhere;
  search(&scopes.front(), point, name, 0, budget, elsewhere);
  if (!elsewhere.places.empty())
    return fmt::format("{} is not in scope at offset {:x}; it is in scope: {}", name, point.pc - point.start,
                       fmt::join(elsewhere.places, ", "));
  if (elsewhere.is_removed) return fmt::format("{} was optimised out", name);
  std::vector<std::string> names;
  for (Dwarf_Die &scope : scopes)
    each_child(&scope, budget, [&](Dwarf_Die *child) {
      std::string one = is_variable(child) ? printable(dwarf_name(child)) : std::string();
      if (!one.empty() && std::ranges::find(names, one) == names.end()) names.push_back(std::move(one));
      return names.size() < kMaxNames;
    });
  if (names.empty()) return fmt::format("no variable {} is in scope, and no other variable is", name);
  return fmt::format("no variable {} is in scope; in scope are {}", name, fmt::join(names, ", "));
}

/// Is the scope of that index, or one around it, an inlined function?
bool is_in_inlined(std::vector<Dwarf_Die> &scopes, size_t index) {
  return std::any_of(scopes.begin(), scopes.begin() + static_cast<ptrdiff_t>(index) + 1,
                     [](Dwarf_Die &scope) { return dwarf_tag(&scope) == DW_TAG_inlined_subroutine; });
}

}  // namespace

Result<LocalVariable> find_local(ObjectDebugInfo &info, const CodePoint &point, std::string_view name) {
  DwarfBudget &budget = info.file().budget();
  std::vector<Dwarf_Die> scopes = scopes_at(point, budget);
  for (size_t i = scopes.size(); i-- != 0;) {
    LocalVariable found{.name = name, .die = {}};
    Dwarf_Die origin;
    if (!find_in(&scopes[i], name, budget, &found.die)) {
      if (!origin_of(&scopes[i], &origin) || !find_in(&origin, name, budget, &found.die)) continue;
      found.is_kept = false;
    }
    found.is_inlined = is_in_inlined(scopes, i);
    found.is_parameter = i == 0 && dwarf_tag(&found.die) == DW_TAG_formal_parameter;
    return found;
  }
  return Error(absence(point, scopes, name, budget)).tagged("D_LOCALS_NAME");
}

std::vector<LocalVariable> all_locals(ObjectDebugInfo &info, const CodePoint &point) {
  DwarfBudget &budget = info.file().budget();
  std::vector<Dwarf_Die> scopes = scopes_at(point, budget);
  std::vector<LocalVariable> found;
  std::unordered_set<std::string_view> names;
  const auto add_all = [&](Dwarf_Die *scope, bool is_kept, bool is_inlined, bool is_function) {
    each_child(scope, budget, [&](Dwarf_Die *child) {
      const std::string_view name = is_variable(child) ? dwarf_name(child) : std::string_view();
      if (!name.empty() && names.insert(name).second)
        found.push_back(
            {name, *child, is_kept, is_inlined, is_function && dwarf_tag(child) == DW_TAG_formal_parameter});
      return found.size() < limits::kMaxLocals;
    });
  };
  for (size_t i = scopes.size(); i-- != 0;) {
    const bool is_inlined = is_in_inlined(scopes, i);
    add_all(&scopes[i], true, is_inlined, i == 0);
    Dwarf_Die origin;
    if (origin_of(&scopes[i], &origin)) add_all(&origin, false, is_inlined, i == 0);
  }
  return found;
}

}  // namespace dtrace::runtime
