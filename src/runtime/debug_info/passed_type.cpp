// SPDX-License-Identifier: Apache-2.0
#include "runtime/debug_info/passed_type.h"

#include <dwarf.h>

#include <algorithm>
#include <optional>

namespace dtrace::runtime {
namespace {

using arch::PassedPart;
using arch::PassedType;
using Kind = PassedPart::Kind;
using Form = PassedType::Form;

constexpr uint64_t kWideBytes = 16;
/// A union may have many members in the same bytes.
constexpr size_t kMaxParts = 4096;
constexpr unsigned kComplexInteger = DW_ATE_lo_user;  // GCC's and clang's

constexpr std::string_view kUnknownType = "its debug information does not say how its type is passed";
constexpr std::string_view kIncomplete = "its type is not complete";
constexpr std::string_view kTooLarge = "its type has too many members";
constexpr std::string_view kFlexible = "compilers pass structures with a flexible array in different ways";
constexpr std::string_view kUnknownFloat = "its debug information does not say which format its number has";
constexpr std::string_view kAtomicRecord = "its debug information does not say what an atomic structure is padded to";
constexpr std::string_view kVirtualBase = "it has a virtual base class";
constexpr std::string_view kLessAligned = "compilers pass structures with less aligned members in different ways";

bool contains(std::string_view text, std::string_view part) { return text.find(part) != std::string_view::npos; }

/// A base type: its numbers are of one kind.
struct Number {
  Kind kind = Kind::kInteger;
  bool is_complex = false;
  std::string_view doubt = {};
};

/// The format of floating-point numbers of 16 bytes, of which a machine may have two.
Number wide_float(std::string_view name, const arch::CallingConvention &calls) {
  if (!calls.has_extended_float || contains(name, "loat128") || name == "real(kind=16)") return {.kind = Kind::kFloat};
  if (contains(name, "long double") || contains(name, "_Float64x") || name == "real(kind=10)")
    return {.kind = Kind::kExtended};
  return {.kind = Kind::kFloat, .doubt = kUnknownFloat};
}

Number number_of(Dwarf_Die *die, uint64_t size_bytes, const arch::CallingConvention &calls) {
  const std::string_view name = dwarf_name(die);
  switch (dwarf_number(die, DW_AT_encoding).value_or(0)) {
    case DW_ATE_float:
      if (size_bytes == kWideBytes) return wide_float(name, calls);
      if (size_bytes == 2 && (contains(name, "bf16") || contains(name, "bfloat"))) return {.kind = Kind::kBrain};
      if (size_bytes == 2 || size_bytes == 4 || size_bytes == 8) return {.kind = Kind::kFloat};
      return {.doubt = kUnknownFloat};
    case DW_ATE_complex_float: {
      Number number = size_bytes == 2 * kWideBytes ? wide_float(name, calls) : Number{.kind = Kind::kFloat};
      number.is_complex = true;
      return number;
    }
    case kComplexInteger:
      // GCC has no name for most of them.
      if (contains(name, "complex") || name == "__unknown__") return {.kind = Kind::kInteger, .is_complex = true};
      return {.doubt = kUnknownType};
    case DW_ATE_decimal_float:
      return {.kind = Kind::kDecimal};
    case DW_ATE_address:
    case DW_ATE_boolean:
    case DW_ATE_signed:
    case DW_ATE_signed_char:
    case DW_ATE_unsigned:
    case DW_ATE_unsigned_char:
    case DW_ATE_UTF:
      return {.kind = Kind::kInteger};
    default:
      return {.doubt = kUnknownType};
  }
}

/// What a type is laid out as where it is a member.
struct Layout {
  uint64_t size_bytes = 0;
  uint32_t align_bytes = 1, member_align_bytes = 1;
  bool is_align_unsure = false;
};

/// An alignment that the source asks for.
std::optional<uint32_t> stated_alignment(Dwarf_Die *die) {
  constexpr uint64_t kMaxAlignBytes = 1U << 28;
  const std::optional<uint64_t> stated = dwarf_number(die, DW_AT_alignment);
  return stated ? std::optional(static_cast<uint32_t>(std::clamp<uint64_t>(*stated, 1, kMaxAlignBytes))) : std::nullopt;
}

bool is_qualifier(int tag) {
  return tag == DW_TAG_const_type || tag == DW_TAG_volatile_type || tag == DW_TAG_restrict_type;
}

class Reader {
 public:
  Reader(const arch::CallingConvention &calls, DwarfBudget &budget) : calls_(calls), budget_(budget) {}

