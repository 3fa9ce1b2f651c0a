// SPDX-License-Identifier: Apache-2.0
#include "runtime/debug_info/dwarf_names.h"

#include <dwarf.h>

#include <bit>
#include <utility>

#include "frontend/text/type_name.h"

namespace dtrace::runtime {
namespace {

bool is_signed_base(Dwarf_Die *base) {
  const uint64_t encoding = dwarf_number(base, DW_AT_encoding).value_or(DW_ATE_signed);
  return encoding == DW_ATE_signed || encoding == DW_ATE_signed_char;
}

bool is_cxx_unit(Dwarf_Die *unit) {
  switch (dwarf_number(unit, DW_AT_language).value_or(0)) {
    case DW_LANG_C89:
    case DW_LANG_C:
    case DW_LANG_C99:
    case DW_LANG_C11:
      return false;
    default:
      return true;
  }
}

}  // namespace

bool is_signed_enumeration(Dwarf_Die *enumeration) {
  Dwarf_Die at = *enumeration, base;
  for (unsigned step = 0; step < limits::kMaxDwarfDepth && dwarf_reference(&at, DW_AT_type, &base); ++step) {
    if (dwarf_tag(&base) == DW_TAG_base_type) return is_signed_base(&base);
    at = base;
  }
  return true;
}

int64_t enumerator_value(Dwarf_Die *enumerator, bool is_signed) {
  Dwarf_Attribute attribute;
  if (dwarf_attr(enumerator, DW_AT_const_value, &attribute) == nullptr) return 0;
  Dwarf_Sword number = 0;
  Dwarf_Word word = 0;
  if (is_signed) return dwarf_formsdata(&attribute, &number) == 0 ? number : 0;
  return dwarf_formudata(&attribute, &word) == 0 ? static_cast<int64_t>(word) : 0;
}

namespace {

constexpr size_t kMaxNameBytes = 4096;
constexpr size_t kMaxScopeNames = 8;

std::string canonical(std::string_view name) { return canonical_type_name(name.substr(0, kMaxNameBytes)); }

/// The hash of a text that begins with what `hash` is of.
uint64_t extended(uint64_t hash, std::string_view text) {
  for (const char c : text) hash = (std::rotl(hash, 5) ^ static_cast<unsigned char>(c)) * 0x9e3779b97f4a7c15;
  return hash;
}
uint64_t key_of(unsigned kind, uint64_t hash) { return hash * 16 + kind; }
uint64_t plain_key(unsigned kind, std::string_view name) { return key_of(kind, extended(0, name)); }
constexpr size_t kMaxOfOneKey = 4096;

std::optional<std::pair<Dwarf_Die, int64_t>> value_of(Dwarf_Die enumeration, std::string_view name,
                                                      DwarfBudget &budget) {
  const bool is_signed = is_signed_enumeration(&enumeration);
  Dwarf_Die child;
  if (!first_child(&enumeration, &child, budget)) return std::nullopt;
  do {
    if (dwarf_tag(&child) == DW_TAG_enumerator && dwarf_name(&child) == name)
      return std::pair(enumeration, enumerator_value(&child, is_signed));
  } while (next_sibling(&child, budget));
  return std::nullopt;
}

bool is_scoped_name(std::string_view name) { return name.find("::") != std::string_view::npos || name.ends_with('>'); }

}  // namespace

void DwarfNames::note(unsigned kind, Dwarf_Die *die, bool is_complete, const Scope &scope) {
  const std::string_view name = dwarf_name(die);
  if (name.empty()) return;
  const auto enter = [&](uint64_t key) {
    const auto [place, is_new] = names_.try_emplace(key, Named{*die, is_complete});
    if (!is_new && is_complete && !place->second.is_complete) place->second = {*die, true};
  };
  enter(plain_key(kPlain + kind, name));
  if (!scope.is_cxx) return;
  const bool is_template = name.ends_with('>');
  const std::string spelling = canonical(name);
  if (is_template) enter(key_of(kind, extended(0, spelling)));
  for (const uint64_t in : scope.hashes)
    if (in != 0) enter(key_of(kind, extended(in, spelling)));
}

void DwarfNames::add(Dwarf_Die *die, const Scope &scope) {
  const int tag = dwarf_tag(die);
  const auto note_as = [&](TagKind kind, bool is_complete) {
    note(static_cast<unsigned>(kind), die, is_complete, scope);
  };
  switch (tag) {
    case DW_TAG_structure_type:
    case DW_TAG_class_type:
    case DW_TAG_union_type: {
      const bool is_complete = !dwarf_has_flag(die, DW_AT_declaration);
      note_as(tag == DW_TAG_union_type ? TagKind::kUnion : TagKind::kStruct, is_complete);
      if (scope.is_cxx) note_as(TagKind::kOrdinary, is_complete);
      return;
    }
    case DW_TAG_enumeration_type:
      note_as(TagKind::kEnum, !dwarf_has_flag(die, DW_AT_declaration));
      if (scope.is_cxx) note_as(TagKind::kOrdinary, !dwarf_has_flag(die, DW_AT_declaration));
      enumerations_.push_back(*die);
      for (const uint64_t in : scope.hashes)
        if (in != 0) enumerations_by_scope_.emplace(key_of(kScopeOfEnumeration, in), *die);
      return;
    case DW_TAG_typedef:
    case DW_TAG_base_type:
      note_as(TagKind::kOrdinary, true);
      return;
    case DW_TAG_variable:
      add_variable(die, scope);
      return;
    case DW_TAG_namespace:
      read_namespace(die, scope);
      return;
    default:
      return;
  }
}

/// gcc declares a variable in its namespace, and puts the definition beside the namespace.
void DwarfNames::add_variable(Dwarf_Die *die, const Scope &scope) {
  const bool is_placed = dwarf_hasattr(die, DW_AT_location) != 0 || dwarf_hasattr(die, DW_AT_const_value) != 0;
  if (!is_placed && scope.depth != 0) declared_variables_.emplace(die->addr, scope.hashes);
  if (!is_placed && dwarf_has_flag(die, DW_AT_declaration)) return;
  Dwarf_Attribute specification;
  Dwarf_Die declaration;
  const bool is_specified = dwarf_attr(die, DW_AT_specification, &specification) != nullptr &&
                            dwarf_formref_die(&specification, &declaration) != nullptr;
  const auto declared = is_specified ? declared_variables_.find(declaration.addr) : declared_variables_.end();
  const bool is_known = declared != declared_variables_.end();
  note(kVariable, die, is_placed, is_known ? Scope{scope.depth, scope.is_cxx, declared->second} : scope);
}

void DwarfNames::read_namespace(Dwarf_Die *die, const Scope &outer) {
  const std::string_view name = dwarf_name(die);
  const bool is_transparent = name.empty() || dwarf_has_flag(die, DW_AT_export_symbols);
  Scope scope{outer.depth + 1, outer.is_cxx, {}};
  if (is_transparent) scope.hashes = outer.hashes;
  if (!name.empty() && scope.hashes.size() + outer.hashes.size() <= kMaxScopeNames)
    for (const uint64_t in : outer.hashes) scope.hashes.push_back(extended(extended(in, canonical(name)), "::"));
  read_scope(die, scope);
}

void DwarfNames::read_scope(Dwarf_Die *die, const Scope &scope) {
  Dwarf_Die child;
  if (scope.depth > limits::kMaxDwarfDepth || !first_child(die, &child, file_.budget())) return;
  do add(&child, scope);
  while (next_sibling(&child, file_.budget()));
}

void DwarfNames::walk() {
  for (Dwarf *dwarf : {file_.get(), file_.shared()}) {
    Dwarf_Die unit;
    for (Dwarf_CU *cu = nullptr; dwarf != nullptr && file_.budget().entries != 0 &&
                                 dwarf_get_units(dwarf, cu, &cu, nullptr, nullptr, &unit, nullptr) == 0;)
      if (Result<Dwarf_Die> whole = file_.whole_unit(unit)) read_scope(&*whole, {.is_cxx = is_cxx_unit(&*whole)});
  }
}

void DwarfNames::read() {
  if (is_read_) return;
  is_read_ = true;
  if (std::optional<std::string> bytes = file_.kept_names()) kept_ = NameIndex::open(std::move(*bytes));
  if (kept_) return;
  walk();
  if (file_.keeps_names()) keep();
}

/// Offsets say where an entry is in .debug_info only. DWARF 4 has types in .debug_types, and split units are elsewhere.
void DwarfNames::keep() {
  if (file_.budget().entries == 0 || file_.has_other_sections()) return;
  read_enumerators();
  std::vector<NameIndex::Entry> entries;
  entries.reserve(names_.size() + enumerations_by_scope_.size());
  for (auto &[key, named] : names_) entries.emplace_back(key, dwarf_dieoffset(&named.die));
  for (auto &[key, die] : enumerations_by_scope_) entries.emplace_back(key, dwarf_dieoffset(&die));
  file_.keep_names(NameIndex::bytes_of(std::move(entries)));
}

void DwarfNames::read_enumerators() {
  if (std::exchange(has_enumerators_, true)) return;
  for (Dwarf_Die &enumeration : enumerations_) {
    Dwarf_Die child;
    if (!first_child(&enumeration, &child, file_.budget())) continue;
    do
      if (dwarf_tag(&child) == DW_TAG_enumerator)
        names_.try_emplace(plain_key(kEnumerator, dwarf_name(&child)), Named{enumeration, true});
    while (next_sibling(&child, file_.budget()));
  }
}

std::optional<Dwarf_Die> DwarfNames::entry_at(uint64_t offset) const {
  Dwarf_Die die;
  return dwarf_offdie(file_.get(), offset, &die) == nullptr ? std::nullopt : std::optional(die);
}

std::optional<Dwarf_Die> DwarfNames::find(uint64_t key) const {
  if (kept_) {
    const std::vector<uint64_t> offsets = kept_->find(key, 1);
    return offsets.empty() ? std::nullopt : entry_at(offsets.front());
  }
  const auto found = names_.find(key);
  return found == names_.end() ? std::nullopt : std::optional(found->second.die);
}

std::optional<Dwarf_Die> DwarfNames::plain(unsigned kind, std::string_view name) const {
  std::optional<Dwarf_Die> found = find(plain_key(kPlain + kind, name));
  return found && dwarf_name(&*found) == name ? found : std::nullopt;
}

std::optional<Dwarf_Die> DwarfNames::scoped(unsigned kind, std::string_view canonical) const {
  return find(key_of(kind, extended(0, canonical)));
}

std::vector<Dwarf_Die> DwarfNames::enumerations_of_scope(std::string_view scope) const {
  const uint64_t key = key_of(kScopeOfEnumeration, extended(0, scope));
  std::vector<Dwarf_Die> result;
  if (kept_) {
    for (const uint64_t offset : kept_->find(key, kMaxOfOneKey))
      if (const std::optional<Dwarf_Die> die = entry_at(offset)) result.push_back(*die);
    return result;
  }
  const auto [begin, end] = enumerations_by_scope_.equal_range(key);
  for (auto at = begin; at != end; ++at) result.push_back(at->second);
  return result;
}

/// A type that is defined in a class: they are looked for when they are asked for, because classes are many.
std::optional<Dwarf_Die> DwarfNames::type_in_class(TagKind kind, std::string_view canonical_name, unsigned depth) {
  const auto [outer, name] = split_type_name(canonical_name);
  if (outer.empty() || depth > limits::kMaxDwarfDepth) return std::nullopt;
  for (const TagKind of_class : {TagKind::kStruct, TagKind::kUnion}) {
    std::optional<Dwarf_Die> record = find_type(of_class, outer, depth + 1);
    Dwarf_Die child;
    if (!record || !first_child(&*record, &child, file_.budget())) continue;
    do {
      const int tag = dwarf_tag(&child);
      const bool is_class = tag == DW_TAG_structure_type || tag == DW_TAG_class_type;
      const bool fits =
          (kind == TagKind::kStruct && is_class) || (kind == TagKind::kUnion && tag == DW_TAG_union_type) ||
          (kind == TagKind::kEnum && tag == DW_TAG_enumeration_type) ||
          (kind == TagKind::kOrdinary &&
           (is_class || tag == DW_TAG_union_type || tag == DW_TAG_typedef || tag == DW_TAG_enumeration_type));
      if (fits && canonical(dwarf_name(&child)) == name) return child;
    } while (next_sibling(&child, file_.budget()));
  }
  return std::nullopt;
}

std::optional<Dwarf_Die> DwarfNames::find_type(TagKind kind, std::string_view canonical_name, unsigned depth) {
  if (const auto found = scoped(static_cast<unsigned>(kind), canonical_name)) return found;
  if (const auto found = plain(static_cast<unsigned>(kind), canonical_name)) return found;
  return type_in_class(kind, canonical_name, depth);
}

std::optional<Dwarf_Die> DwarfNames::type(TagKind kind, std::string_view name) {
  read();
  if (const auto found = plain(static_cast<unsigned>(kind), name)) return found;
  return is_scoped_name(name) ? find_type(kind, canonical(name), 0) : std::nullopt;
}

std::optional<Dwarf_Die> DwarfNames::variable(std::string_view name) {
  read();
  if (const auto found = plain(kVariable, name)) return found;
  return is_scoped_name(name) ? scoped(kVariable, canonical(name)) : std::nullopt;
}

/// "Kind::Large" of an enumeration, "shop::Large" of a namespace or class that has one.
std::optional<std::pair<Dwarf_Die, int64_t>> DwarfNames::scoped_enumerator(std::string_view name) {
  const auto [scope, last] = split_type_name(name);
  const std::string outer = canonical(scope);
  if (const auto enumeration = find_type(TagKind::kEnum, outer, 0)) return value_of(*enumeration, last, file_.budget());
  for (const Dwarf_Die &enumeration : enumerations_of_scope(outer + "::"))
    if (auto found = value_of(enumeration, last, file_.budget())) return found;
  std::optional<Dwarf_Die> record = find_type(TagKind::kStruct, outer, 0);
  Dwarf_Die child;
  if (!record || !first_child(&*record, &child, file_.budget())) return std::nullopt;
  do {
    if (dwarf_tag(&child) != DW_TAG_enumeration_type) continue;
    if (auto found = value_of(child, last, file_.budget())) return found;
  } while (next_sibling(&child, file_.budget()));
  return std::nullopt;
}

std::optional<std::pair<Dwarf_Die, int64_t>> DwarfNames::enumerator(std::string_view name) {
  read();
  if (name.find("::") != std::string_view::npos) return scoped_enumerator(name);
  if (!kept_) read_enumerators();
  const std::optional<Dwarf_Die> enumeration = find(plain_key(kEnumerator, name));
  return enumeration ? value_of(*enumeration, name, file_.budget()) : std::nullopt;
}

}  // namespace dtrace::runtime
