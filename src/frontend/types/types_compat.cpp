// SPDX-License-Identifier: Apache-2.0
// Compatibility of types, by kind pairs.
#include "frontend/types/types_compat.h"

namespace dtrace {
namespace {

constexpr uint64_t kIntBytes = 4;

bool is_pointer_or_array(const TypeTable &types, TypeId id) { return types.is_pointer(id) || types.is_array(id); }

bool is_poison(TypeId a, TypeId b) { return a == kPoison || b == kPoison; }

/// Everything but the targets of pointers and the elements of arrays, which same_type() walks itself.
bool same_outside(const Type &a, const Type &b) {
  if (a.kind != b.kind) return false;
  switch (a.kind) {
    case TypeKind::kInt:
      return a.size_bytes == b.size_bytes && a.is_signed == b.is_signed && a.is_bool == b.is_bool;
    case TypeKind::kFloat:  // with 16 bytes there are two formats
      return a.size_bytes == b.size_bytes && (a.size_bytes != 16 || a.name == b.name);
    case TypeKind::kSymbol:
      return a.size_bytes == b.size_bytes;
    case TypeKind::kArray:
      return a.count == b.count;
    case TypeKind::kPointer:
      return (a.space == Space::kUser) == (b.space == Space::kUser);
    case TypeKind::kForward:
      return a.tag == b.tag && a.name == b.name && !a.name.empty();
    case TypeKind::kVoid:
    case TypeKind::kFunction:
    case TypeKind::kString:
    case TypeKind::kStack:
      return true;
    default:
      return false;  // structs, unions, enums: only themselves
  }
}

}  // namespace

TypeId unqualified(const TypeTable &types, TypeId id) {
  while (types[id].kind == TypeKind::kQualified) id = types[id].target;
  return id;
}

unsigned arithmetic_rank(const TypeTable &types, TypeId id) {
  const Type &type = types.resolved(id);
  if (type.kind == TypeKind::kEnum) return 32;
  return static_cast<unsigned>(type.size_bytes) * 8 + (type.is_signed ? 0 : 1);
}

TypeId arithmetic_type(const TypeTable &types, TypeId a) {
  return types.resolved(a).kind == TypeKind::kEnum ? types.int_type() : unqualified(types, a);
}

TypeId arithmetic_type(const TypeTable &types, TypeId a, TypeId b) {
  if (is_poison(a, b)) return kPoison;
  return arithmetic_type(types, arithmetic_rank(types, a) >= arithmetic_rank(types, b) ? a : b);
}

bool wraps(const TypeTable &types, TypeId id) {
  return types.is_integer(id) && !types.is_signed(id) && types.size_bytes(id) == kIntBytes;
}

bool computes_signed(const TypeTable &types, TypeId id) {
  return types.is_signed(id) || (types.is_integer(id) && types.size_bytes(id) < kIntBytes);
}

bool same_type(const TypeTable &types, TypeId a, TypeId b) {
  for (;;) {
    a = types.resolve(types.complete(a));
    b = types.resolve(types.complete(b));
    if (a == b) return true;
    const Type &left = types[a];
    const Type &right = types[b];
    if (!same_outside(left, right)) return false;
    if (left.kind != TypeKind::kPointer && left.kind != TypeKind::kArray) return true;
    a = left.target;
    b = right.target;
  }
}

std::optional<TypeId> pointee(const TypeTable &types, TypeId id) {
  const Type &type = types.resolved(id);
  if (type.kind == TypeKind::kPointer || type.kind == TypeKind::kArray) return type.target;
  if (type.kind == TypeKind::kString) return types.char_type();
  return std::nullopt;
}

PointerFit pointers_fit(const TypeTable &types, TypeId a, TypeId b) {
  if (!is_pointer_or_array(types, a) || !is_pointer_or_array(types, b)) return PointerFit::kNotPointers;
  // An array is an lvalue in a known space, so only the spaces of two pointers can differ.
  if (types.is_pointer(a) && types.is_pointer(b) && types.is_userland(a) != types.is_userland(b)) {
    return PointerFit::kSpaces;
  }
  const TypeId left = *pointee(types, a);
  const TypeId right = *pointee(types, b);
  if (types.is_void(left) || types.is_void(right) || same_type(types, left, right)) return PointerFit::kFits;
  return PointerFit::kTargets;
}

bool mixes_scratch(const TypeTable &types, TypeId a, TypeId b) {
  if (!types.is_pointer(a) || !types.is_pointer(b)) return false;
  return (types.resolved(a).space == Space::kScratch) != (types.resolved(b).space == Space::kScratch);
}

bool compares_as_text(const TypeTable &types, TypeId a, TypeId b) {
  return (types.is_string(a) && types.is_string_like(b)) || (types.is_string(b) && types.is_string_like(a));
}

bool can_pass(const TypeTable &types, TypeId to, TypeId from, bool from_zero) {
  if (is_poison(to, from)) return true;
  if (types.is_integer(to) && types.is_integer(from)) return true;
  if (types.is_string_like(to) && types.is_string_like(from)) return true;  // text is read from the space it lies in
  if (is_pointer_or_array(types, to) && from_zero) return true;
  const TypeKind kind = types.resolved(from).kind;
  if (types.is_pointer(to) && kind == TypeKind::kFunction) {
    const TypeId target = *pointee(types, to);
    return types.is_void(target) || types.resolved(target).kind == TypeKind::kFunction;
  }
  if (is_pointer_or_array(types, to) && is_pointer_or_array(types, from)) {
    return pointers_fit(types, to, from) == PointerFit::kFits;
  }
  return !types.is_void(to) && same_type(types, to, from);
}

bool can_cast(const TypeTable &types, TypeId to, TypeId from) {
  if (is_poison(to, from) || types.is_void(to)) return true;
  if (types.is_void(from)) return false;
  const TypeKind kind = types.resolved(from).kind;
  if (types.is_scalar(to) && (types.is_scalar(from) || kind == TypeKind::kFunction)) return true;
  if (types.is_pointer(to) && kind == TypeKind::kArray) return true;
  if (types.is_string(to) && (types.is_scalar(from) || types.is_string_like(from))) return true;
  return same_type(types, to, from);
}

std::optional<TypeId> common_type(const TypeTable &types, TypeId a, TypeId b, bool a_zero, bool b_zero) {
  if (is_poison(a, b)) return kPoison;
  if (types.is_integer(a) && types.is_integer(b)) {
    return same_type(types, a, b) ? unqualified(types, a) : arithmetic_type(types, a, b);
  }
  if (types.is_string(a) && types.is_string(b)) return types.size_bytes(a) >= types.size_bytes(b) ? a : b;
  if (compares_as_text(types, a, b)) return types.string_type();
  if (is_pointer_or_array(types, a) && b_zero) return unqualified(types, a);
  if (is_pointer_or_array(types, b) && a_zero) return unqualified(types, b);
  if (pointers_fit(types, a, b) == PointerFit::kFits) {
    if (types.is_array(a) != types.is_array(b)) return unqualified(types, types.is_array(a) ? b : a);
    if (types.is_void(*pointee(types, a)) != types.is_void(*pointee(types, b))) {
      return unqualified(types, types.is_void(*pointee(types, a)) ? b : a);
    }
    const bool a_is_scratch = mixes_scratch(types, a, b) && types.resolved(a).space == Space::kScratch;
    return unqualified(types, a_is_scratch ? b : a);
  }
  if (is_pointer_or_array(types, a) || is_pointer_or_array(types, b)) return std::nullopt;
  if (same_type(types, a, b)) return unqualified(types, a);
  return std::nullopt;
}

bool can_compare(const TypeTable &types, TypeId a, TypeId b, bool a_zero, bool b_zero) {
  if (is_poison(a, b)) return true;
  if (types.is_integer(a) && types.is_integer(b)) return true;
  if (compares_as_text(types, a, b)) return true;
  // `s == NULL` asks whether an element of an associative array is there.
  if ((types.is_string(a) && b_zero) || (types.is_string(b) && a_zero)) return true;
  if ((is_pointer_or_array(types, a) && b_zero) || (is_pointer_or_array(types, b) && a_zero)) return true;
  return pointers_fit(types, a, b) == PointerFit::kFits;
}

std::optional<uint64_t> pointer_step(const TypeTable &types, TypeId id) {
  const std::optional<TypeId> target = pointee(types, id);
  if (!target || !types.is_complete(*target)) return std::nullopt;
  return types.size_bytes(*target);
}

}  // namespace dtrace