  PassedType read(Dwarf_Die type) {
    // An alignment that a typedef has does not count for a parameter.
    Dwarf_Die next;
    for (unsigned step = 0; step < limits::kMaxDwarfDepth; ++step) {
      const int tag = dwarf_tag(&type);
      if (tag != DW_TAG_typedef && !is_qualifier(tag)) break;
      if (!dwarf_reference(&type, DW_AT_type, &next)) return {};
      type = next;
    }
    const Layout layout = add(type, 0, 0);
    out_.size_bytes = layout.size_bytes;
    out_.align_bytes = layout.align_bytes;
    out_.member_align_bytes = layout.member_align_bytes;
    out_.is_align_unsure = layout.is_align_unsure;
    if (budget_.entries == 0) doubt(kTooLarge);
    settle();
    return std::move(out_);
  }

 private:
  void doubt(std::string_view why) {
    if (out_.doubt.empty()) out_.doubt = why;
  }
  Layout doubtful(std::string_view why) {
    doubt(why);
    return {};
  }

  void add_part(Kind kind, uint64_t off_bits, uint64_t size_bits, uint32_t align_bytes, bool is_bit_field = false) {
    if (off_bits >= PassedType::kMaxPartsBytes * 8 || size_bits == 0) return;
    if (out_.parts.size() == kMaxParts) return doubt(kTooLarge);
    out_.parts.push_back({kind, is_bit_field, off_bits, size_bits, align_bytes});
  }

  Layout integer(uint64_t off_bits, uint64_t size_bytes, uint32_t align_bytes) {
    align_bytes = std::max<uint32_t>(align_bytes, 1);
    add_part(Kind::kInteger, off_bits, size_bytes * 8, align_bytes);
    return {size_bytes, align_bytes, align_bytes};
  }
  Layout pointer(uint64_t off_bits) { return integer(off_bits, arch::kPassedWordBytes, arch::kPassedWordBytes); }

  /// A member, a parameter or an element of that type begins at `off_bits`.
  Layout add(Dwarf_Die type, uint64_t off_bits, unsigned depth) {
    if (depth > limits::kMaxDwarfDepth || steps_left_ == 0) return doubtful(kTooLarge);
    --steps_left_;
    // A type unit has the definition.
    Dwarf_Die definition;
    if (dwarf_hasattr(&type, DW_AT_signature) != 0 && dwarf_reference(&type, DW_AT_signature, &definition))
      type = definition;
    const int tag = dwarf_tag(&type);
    if (tag == DW_TAG_typedef || is_qualifier(tag)) return behind(type, off_bits, depth);
    switch (tag) {
      case DW_TAG_base_type:
        return base(type, off_bits);
      case DW_TAG_enumeration_type:
        return enumeration(type, off_bits, depth);
      case DW_TAG_pointer_type:
      case DW_TAG_reference_type:
      case DW_TAG_rvalue_reference_type:
        if (dwarf_number(&type, DW_AT_byte_size).value_or(arch::kPassedWordBytes) != arch::kPassedWordBytes)
          return doubtful(kUnknownType);
        return pointer(off_bits);
      case DW_TAG_unspecified_type:
        return contains(dwarf_name(&type), "nullptr") ? pointer(off_bits) : doubtful(kUnknownType);
      case DW_TAG_ptr_to_member_type:
        return member_pointer(type, off_bits, depth);
      case DW_TAG_atomic_type:
        return atomic(type, off_bits, depth);
      case DW_TAG_array_type:
        return dwarf_has_flag(&type, DW_AT_GNU_vector) ? vector(type, off_bits) : array(type, off_bits, depth);
      case DW_TAG_structure_type:
      case DW_TAG_class_type:
      case DW_TAG_union_type:
        return record(type, off_bits, depth);
      default:
        return doubtful(kUnknownType);
    }
  }

