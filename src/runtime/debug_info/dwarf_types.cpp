// SPDX-License-Identifier: Apache-2.0
#include "runtime/debug_info/dwarf_types.h"

#include <dwarf.h>

#include <bit>
#include <functional>

#include "base/foreign_limits.h"
#include "frontend/text/type_name.h"
#include "runtime/debug_info/scoped_name.h"

namespace dtrace::runtime {
namespace {

bool is_record(int tag) { return tag == DW_TAG_structure_type || tag == DW_TAG_class_type || tag == DW_TAG_union_type; }

/// Are two entries of such a tag, with the same name, size and contents, one type? Each unit describes it anew.
bool may_be_repeated(int tag) { return is_record(tag) || tag == DW_TAG_enumeration_type || tag == DW_TAG_base_type; }

/// Is a base type a number that D has? Complex and decimal numbers, those of 16 bits with a fraction, and integers
/// whose unused bits have no value are opaque structures instead.
bool is_number_of_d(uint64_t encoding, uint64_t size_bytes, std::string_view name) {
  switch (encoding) {
    case DW_ATE_float:
      return size_bytes != 2;
    case DW_ATE_address:
    case DW_ATE_boolean:
    case DW_ATE_signed:
    case DW_ATE_signed_char:
    case DW_ATE_unsigned:
    case DW_ATE_unsigned_char:
    case DW_ATE_UTF:
      return name.find("_BitInt") == std::string_view::npos;
    default:
      return false;
  }
}

UserTypes::Record base_type(Dwarf_Die *die) {
  UserTypes::Record record;
  record.name = dwarf_name(die);
  record.size_bytes = dwarf_number(die, DW_AT_byte_size).value_or(0);
  const uint64_t encoding = dwarf_number(die, DW_AT_encoding).value_or(DW_ATE_unsigned);
  if (!is_number_of_d(encoding, record.size_bytes, record.name)) {
    record.kind = TypeKind::kStruct;
    record.tag = TagKind::kStruct;
    return record;
  }
  record.kind = encoding == DW_ATE_float ? TypeKind::kFloat : TypeKind::kInt;
  if (record.name == "_Float64x") record.name = "long double";  // the same format on every machine
  record.is_bool = encoding == DW_ATE_boolean;
  record.is_char = encoding == DW_ATE_signed_char || encoding == DW_ATE_unsigned_char;
  record.is_signed = encoding == DW_ATE_signed || encoding == DW_ATE_signed_char;
  return record;
}

/// An offset; of a function an address and what is added to `this`: nothing that D follows.
UserTypes::Record member_pointer(Dwarf_Die *die) {
  constexpr uint64_t kWordBytes = 8;
  UserTypes::Record record;
  Dwarf_Die target;
  const bool is_function = dwarf_reference(die, DW_AT_type, &target) && dwarf_tag(&target) == DW_TAG_subroutine_type;
  record.kind = is_function ? TypeKind::kStruct : TypeKind::kInt;
  if (is_function) record.tag = TagKind::kStruct;
  record.name = "ptr_to_member";
  record.size_bytes = is_function ? 2 * kWordBytes : kWordBytes;
  return record;
}

uint8_t qualifier_of(int tag) {
  switch (tag) {
    case DW_TAG_const_type:
      return kConst;
    case DW_TAG_restrict_type:
      return kRestrict;
    default:
      return kVolatile;  // also of atomic types: others may write them
  }
}

}  // namespace

UserTypes::Id DwarfTypes::number_of(Dwarf_Die die, unsigned dimension) {
  const auto [place, is_new] = numbers_.try_emplace({die.addr, dimension}, 0);
  if (!is_new) return place->second;
  // A type unit has the definition.
  Dwarf_Die definition;
  if (dwarf_hasattr(&die, DW_AT_signature) != 0 && dwarf_reference(&die, DW_AT_signature, &definition) &&
      dwarf_tag(&definition) == dwarf_tag(&die) && definition.addr != die.addr)
    die = definition;
  const int tag = dwarf_tag(&die);
  Id *repeated = nullptr;
  if (const std::string_view name = may_be_repeated(tag) ? dwarf_name(&die) : std::string_view(); !name.empty()) {
    const bool is_declared = dwarf_has_flag(&die, DW_AT_declaration);
    const uint64_t size_bytes = is_declared ? UINT64_MAX : dwarf_number(&die, DW_AT_byte_size).value_or(0);
    repeated = &definitions_[{tag, name, size_bytes, is_declared ? 0 : digest_of(die)}];
    if (*repeated != 0) return place->second = *repeated;
  }
  if (known_.size() >= limits::kMaxUserTypes) return 0;
  known_.push_back({die, dimension});
  const auto id = static_cast<Id>(known_.size());
  if (repeated != nullptr) *repeated = id;
  return place->second = id;
}

/// Digest of a type's line and encoding, and of the names, offsets, values and types of its members. Two sources of a
/// program may define different types of the same name, and so may two classes that a template makes. Types count by
/// their names only, because another source may only declare them.
uint64_t DwarfTypes::digest_of(Dwarf_Die die) {
  uint64_t digest = 0;
  const auto mix = [&digest](uint64_t value) { digest = (std::rotl(digest, 5) ^ value) * 0x9e3779b97f4a7c15; };
  const auto mix_type = [&mix](Dwarf_Die at) {
    Dwarf_Die next;
    for (unsigned step = 0; step < limits::kMaxDwarfDepth && dwarf_reference(&at, DW_AT_type, &next); ++step) {
      const int tag = dwarf_tag(&next);
      const bool is_class = tag == DW_TAG_structure_type || tag == DW_TAG_class_type;
      mix(static_cast<uint64_t>(is_class ? DW_TAG_structure_type : tag));
      mix(std::hash<std::string_view>()(dwarf_name(&next)));
      at = next;
    }
  };
  for (const unsigned attribute : {DW_AT_decl_line, DW_AT_encoding}) mix(dwarf_number(&die, attribute).value_or(0));
  Dwarf_Die child;
  if (!first_child(&die, &child, file_.budget())) return digest;
  do {
    mix(std::hash<std::string_view>()(dwarf_name(&child)));
    for (const unsigned attribute : {DW_AT_data_member_location, DW_AT_data_bit_offset, DW_AT_const_value})
      mix(dwarf_number(&child, attribute).value_or(0));
    if (const int tag = dwarf_tag(&child); tag == DW_TAG_member || tag == DW_TAG_inheritance) mix_type(child);
  } while (next_sibling(&child, file_.budget()));
  return digest;
}

UserTypes::Id DwarfTypes::type_of(Dwarf_Die *die) {
  Dwarf_Die type;
  return dwarf_reference(die, DW_AT_type, &type) ? number_of(type, 0) : 0;
}

UserTypes::Record DwarfTypes::array(const Known &known) {
  Record record;
  Dwarf_Die die = known.die;
  record.kind = TypeKind::kArray;
  record.count = dwarf_dimension(&die, known.dimension, file_.budget()).value_or(0);
  const bool has_more =
      known.dimension < limits::kMaxDwarfDepth && dwarf_dimension(&die, known.dimension + 1, file_.budget());
  record.target = has_more ? number_of(die, known.dimension + 1) : type_of(&die);
  return record;
}

UserTypes::Record DwarfTypes::record(Id id) {
  Record record;
  if (id == 0 || id > known_.size()) return record;
  Known known = known_[id - 1];
  Dwarf_Die *die = &known.die;
  const int tag = dwarf_tag(die);
  switch (tag) {
    case DW_TAG_base_type:
      return base_type(die);
    case DW_TAG_pointer_type:
    case DW_TAG_reference_type:
    case DW_TAG_rvalue_reference_type:
      record.kind = TypeKind::kPointer;
      record.target = type_of(die);
      return record;
    case DW_TAG_structure_type:
    case DW_TAG_class_type:
    case DW_TAG_union_type:
      record.kind = dwarf_has_flag(die, DW_AT_declaration) ? TypeKind::kForward
                    : tag == DW_TAG_union_type             ? TypeKind::kUnion
                                                           : TypeKind::kStruct;
      record.tag = tag == DW_TAG_union_type ? TagKind::kUnion : TagKind::kStruct;
      break;
    case DW_TAG_enumeration_type:
      record.kind = dwarf_has_flag(die, DW_AT_declaration) ? TypeKind::kForward : TypeKind::kEnum;
      record.tag = TagKind::kEnum;
      record.is_signed = is_signed_enumeration(die);
      break;
    case DW_TAG_typedef:
      record.kind = TypeKind::kTypedef;
      record.target = type_of(die);
      break;
    case DW_TAG_const_type:
    case DW_TAG_volatile_type:
    case DW_TAG_restrict_type:
    case DW_TAG_atomic_type:
      record.kind = TypeKind::kQualified;
      record.qualifiers = qualifier_of(tag);
      record.target = type_of(die);
      return record;
    case DW_TAG_array_type:
      return array(known);
    case DW_TAG_subroutine_type:
      record.kind = TypeKind::kFunction;
      record.target = type_of(die);
      return record;
    case DW_TAG_ptr_to_member_type:
      return member_pointer(die);
    default:
      return record;
  }
  record.name = dwarf_name(die);
  record.size_bytes = dwarf_number(die, DW_AT_byte_size).value_or(0);
  return record;
}

std::vector<UserTypes::RawMember> DwarfTypes::members(Id id) {
  std::vector<RawMember> members;
  Dwarf_Die die = known_.at(id - 1).die, child;
  if (!first_child(&die, &child, file_.budget())) return members;
  do {
    const int tag = dwarf_tag(&child);
    const bool is_base = tag == DW_TAG_inheritance;
    if (tag != DW_TAG_member && !is_base) continue;
    if (dwarf_hasattr(&child, DW_AT_declaration) != 0 || (!is_base && dwarf_hasattr(&child, DW_AT_external) != 0))
      continue;  // a static member
    if (file_.budget().members == 0) break;
    --file_.budget().members;
    const std::optional<DwarfMemberPlace> place = dwarf_member_place(&child, sizeof(int));
    if (!place) continue;
    members.push_back(
        {is_base ? std::string_view() : dwarf_name(&child), type_of(&child), place->off_bits, place->bits});
  } while (next_sibling(&child, file_.budget()));
  return members;
}

std::vector<Enumerator> DwarfTypes::enumerators(Id id) {
  std::vector<Enumerator> enumerators;
  Dwarf_Die die = known_.at(id - 1).die, child;
  const bool is_signed = is_signed_enumeration(&die);
  if (!first_child(&die, &child, file_.budget())) return enumerators;
  do {
    if (dwarf_tag(&child) != DW_TAG_enumerator) continue;
    if (file_.budget().members == 0) break;
    --file_.budget().members;
    enumerators.push_back({dwarf_name(&child), enumerator_value(&child, is_signed)});
  } while (next_sibling(&child, file_.budget()));
  return enumerators;
}

std::vector<UserTypes::Id> DwarfTypes::parameters(Id id) {
  std::vector<Id> parameters;
  Dwarf_Die die = known_.at(id - 1).die, child;
  if (!first_child(&die, &child, file_.budget())) return parameters;
  do
    if (dwarf_tag(&child) == DW_TAG_formal_parameter) parameters.push_back(type_of(&child));
  while (next_sibling(&child, file_.budget()));
  return parameters;
}

std::string_view DwarfTypes::full_name(Id id) {
  const auto [known, is_new] = full_names_.try_emplace(id);
  if (is_new) known->second = canonical_type_name(scoped_name(known_.at(id - 1).die, file_.budget()));
  return known->second;
}

std::optional<UserTypes::Id> DwarfTypes::template_argument(Id id, std::string_view name) {
  Dwarf_Die die = known_.at(id - 1).die, child;
  if (!first_child(&die, &child, file_.budget())) return std::nullopt;
  do
    if (dwarf_tag(&child) == DW_TAG_template_type_parameter && dwarf_name(&child) == name) return type_of(&child);
  while (next_sibling(&child, file_.budget()));
  return std::nullopt;
}

std::optional<UserTypes::Id> DwarfTypes::find(TagKind kind, std::string_view name) {
  const std::optional<Dwarf_Die> found = names_.type(kind, name);
  return found ? std::optional(number_of(*found, 0)) : std::nullopt;
}

std::optional<std::pair<UserTypes::Id, int64_t>> DwarfTypes::find_enumerator(std::string_view name) {
  auto found = names_.enumerator(name);
  if (!found) return std::nullopt;
  return std::pair(number_of(found->first, 0), found->second);
}

}  // namespace dtrace::runtime
