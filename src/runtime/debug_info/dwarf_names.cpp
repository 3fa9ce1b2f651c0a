// SPDX-License-Identifier: Apache-2.0
#include "runtime/debug_info/dwarf_names.h"

#include <dwarf.h>

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

void DwarfNames::note(Names &names, Dwarf_Die *die, bool is_complete) {
  const std::string_view name = dwarf_name(die);
  if (name.empty()) return;
  const auto [known, is_new] = names.try_emplace(name, Named{*die, is_complete});
  if (!is_new && is_complete && !known->second.is_complete) known->second = {*die, true};
}

void DwarfNames::add(Dwarf_Die *die, unsigned depth, bool is_cxx) {
  const int tag = dwarf_tag(die);
  const auto names_of = [this](TagKind kind) -> Names & { return types_[static_cast<size_t>(kind)]; };
  switch (tag) {
    case DW_TAG_structure_type:
    case DW_TAG_class_type:
    case DW_TAG_union_type: {
      const bool is_complete = !dwarf_has_flag(die, DW_AT_declaration);
      note(names_of(tag == DW_TAG_union_type ? TagKind::kUnion : TagKind::kStruct), die, is_complete);
      if (is_cxx) note(names_of(TagKind::kOrdinary), die, is_complete);
      return;
    }
    case DW_TAG_enumeration_type:
      note(names_of(TagKind::kEnum), die, !dwarf_has_flag(die, DW_AT_declaration));
      if (is_cxx) note(names_of(TagKind::kOrdinary), die, !dwarf_has_flag(die, DW_AT_declaration));
      enumerations_.push_back(*die);
      return;
    case DW_TAG_typedef:
    case DW_TAG_base_type:
      note(names_of(TagKind::kOrdinary), die, true);
      return;
    case DW_TAG_variable:
      if (dwarf_hasattr(die, DW_AT_location) != 0 || dwarf_hasattr(die, DW_AT_const_value) != 0)
        note(variables_, die, true);
      return;
    case DW_TAG_namespace:
      read_scope(die, depth + 1, is_cxx);
      return;
    default:
      return;
  }
}

void DwarfNames::read_scope(Dwarf_Die *scope, unsigned depth, bool is_cxx) {
  Dwarf_Die child;
  if (depth > limits::kMaxDwarfDepth || !first_child(scope, &child, file_.budget())) return;
  do add(&child, depth, is_cxx);
  while (next_sibling(&child, file_.budget()));
}

void DwarfNames::read() {
  if (is_read_) return;
  is_read_ = true;
  for (Dwarf *dwarf : {file_.get(), file_.shared()}) {
    Dwarf_Die unit;
    for (Dwarf_CU *cu = nullptr; dwarf != nullptr && file_.budget().entries != 0 &&
                                 dwarf_get_units(dwarf, cu, &cu, nullptr, nullptr, &unit, nullptr) == 0;)
      if (Result<Dwarf_Die> whole = file_.whole_unit(unit)) read_scope(&*whole, 0, is_cxx_unit(&*whole));
  }
}

std::optional<Dwarf_Die> DwarfNames::type(TagKind kind, std::string_view name) {
  read();
  const Names &names = types_[static_cast<size_t>(kind)];
  const auto found = names.find(name);
  return found == names.end() ? std::nullopt : std::optional(found->second.die);
}

std::optional<Dwarf_Die> DwarfNames::variable(std::string_view name) {
  read();
  const auto found = variables_.find(name);
  return found == variables_.end() ? std::nullopt : std::optional(found->second.die);
}

std::optional<std::pair<Dwarf_Die, int64_t>> DwarfNames::enumerator(std::string_view name) {
  read();
  if (!enumerators_) {
    enumerators_.emplace();
    for (Dwarf_Die &enumeration : enumerations_) {
      const bool is_signed = is_signed_enumeration(&enumeration);
      Dwarf_Die child;
      if (!first_child(&enumeration, &child, file_.budget())) continue;
      do {
        if (dwarf_tag(&child) == DW_TAG_enumerator)
          enumerators_->try_emplace(dwarf_name(&child), enumeration, enumerator_value(&child, is_signed));
      } while (next_sibling(&child, file_.budget()));
    }
  }
  const auto found = enumerators_->find(name);
  return found == enumerators_->end() ? std::nullopt : std::optional(found->second);
}

}  // namespace dtrace::runtime