  /// A typedef, which may have an alignment, or a qualified type.
  Layout behind(Dwarf_Die type, uint64_t off_bits, unsigned depth) {
    Dwarf_Die target;
    if (!dwarf_reference(&type, DW_AT_type, &target)) return doubtful(kIncomplete);
    Layout layout = add(target, off_bits, depth + 1);
    if (const std::optional<uint32_t> stated = stated_alignment(&type)) {
      if (*stated < layout.align_bytes && off_bits % (uint64_t{layout.align_bytes} * 8) != 0) is_less_aligned_ = true;
      layout.align_bytes = layout.member_align_bytes = *stated;
      layout.is_align_unsure = false;
    }
    return layout;
  }

  Layout base(Dwarf_Die type, uint64_t off_bits) {
    const uint64_t size_bytes = dwarf_number(&type, DW_AT_byte_size).value_or(0);
    const Number number = number_of(&type, size_bytes, calls_);
    if (!number.doubt.empty()) doubt(number.doubt);
    if (size_bytes == 0) return doubtful(kIncomplete);
    if (contains(dwarf_name(&type), "_BitInt"))
      return integer(off_bits, size_bytes,
                     std::min(static_cast<uint32_t>(size_bytes),
                              size_bytes > arch::kPassedWordBytes ? calls_.max_bit_int_align : 8));
    const uint64_t count = number.is_complex ? 2 : 1, part_bytes = size_bytes / count;
    if (part_bytes == 0 || part_bytes > kWideBytes || (part_bytes & (part_bytes - 1)) != 0)
      return doubtful(kUnknownType);
    const auto align_bytes = static_cast<uint32_t>(part_bytes);
    for (uint64_t i = 0; i < count; ++i)
      add_part(number.kind, off_bits + i * part_bytes * 8, part_bytes * 8, align_bytes);
    if (number.is_complex) out_.form = Form::kComplex;
    return {size_bytes, align_bytes, align_bytes};
  }

  Layout enumeration(Dwarf_Die type, uint64_t off_bits, unsigned depth) {
    Dwarf_Die underlying;
    if (const std::optional<uint64_t> bytes = dwarf_number(&type, DW_AT_byte_size); bytes && *bytes <= kWideBytes)
      return integer(off_bits, *bytes, static_cast<uint32_t>(*bytes));
    if (dwarf_reference(&type, DW_AT_type, &underlying)) return add(underlying, off_bits, depth + 1);
    return doubtful(kIncomplete);
  }

  /// An offset; of a function two words.
  Layout member_pointer(Dwarf_Die type, uint64_t off_bits, unsigned depth) {
    Dwarf_Die target = type, next;
    for (unsigned step = 0; step < limits::kMaxDwarfDepth && dwarf_reference(&target, DW_AT_type, &next); ++step) {
      target = next;
      if (dwarf_tag(&target) != DW_TAG_typedef && !is_qualifier(dwarf_tag(&target))) break;
    }
    Layout layout = pointer(off_bits);
    if (dwarf_tag(&target) != DW_TAG_subroutine_type) return layout;
    pointer(off_bits + arch::kPassedWordBytes * 8);
    layout.size_bytes = 2 * arch::kPassedWordBytes;
    if (depth == 0) out_.form = Form::kRecord;
    return layout;
  }

  Layout atomic(Dwarf_Die type, uint64_t off_bits, unsigned depth) {
    Dwarf_Die target;
    if (!dwarf_reference(&type, DW_AT_type, &target)) return doubtful(kIncomplete);
    const Layout layout = add(target, off_bits, depth + 1);
    if (layout.size_bytes > arch::kPassedWordBytes || (layout.size_bytes & (layout.size_bytes - 1)) != 0 ||
        layout.align_bytes != layout.size_bytes)
      doubt(kAtomicRecord);
    return layout;
  }

