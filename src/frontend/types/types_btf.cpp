// SPDX-License-Identifier: Apache-2.0
// Kernel types: BTF records become D types when asked for, members of structs when looked at. What a reader would get
// wrong: kernels since 6.2 are built with unsigned plain char, and BTF then calls "char" unsigned; it is D's char here,
// or task_struct's comm would not be text.
#include <algorithm>
#include <cassert>

#include "frontend/types/types_impl.h"

namespace dtrace {
namespace {

using Kind = BtfIndex::Kind;

/// Longest chain of pointers, qualifiers, typedefs and arrays followed. Real ones are shorter than ten; BTF that refers
/// to itself in a circle is cut here.
constexpr unsigned kMaxDepth = 64;

/// Struct in struct in struct by value, when alignments are computed.
constexpr unsigned kMaxNesting = 32;

bool is_integer_size(uint32_t size_bytes) {
  return size_bytes == 1 || size_bytes == 2 || size_bytes == 4 || size_bytes == 8;
}

struct WordCount {
  unsigned chars = 0, shorts = 0, ints = 0, longs = 0, signeds = 0, unsigneds = 0, bools = 0, others = 0;
};

WordCount count_words(std::string_view spelling) {
  WordCount count;
  while (!spelling.empty()) {
    const size_t blank = std::min(spelling.find(' '), spelling.size());
    const std::string_view word = spelling.substr(0, blank);
    spelling.remove_prefix(std::min(blank + 1, spelling.size()));
    if (word == "char")
      ++count.chars;
    else if (word == "short")
      ++count.shorts;
    else if (word == "int")
      ++count.ints;
    else if (word == "long")
      ++count.longs;
    else if (word == "signed")
      ++count.signeds;
    else if (word == "unsigned")
      ++count.unsigneds;
    else if (word == "_Bool" || word == "bool")
      ++count.bools;
    else
      ++count.others;
  }
  return count;
}

}  // namespace

std::optional<Base> base_by_spelling(std::string_view spelling) {
  const WordCount words = count_words(spelling);
  const bool is_unsigned = words.unsigneds > 0;
  if (words.others > 0 || words.signeds + words.unsigneds > 1) return std::nullopt;
  if (words.bools > 0) return spelling == "_Bool" || spelling == "bool" ? std::optional(Base::kBool) : std::nullopt;
  if (words.chars > 0) {
    if (words.chars > 1 || words.shorts + words.ints + words.longs > 0) return std::nullopt;
    return is_unsigned ? Base::kUChar : words.signeds > 0 ? Base::kSChar : Base::kChar;
  }
  if (words.shorts > 1 || words.ints > 1 || words.longs > 2 || (words.shorts > 0 && words.longs > 0))
    return std::nullopt;
  if (words.shorts > 0) return is_unsigned ? Base::kUShort : Base::kShort;
  if (words.longs == 2) return is_unsigned ? Base::kULongLong : Base::kLongLong;
  if (words.longs == 1) return is_unsigned ? Base::kULong : Base::kLong;
  if (words.ints + words.signeds + words.unsigneds == 0) return std::nullopt;
  return is_unsigned ? Base::kUInt : Base::kInt;
}

TypeId TypeTable::from_btf(const BtfIndex &btf, uint32_t btf_id) { return impl_->convert(btf, btf_id, 0); }

TypeId TypeTable::Impl::convert(const BtfIndex &btf, uint32_t btf_id, unsigned depth) {
  if (btf_id == 0) return id_of(Base::kVoid);
  if (btf_id < btf.first_id()) return btf.base() != nullptr ? convert(*btf.base(), btf_id, depth) : id_of(Base::kVoid);
  if (btf_id > btf.last_id()) return id_of(Base::kVoid);
  TypeId &known = source_of(btf, false).ids[btf_id - btf.first_id()];
  if (known) return known;
  const std::optional<BtfIndex::Record> record = btf.record(btf_id);
  assert(record);
  return known = convert_record(btf, btf_id, *record, depth);
}

TypeId TypeTable::Impl::add_from_btf(const BtfIndex &btf, uint32_t btf_id, Type type) {
  type.module = btf.module();
  const TypeId id = add(type);
  Slot &slot = this->slot(id);
  slot.btf = &btf;
  slot.btf_id = btf_id;
  return id;
}

TypeId TypeTable::Impl::convert_record(const BtfIndex &btf, uint32_t btf_id, const BtfIndex::Record &record,
                                       unsigned depth) {
  if (depth > kMaxDepth) return id_of(Base::kVoid);
  Type type;
  type.name = record.name;
  auto target = [&] { return convert(btf, record.size_or_type, depth + 1); };
  auto with_contents = [&](TypeKind kind) {
    type.kind = kind;
    const TypeId id = add_from_btf(btf, btf_id, type);
    slot(id).aggregate = std::make_unique<Aggregate>();
    return id;
  };

  switch (record.kind) {
    case Kind::kInt:
      return convert_integer(btf, btf_id, record);
    case Kind::kFloat:
      if (record.size_or_type == 4 || record.size_or_type == 8 || record.size_or_type == 16) {
        return table.floating(record.size_or_type);
      }
      type.kind = TypeKind::kFloat;
      type.size_bytes = record.size_or_type;
      type.is_signed = true;
      return add_from_btf(btf, btf_id, type);
    case Kind::kPtr:
      return convert_pointer(btf, record.size_or_type, depth);
    case Kind::kArray: {
      const auto [element, count] = *btf.array(btf_id);
      return table.array_of(convert(btf, element, depth + 1), count);
    }
    case Kind::kStruct:
    case Kind::kUnion: {
      type.tag = record.kind == Kind::kStruct ? TagKind::kStruct : TagKind::kUnion;
      type.size_bytes = record.size_or_type;
      const TypeId id = with_contents(record.kind == Kind::kStruct ? TypeKind::kStruct : TypeKind::kUnion);
      slot(id).align_known = false;  // BTF does not say; computed when asked
      return id;
    }
    case Kind::kEnum:
    case Kind::kEnum64:
      type.tag = TagKind::kEnum;
      type.size_bytes = is_integer_size(record.size_or_type) ? record.size_or_type : 4;
      type.align_bytes = static_cast<uint32_t>(type.size_bytes);
      type.is_signed = record.kind_flag;
      return with_contents(TypeKind::kEnum);
    case Kind::kFwd:
      type.kind = TypeKind::kForward;
      type.tag = record.kind_flag ? TagKind::kUnion : TagKind::kStruct;
      return add_from_btf(btf, btf_id, type);
    case Kind::kTypedef:
      type.kind = TypeKind::kTypedef;
      type.target = target();
      return add_from_btf(btf, btf_id, type);
    case Kind::kConst:
      return table.qualified(target(), kConst);
    case Kind::kVolatile:
      return table.qualified(target(), kVolatile);
    case Kind::kRestrict:
      return table.qualified(target(), kRestrict);
    case Kind::kFuncProto:
      type.target = target();
      return with_contents(TypeKind::kFunction);
    case Kind::kFunc:
    case Kind::kVar:
    case Kind::kDeclTag:
    case Kind::kTypeTag:
      return target();
    case Kind::kUnknown:
    case Kind::kDatasec:
      break;
  }
  return id_of(Base::kVoid);
}

TypeId TypeTable::Impl::convert_integer(const BtfIndex &btf, uint32_t btf_id, const BtfIndex::Record &record) {
  if (const std::optional<Base> base = base_by_spelling(record.name); base) {
    if (type(id_of(*base)).size_bytes == record.size_or_type) return id_of(*base);
  }
  const BtfIndex::RawInt raw = *btf.integer(btf_id);
  Type type;
  type.kind = TypeKind::kInt;
  type.name = record.name;
  // __int128 keeps its size; is_integer() does not count it as one.
  type.size_bytes = record.size_or_type == 16 || is_integer_size(record.size_or_type) ? record.size_or_type : 8;
  type.align_bytes = static_cast<uint32_t>(type.size_bytes);
  type.is_signed = raw.is_signed;
  type.is_bool = raw.is_bool;
  type.is_char = raw.is_char;
  return add_from_btf(btf, btf_id, type);
}

TypeId TypeTable::Impl::convert_pointer(const BtfIndex &btf, uint32_t target, unsigned depth) {
  // __user is a type tag somewhere among the qualifiers of the pointee.
  Space space = Space::kKernel;
  uint32_t at = target;
  for (unsigned i = 0; i < kMaxDepth; ++i) {
    const std::optional<BtfIndex::Record> record = btf.record(at);
    if (!record) break;
    if (record->kind == Kind::kTypeTag) {
      if (record->name == "user") space = Space::kUser;
    } else if (record->kind != Kind::kConst && record->kind != Kind::kVolatile && record->kind != Kind::kRestrict) {
      break;
    }
    at = record->size_or_type;
  }
  return table.pointer_to(convert(btf, target, depth + 1), space);
}

void TypeTable::Impl::convert_contents(TypeId id) {
  // Conversion adds slots, and these are never moved: the reference stays.
  Slot &slot = this->slot(id);
  Aggregate &contents = *slot.aggregate;
  contents.converted = true;
  if (slot.user != nullptr) return convert_user_contents(id);
  const BtfIndex &btf = *slot.btf;
  switch (slot.type.kind) {
    case TypeKind::kStruct:
    case TypeKind::kUnion:
      for (const BtfIndex::RawMember &raw : btf.members(slot.btf_id)) {
        contents.members.push_back({raw.name, convert(btf, raw.type, 0), raw.off_bits, raw.bits});
      }
      break;
    case TypeKind::kEnum:
      for (const BtfIndex::RawEnumerator &raw : btf.enumerators(slot.btf_id)) {
        contents.enumerators.push_back({raw.name, raw.value});
      }
      break;
    default:
      for (const BtfIndex::RawParam &raw : btf.params(slot.btf_id)) {
        if (raw.type == 0 && raw.name.empty()) {
          slot.type.variadic = true;
        } else {
          contents.parameters.push_back(convert(btf, raw.type, 0));
        }
      }
  }
}

/// Strictest alignment of the members; 1 if some member does not have its own, for then the struct is packed.
uint32_t TypeTable::Impl::align_of_kernel_struct(TypeId id, unsigned depth) {
  Slot &slot = this->slot(id);
  slot.align_known = true;  // stops a struct that holds itself; align_bytes is 1 meanwhile
  uint32_t align = 1;
  bool packed = depth > kMaxNesting;
  for (const Member &member : aggregate(id).members) {
    if (packed) break;
    const TypeId inner = innermost_element(member.type);
    const bool nested = !this->slot(inner).align_known;
    const uint32_t own = nested ? align_of_kernel_struct(inner, depth + 1) : type(inner).align_bytes;
    align = std::max(align, own);
    packed = member.bits == 0 && member.off_bits % (uint64_t{own} * 8) != 0;
  }
  packed = packed || slot.type.size_bytes % align != 0;
  return slot.type.align_bytes = packed ? 1 : align;
}

}  // namespace dtrace
