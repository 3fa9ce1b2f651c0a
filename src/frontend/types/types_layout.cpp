// SPDX-License-Identifier: Apache-2.0
// Definitions that D programs make, laid out as the C compiler of the target lays them out.
// Source: System V ABI, AMD64 supplement, 3.1.2 "Data Representation", bit-fields included; AAPCS64, 10.1.8
// "Bit-fields".
#include <algorithm>
#include <cassert>

#include "frontend/types/types_impl.h"

namespace dtrace {
namespace {

constexpr uint64_t round_up(uint64_t value, uint64_t multiple) { return (value + multiple - 1) / multiple * multiple; }

/// Whether unnamed bit-fields align the struct that they are in: on arm64 they do, on x86-64 they do not. Programs are
/// traced on the machine that we were compiled for.
struct WithUnnamedField {
  char member;
  int : 5;
};
constexpr bool kUnnamedFieldsAlign = alignof(WithUnnamedField) == alignof(int);

/// Places members one after the other (a union: all at 0) and keeps the size and alignment reached.
class Layout {
 public:
  Layout(const TypeTable &types, bool is_union) : types_(types), is_union_(is_union) {}

  /// Offset in bits of an ordinary member of type `type`.
  uint64_t place(TypeId type) {
    const uint32_t align_bytes = types_.align_bytes(type);
    align_bytes_ = std::max(align_bytes_, align_bytes);
    const uint64_t off_bits = is_union_ ? 0 : round_up(end_bits_, align_bytes * uint64_t{8});
    end_bits_ = std::max(end_bits_, off_bits + std::min(types_.size_bytes(type), kMaxBytes) * 8);
    return off_bits;
  }

  /// Offset of a bit-field of `bits` bits in units of `type`.
  uint64_t place_bitfield(TypeId type, uint32_t bits, bool named) {
    const uint64_t unit_bits = types_.size_bytes(type) * 8;
    const uint64_t align_bits = types_.align_bytes(type) * uint64_t{8};
    uint64_t off_bits = is_union_ ? 0 : end_bits_;
    if (unit_bits == 0) return off_bits;  // poison
    if (named || kUnnamedFieldsAlign) align_bytes_ = std::max(align_bytes_, types_.align_bytes(type));
    if (bits == 0) {  // ends the unit: the next member starts at a boundary of the type
      if (!is_union_) end_bits_ = round_up(end_bits_, align_bits);
      return end_bits_;
    }
    // A bit-field never crosses a boundary of its own type.
    if (off_bits % unit_bits + bits > unit_bits) off_bits = round_up(off_bits, align_bits);
    end_bits_ = std::max(end_bits_, off_bits + bits);
    return off_bits;
  }

  uint32_t align_bytes() const { return align_bytes_; }
  uint64_t size_bytes() const { return round_up((end_bits_ + 7) / 8, align_bytes_); }

 private:
  static constexpr uint64_t kMaxBytes = uint64_t{1} << 58;  // keeps sums of bits from overflowing

  const TypeTable &types_;
  bool is_union_;
  uint64_t end_bits_ = 0;
  uint32_t align_bytes_ = 1;
};

TypeKind kind_of(TagKind tag) {
  switch (tag) {
    case TagKind::kStruct:
      return TypeKind::kStruct;
    case TagKind::kUnion:
      return TypeKind::kUnion;
    case TagKind::kEnum:
      return TypeKind::kEnum;
    case TagKind::kOrdinary:
      break;
  }
  assert(false && "not a tag");
  return TypeKind::kPoison;
}

}  // namespace

TypeId TypeTable::define_typedef(std::string_view name, TypeId target, std::string_view module) {
  Type type;
  type.kind = TypeKind::kTypedef;
  type.name = impl_->keep(name);
  type.module = module == "C" ? "C" : "D";
  type.target = target;
  const TypeId id = impl_->add(type);
  impl_->names_of(module == "C" ? Impl::kC : Impl::kD, TagKind::kOrdinary)[type.name] = id;
  ++impl_->generation;
  return id;
}

TypeId TypeTable::declare_tag(TagKind kind, std::string_view name, std::string_view module) {
  assert(kind != TagKind::kOrdinary);
  Impl::Names &names = impl_->names_of(module == "C" ? Impl::kC : Impl::kD, kind);
  if (const auto known = names.find(name); !name.empty() && known != names.end()) return known->second;
  Type type;
  type.kind = TypeKind::kForward;
  type.tag = kind;
  type.name = impl_->keep(name);
  type.module = module == "C" ? "C" : "D";
  const TypeId id = impl_->add(type);
  if (!name.empty()) names[type.name] = id;
  return id;
}

void TypeTable::complete_struct(TypeId tag, std::span<const NewMember> members) {
  Impl::Slot &slot = impl_->slot(tag);
  assert(slot.type.kind == TypeKind::kForward && "completed twice");
  auto aggregate = std::make_unique<Impl::Aggregate>();
  Layout layout(*this, slot.type.tag == TagKind::kUnion);
  for (const NewMember &each : members) {
    Member member;
    member.type = each.type;
    member.bits = each.bits;
    member.off_bits =
        each.is_bitfield ? layout.place_bitfield(each.type, each.bits, !each.name.empty()) : layout.place(each.type);
    if (each.is_bitfield && each.name.empty()) continue;  // padding: nothing can name it
    member.name = impl_->keep(each.name);
    aggregate->members.push_back(member);
  }
  aggregate->converted = true;
  slot.aggregate = std::move(aggregate);
  slot.type.kind = kind_of(slot.type.tag);
  slot.type.size_bytes = layout.size_bytes();
  slot.type.align_bytes = layout.align_bytes();
  ++impl_->generation;
}

void TypeTable::complete_enum(TypeId tag, std::span<const Enumerator> enumerators) {
  Impl::Slot &slot = impl_->slot(tag);
  assert(slot.type.kind == TypeKind::kForward && slot.type.tag == TagKind::kEnum && "completed twice");
  auto aggregate = std::make_unique<Impl::Aggregate>();
  for (const Enumerator &each : enumerators) {
    const std::string_view name = impl_->keep(each.name);
    aggregate->enumerators.push_back({name, each.value});
    // The first enumerator of a name stays, but one defined in D replaces one from a C header.
    const auto [known, added] = impl_->enumerators.try_emplace(name, tag, each.value);
    if (!added && slot.type.module == "D" && (*this)[known->second.first].module == "C")
      known->second = {tag, each.value};
  }
  aggregate->converted = true;
  slot.aggregate = std::move(aggregate);
  slot.type.kind = TypeKind::kEnum;
  slot.type.is_signed = true;
  slot.type.size_bytes = 4;
  slot.type.align_bytes = 4;
  ++impl_->generation;
}

}  // namespace dtrace