  Layout vector(Dwarf_Die type, uint64_t off_bits) {
    const std::optional<uint64_t> count = dwarf_dimension(&type, 0, budget_);
    Dwarf_Die element;
    const uint64_t element_bytes = dwarf_reference(&type, DW_AT_type, &element) ? element_size(element) : 0;
    const uint64_t size_bytes = count.value_or(0) * element_bytes;
    const uint64_t stated_bytes = dwarf_number(&type, DW_AT_byte_size).value_or(size_bytes);
    if (count.value_or(0) > UINT16_MAX || size_bytes == 0 || size_bytes != stated_bytes || *count < 2)
      return doubtful(arch::kVectorOfOtherSize);
    const auto align_bytes = static_cast<uint32_t>(size_bytes);
    add_part(Kind::kVector, off_bits, size_bytes * 8, align_bytes);
    return {size_bytes, align_bytes, align_bytes};
  }

  static uint64_t element_size(Dwarf_Die type) {
    Dwarf_Die next;
    for (unsigned step = 0; step < limits::kMaxDwarfDepth; ++step) {
      const int tag = dwarf_tag(&type);
      if (tag != DW_TAG_typedef && !is_qualifier(tag)) break;
      if (!dwarf_reference(&type, DW_AT_type, &next)) return 0;
      type = next;
    }
    return dwarf_tag(&type) == DW_TAG_base_type ? dwarf_number(&type, DW_AT_byte_size).value_or(0) : 0;
  }

  Layout array(Dwarf_Die type, uint64_t off_bits, unsigned depth) {
    Dwarf_Die element;
    if (!dwarf_reference(&type, DW_AT_type, &element)) return doubtful(kIncomplete);
    uint64_t count = 1;
    for (unsigned i = 0; i < limits::kMaxDwarfDepth; ++i) {
      const std::optional<uint64_t> dimension = dwarf_dimension(&type, i, budget_);
      if (!dimension) break;
      if (__builtin_mul_overflow(count, *dimension, &count)) return doubtful(kTooLarge);
    }
    is_flexible_ |= count == 0;
    const size_t parts_before = out_.parts.size();
    Layout layout = add(element, off_bits, depth + 1);
    if (count == 0) out_.parts.resize(parts_before);
    const uint64_t element_bits = layout.size_bytes * 8;
    for (uint64_t i = 1; i < count && element_bits != 0 && budget_.entries != 0; ++i) {
      const uint64_t at = off_bits + i * element_bits;
      if (at >= PassedType::kMaxPartsBytes * 8 || !out_.doubt.empty()) break;
      add(element, at, depth + 1);
    }
    if (__builtin_mul_overflow(layout.size_bytes, count, &layout.size_bytes)) return doubtful(kTooLarge);
    return layout;
  }

  Layout record(Dwarf_Die type, uint64_t off_bits, unsigned depth) {
    const std::optional<uint64_t> size_bytes = dwarf_number(&type, DW_AT_byte_size);
    if (dwarf_has_flag(&type, DW_AT_declaration) || !size_bytes) return doubtful(kIncomplete);
    const Form form_before = out_.form;
    Layout members{*size_bytes};
    uint32_t stated_align_bytes = 1;
    bool is_packed = false;
    Dwarf_Die child;
    if (first_child(&type, &child, budget_)) do {
        const int tag = dwarf_tag(&child);
        if (tag == DW_TAG_variant_part) doubt(kUnknownType);
        if (tag != DW_TAG_member && tag != DW_TAG_inheritance) continue;
        if (tag == DW_TAG_member &&
            (dwarf_hasattr(&child, DW_AT_declaration) != 0 || dwarf_hasattr(&child, DW_AT_external) != 0))
          continue;  // a static member
        const std::optional<Member> member = add_member(child, off_bits, depth);
        if (!member) continue;
        is_packed |= member->is_unaligned;
        stated_align_bytes = std::max(stated_align_bytes, member->stated_align_bytes);
        members.align_bytes = std::max(members.align_bytes, member->layout.align_bytes);
        members.is_align_unsure |= member->stated_align_bytes < member->layout.align_bytes &&
                                   member->layout.align_bytes > arch::kPassedWordBytes;
      } while (next_sibling(&child, budget_));
    out_.form = depth == 0 ? Form::kRecord : form_before;
    const std::optional<uint32_t> own_align_bytes = stated_alignment(&type);
    is_packed |= *size_bytes % members.align_bytes != 0 || own_align_bytes.value_or(UINT32_MAX) < members.align_bytes;
    // How far a packed structure's alignment is less, nothing states.
    if (is_packed && members.align_bytes <= arch::kPassedWordBytes) members.align_bytes = stated_align_bytes;
    members.is_align_unsure |= members.align_bytes > arch::kPassedWordBytes && is_packed;
    members.member_align_bytes = members.align_bytes;
    if (own_align_bytes) members.align_bytes = std::max(members.align_bytes, *own_align_bytes);
    is_record_unaligned_ |= off_bits % (uint64_t{members.align_bytes} * 8) != 0;
    return members;
  }

