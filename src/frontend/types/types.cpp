// SPDX-License-Identifier: Apache-2.0
// The table itself: base types, interning, and questions about types. Definitions and layout: types_layout.cpp; kernel
// types: types_btf.cpp; search by name: types_lookup.cpp; spelling: types_name.cpp.
#include "frontend/types/types.h"

#include <algorithm>
#include <cassert>
#include <limits>

#include "frontend/types/types_compat.h"
#include "frontend/types/types_impl.h"

namespace dtrace {
namespace {

constexpr uint64_t kPointerBytes = 8;
constexpr uint64_t kUsualStackFrames = 127;

struct BaseRow {
  Base base;
  TypeKind kind;
  std::string_view name;
  uint8_t size_bytes;
  bool is_signed = false;
  bool is_bool = false;
  bool is_char = false;
};

constexpr BaseRow kBaseRows[] = {
    {Base::kPoison, TypeKind::kPoison, "<error>", 0},
    {Base::kVoid, TypeKind::kVoid, "void", 0},
    {Base::kBool, TypeKind::kInt, "_Bool", 1, false, true},
    {Base::kChar, TypeKind::kInt, "char", 1, true, false, true},
    {Base::kSChar, TypeKind::kInt, "signed char", 1, true, false, true},
    {Base::kUChar, TypeKind::kInt, "unsigned char", 1, false, false, true},
    {Base::kShort, TypeKind::kInt, "short", 2, true},
    {Base::kUShort, TypeKind::kInt, "unsigned short", 2},
    {Base::kInt, TypeKind::kInt, "int", 4, true},
    {Base::kUInt, TypeKind::kInt, "unsigned int", 4},
    {Base::kLong, TypeKind::kInt, "long", 8, true},
    {Base::kULong, TypeKind::kInt, "unsigned long", 8},
    {Base::kLongLong, TypeKind::kInt, "long long", 8, true},
    {Base::kULongLong, TypeKind::kInt, "unsigned long long", 8},
    {Base::kFloat, TypeKind::kFloat, "float", 4, true},
    {Base::kDouble, TypeKind::kFloat, "double", 8, true},
    {Base::kLongDouble, TypeKind::kFloat, "long double", 16, true},
    {Base::kString, TypeKind::kString, "string", 0},
    {Base::kStack, TypeKind::kStack, "dt_stack_t", 8},
    {Base::kSymbol, TypeKind::kSymbol, "_symaddr", 8},
    {Base::kUserSymbol, TypeKind::kSymbol, "_usymaddr", 16},
};

constexpr bool rows_are_in_order() {
  for (size_t i = 0; i < std::size(kBaseRows); ++i) {
    if (kBaseRows[i].base != static_cast<Base>(i)) return false;
  }
  return std::size(kBaseRows) == static_cast<size_t>(Base::kCount);
}
static_assert(rows_are_in_order());

uint64_t multiply_saturating(uint64_t a, uint64_t b) {
  uint64_t product = 0;
  return __builtin_mul_overflow(a, b, &product) ? std::numeric_limits<uint64_t>::max() : product;
}

uint64_t intern_word(TypeKind kind, uint8_t detail, TypeId target) {
  return uint64_t{static_cast<uint8_t>(kind)} << 40 | uint64_t{detail} << 32 | target.value;
}

}  // namespace

TypeTable::TypeTable(uint64_t strsize) : impl_(std::make_unique<Impl>(*this)) {
  for (const BaseRow &row : kBaseRows) {
    Type type;
    type.kind = row.kind;
    type.name = row.name;
    type.size_bytes = row.size_bytes;
    type.align_bytes = row.kind == TypeKind::kSymbol ? 8 : std::max<uint32_t>(row.size_bytes, 1);
    type.is_signed = row.is_signed;
    type.is_bool = row.is_bool;
    type.is_char = row.is_char;
    impl_->add(type);
  }
  set_strsize(strsize);
  set_stack_frames(kUsualStackFrames);
}

TypeTable::~TypeTable() = default;

TypeId TypeTable::Impl::add(Type type) {
  slots.emplace_back().type = type;
  return TypeId{static_cast<uint32_t>(slots.size() - 1)};
}

TypeId TypeTable::Impl::intern(InternKey key, const Type &type) {
  auto [at, inserted] = interned.try_emplace(key);
  if (inserted) at->second = add(type);
  return at->second;
}

// ---------------------------------------------------------------- base types

TypeId TypeTable::void_type() const { return id_of(Base::kVoid); }
TypeId TypeTable::bool_type() const { return id_of(Base::kBool); }
TypeId TypeTable::char_type() const { return id_of(Base::kChar); }

TypeId TypeTable::integer(uint64_t size_bytes, bool is_signed) const {
  switch (size_bytes) {
    case 1:
      return id_of(is_signed ? Base::kChar : Base::kUChar);
    case 2:
      return id_of(is_signed ? Base::kShort : Base::kUShort);
    case 4:
      return id_of(is_signed ? Base::kInt : Base::kUInt);
    default:
      assert(size_bytes == 8 && "integers have 1, 2, 4 or 8 bytes");
      return id_of(is_signed ? Base::kLong : Base::kULong);
  }
}

TypeId TypeTable::long_long(bool is_signed) const { return id_of(is_signed ? Base::kLongLong : Base::kULongLong); }

bool TypeTable::is_quad_float(TypeId id) const {
  const TypeId plain = resolve(complete(id));
  const Type &type = (*this)[plain];
  return type.kind == TypeKind::kFloat && type.size_bytes == 16 && plain != id_of(Base::kLongDouble);
}

TypeId TypeTable::floating(uint64_t size_bytes) const {
  assert((size_bytes == 4 || size_bytes == 8 || size_bytes == 16) && "floats have 4, 8 or 16 bytes");
  return id_of(size_bytes == 4 ? Base::kFloat : size_bytes == 8 ? Base::kDouble : Base::kLongDouble);
}

TypeId TypeTable::string_type() const { return id_of(Base::kString); }
TypeId TypeTable::stack_type() const { return id_of(Base::kStack); }
TypeId TypeTable::symbol_type(bool user) const { return id_of(user ? Base::kUserSymbol : Base::kSymbol); }

TypeId TypeTable::string_of(uint64_t size_bytes) {
  if (size_bytes == strsize()) return string_type();
  Type type;
  type.kind = TypeKind::kString;
  type.name = "string";
  type.size_bytes = size_bytes;
  return impl_->intern({intern_word(TypeKind::kString, 0, kPoison), size_bytes}, type);
}

uint64_t TypeTable::strsize() const { return impl_->type(id_of(Base::kString)).size_bytes; }
void TypeTable::set_strsize(uint64_t strsize) { impl_->type(id_of(Base::kString)).size_bytes = strsize; }
void TypeTable::set_stack_frames(uint64_t frames) { impl_->type(id_of(Base::kStack)).size_bytes = 8 + 8 * frames; }

// ---------------------------------------------------------------- constructors

TypeId TypeTable::pointer_to(TypeId target, Space space) {
  if (target == kPoison) return kPoison;
  Type type;
  type.kind = TypeKind::kPointer;
  type.space = space;
  type.target = target;
  type.size_bytes = kPointerBytes;
  type.align_bytes = kPointerBytes;
  return impl_->intern({intern_word(TypeKind::kPointer, static_cast<uint8_t>(space), target), 0}, type);
}

TypeId TypeTable::array_of(TypeId element, uint64_t count) {
  if (element == kPoison) return kPoison;
  Type type;
  type.kind = TypeKind::kArray;
  type.target = element;
  type.count = count;
  return impl_->intern({intern_word(TypeKind::kArray, 0, element), count}, type);
}

TypeId TypeTable::qualified(TypeId target, uint8_t qualifiers) {
  const Type inner = (*this)[target];
  if (inner.kind == TypeKind::kQualified) return qualified(inner.target, inner.qualifiers | qualifiers);
  if (target == kPoison || qualifiers == 0) return target;
  Type type;
  type.kind = TypeKind::kQualified;
  type.qualifiers = qualifiers;
  type.target = target;
  return impl_->intern({intern_word(TypeKind::kQualified, qualifiers, target), 0}, type);
}

TypeId TypeTable::function(TypeId result, std::span<const TypeId> params, bool variadic) {
  std::vector<uint32_t> key{result.value, variadic ? 1U : 0U};
  for (TypeId param : params) key.push_back(param.value);
  auto [at, inserted] = impl_->functions.try_emplace(std::move(key));
  if (!inserted) return at->second;
  Type type;
  type.kind = TypeKind::kFunction;
  type.target = result;
  type.variadic = variadic;
  at->second = impl_->add(type);
  Impl::Slot &slot = impl_->slot(at->second);
  slot.aggregate = std::make_unique<Impl::Aggregate>();
  slot.aggregate->parameters.assign(params.begin(), params.end());
  slot.aggregate->converted = true;
  return at->second;
}

TypeId TypeTable::held(TypeId first) {
  const Type plain = resolved(complete(first));
  constexpr uint64_t kHeldBytes = 8;
  if (!is_integer(first) || plain.size_bytes >= kHeldBytes) return first;
  const Type named = (*this)[first];
  Type type;
  type.kind = TypeKind::kInt;
  type.name = named.name;
  type.tag = named.tag;
  type.module = named.module;
  type.size_bytes = type.align_bytes = kHeldBytes;
  type.is_signed = computes_signed(*this, first);
  type.target = first;
  return impl_->intern({intern_word(TypeKind::kInt, 0, first), 0}, type);
}

TypeId TypeTable::first_type(TypeId id) const {
  const Type &type = resolved(id);
  return type.kind == TypeKind::kInt && type.target ? type.target : id;
}

// ---------------------------------------------------------------- queries

const Type &TypeTable::operator[](TypeId id) const {
  assert(id.value < impl_->slots.size());
  return impl_->type(id);
}

TypeId TypeTable::resolve(TypeId id) const {
  // Ends: the target of a typedef or qualifier is always older than the type itself.
  for (;;) {
    const Type &type = (*this)[id];
    if (type.kind != TypeKind::kTypedef && type.kind != TypeKind::kQualified) return id;
    id = type.target;
  }
}

TypeId TypeTable::complete(TypeId id) const {
  const TypeId plain = resolve(id);
  Impl::Slot &slot = impl_->slot(plain);
  if (slot.type.kind != TypeKind::kForward) return id;
  if (slot.completed) return slot.completed;
  if (slot.type.name.empty() || slot.searched_generation == impl_->generation) return id;
  // What a user program declares, that program defines.
  const std::optional<TypeId> found = slot.user != nullptr
                                          ? impl_->find_in_user(slot.user, slot.type.tag, slot.type.name)
                                          : impl_->find_anywhere(slot.type.tag, slot.type.name);
  if (found && impl_->type(*found).kind != TypeKind::kForward) return slot.completed = *found;
  slot.searched_generation = impl_->generation;
  return id;
}

TypeTable::Impl::Aggregate &TypeTable::Impl::aggregate(TypeId id) {
  const TypeId plain = table.resolve(table.complete(id));
  Slot &slot = this->slot(plain);
  if (!slot.aggregate) return no_contents;
  if (!slot.aggregate->converted) convert_contents(plain);
  return *slot.aggregate;
}

std::span<const Member> TypeTable::members(TypeId id) const { return impl_->aggregate(id).members; }
std::span<const Enumerator> TypeTable::enumerators(TypeId id) const { return impl_->aggregate(id).enumerators; }
std::span<const TypeId> TypeTable::parameters(TypeId id) const { return impl_->aggregate(id).parameters; }

namespace {

/// Anonymous members nest a few deep in real headers and are some dozens in all. Hostile BTF may nest a type in itself,
/// several times over: `nested_left` bounds the whole search, the depth its stack.
constexpr unsigned kMaxNesting = 32;
constexpr unsigned kMaxNested = 4096;

/// Up to here a search goes from member to member.
constexpr size_t kFewMembers = 64;

}  // namespace

/// Looks so many levels of unnamed members down, and nowhere else: `has_more` says that there are more. A member hides
/// those of the same name in base classes, wherever these stand.
std::optional<FoundMember> TypeTable::Impl::find_member(TypeId id, std::string_view name, unsigned levels,
                                                        unsigned &nested_left, bool &has_more) {
  Aggregate &in = aggregate(id);
  const bool has_index = in.members.size() > kFewMembers;
  if (has_index && in.by_name.empty() && in.unnamed.empty()) {
    for (uint32_t i = 0; i < in.members.size(); i++) {
      if (in.members[i].name.empty()) in.unnamed.push_back(i);
      in.by_name.try_emplace(in.members[i].name, i);
    }
  }
  if (levels == 0) {
    has_more |=
        has_index ? !in.unnamed.empty() : std::ranges::any_of(in.members, &std::string_view::empty, &Member::name);
    if (has_index) {
      const auto own = in.by_name.find(name);
      if (own == in.by_name.end()) return std::nullopt;
      return FoundMember{in.members[own->second], in.members[own->second].off_bits};
    }
    const auto own = std::ranges::find(in.members, name, &Member::name);
    return own == in.members.end() ? std::nullopt : std::optional(FoundMember{*own, own->off_bits});
  }
  const size_t count = has_index ? in.unnamed.size() : in.members.size();
  for (size_t i = 0; i < count; i++) {
    const Member member = in.members[has_index ? in.unnamed[i] : i];
    if (!member.name.empty()) continue;
    if (nested_left == 0) return std::nullopt;
    --nested_left;
    std::optional<FoundMember> inner = find_member(member.type, name, levels - 1, nested_left, has_more);
    if (!inner) continue;
    inner->off_bits += member.off_bits;
    return inner;
  }
  return std::nullopt;
}

std::optional<FoundMember> TypeTable::find_member(TypeId id, std::string_view name) const {
  if (name.empty()) return std::nullopt;
  unsigned nested_left = kMaxNested;
  bool has_more = true;
  for (unsigned levels = 0; has_more && levels <= kMaxNesting; ++levels) {
    has_more = false;
    if (std::optional<FoundMember> found = impl_->find_member(id, name, levels, nested_left, has_more)) return found;
  }
  return std::nullopt;
}

// Loops, not recursion: hostile BTF can nest arrays as deep as it has types.

uint64_t TypeTable::size_bytes(TypeId id) const {
  uint64_t count = 1;
  for (;;) {
    const Type &type = resolved(complete(id));
    if (type.kind != TypeKind::kArray) return multiply_saturating(count, type.size_bytes);
    count = multiply_saturating(count, type.count);
    id = type.target;
  }
}

TypeId TypeTable::Impl::innermost_element(TypeId id) {
  for (;;) {
    id = table.resolve(table.complete(id));
    if (type(id).kind != TypeKind::kArray) return id;
    id = type(id).target;
  }
}

uint32_t TypeTable::align_bytes(TypeId id) const {
  const TypeId element = impl_->innermost_element(id);
  const Impl::Slot &slot = impl_->slot(element);
  return slot.align_known ? slot.type.align_bytes : impl_->align_of_kernel_struct(element, 0);
}

bool TypeTable::is_complete(TypeId id) const {
  const TypeKind kind = impl_->type(impl_->innermost_element(id)).kind;
  return kind != TypeKind::kPoison && kind != TypeKind::kVoid && kind != TypeKind::kFunction &&
         kind != TypeKind::kForward;
}

bool TypeTable::is_userland(TypeId id) const {
  auto marked = [this](TypeId at) {
    for (;;) {
      const Type &type = (*this)[at];
      if (type.kind == TypeKind::kQualified && (type.qualifiers & kUserland) != 0) return true;
      if (type.kind != TypeKind::kTypedef && type.kind != TypeKind::kQualified) return false;
      at = type.target;
    }
  };
  const Type &type = resolved(id);
  if (type.kind != TypeKind::kPointer) return false;
  return type.space == Space::kUser || marked(id) || marked(type.target);
}

bool TypeTable::is_integer(TypeId id) const {
  const Type &type = resolved(complete(id));
  return (type.kind == TypeKind::kInt || type.kind == TypeKind::kEnum) && type.size_bytes <= 8;
}

bool TypeTable::is_struct_or_union(TypeId id) const {
  const TypeKind kind = resolved(complete(id)).kind;
  return kind == TypeKind::kStruct || kind == TypeKind::kUnion;
}

namespace {

/// Text is plain or signed char; unsigned char is bytes (addresses, digests), as C library DTrace has it.
bool is_text_char(const Type &type) { return type.kind == TypeKind::kInt && type.is_char && type.is_signed; }

}  // namespace

bool TypeTable::is_char_array(TypeId id) const {
  const Type &type = resolved(id);
  return type.kind == TypeKind::kArray && is_text_char(resolved(type.target));
}

bool TypeTable::is_char_pointer(TypeId id) const {
  const Type &type = resolved(id);
  return type.kind == TypeKind::kPointer && is_text_char(resolved(type.target));
}

bool TypeTable::is_signed(TypeId id) const {
  const Type &type = resolved(complete(id));
  return type.is_signed;
}

}  // namespace dtrace