  struct Member {
    Layout layout;
    uint32_t stated_align_bytes = 1;
    bool is_unaligned = false;
  };
  /// Nothing: it is not understood, which is in doubt().
  std::optional<Member> add_member(Dwarf_Die die, uint64_t off_bits, unsigned depth) {
    const std::optional<DwarfMemberPlace> place = dwarf_member_place(&die, sizeof(int));
    Dwarf_Die type;
    if (!place || !dwarf_reference(&die, DW_AT_type, &type)) {
      doubt(dwarf_tag(&die) == DW_TAG_inheritance ? kVirtualBase : kUnknownType);
      return std::nullopt;
    }
    Member member;
    const size_t parts_before = out_.parts.size();
    if (place->bits == 0) {
      member.layout = add(type, off_bits + place->off_bits, depth + 1);
    } else {
      member.layout = add(type, off_bits, depth + 1);
      out_.parts.resize(parts_before);
      add_part(Kind::kInteger, off_bits + place->off_bits, place->bits, 1, true);
    }
    // clang states the type's alignment of a member, too, also where the structure is packed.
    if (const std::optional<uint32_t> stated = stated_alignment(&die); stated && *stated > member.layout.align_bytes)
      member.layout.align_bytes = member.stated_align_bytes = *stated;
    member.is_unaligned = place->bits == 0 && place->off_bits % (uint64_t{member.layout.align_bytes} * 8) != 0;
    return member;
  }

  /// Doubts that depend on the whole.
  void settle() {
    const bool has_unaligned_part = std::ranges::any_of(out_.parts, [](const PassedPart &part) {
      return !part.is_bit_field && part.off_bits % (uint64_t{part.align_bytes} * 8) != 0;
    });
    out_.has_unaligned_record = is_record_unaligned_ && !has_unaligned_part;
    const bool is_all_float =
        std::ranges::none_of(out_.parts, [](const PassedPart &part) { return part.kind == Kind::kInteger; });
    const bool may_be_in_registers =
        out_.size_bytes <= kWideBytes || (is_all_float && out_.size_bytes <= PassedType::kMaxPartsBytes);
    if (!may_be_in_registers) return;
    if (is_flexible_) doubt(kFlexible);
    if (is_less_aligned_) doubt(kLessAligned);
  }

  const arch::CallingConvention &calls_;
  DwarfBudget &budget_;
  PassedType out_;
  unsigned steps_left_ = 4 * kMaxParts;
  bool is_flexible_ = false, is_less_aligned_ = false, is_record_unaligned_ = false;
};

}  // namespace

PassedType passed_type(Dwarf_Die *entry, const arch::CallingConvention &calls, DwarfBudget &budget) {
  Dwarf_Die type;
  return dwarf_reference(entry, DW_AT_type, &type) ? Reader(calls, budget).read(type) : PassedType();
}

}  // namespace dtrace::runtime
