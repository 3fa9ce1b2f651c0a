// SPDX-License-Identifier: Apache-2.0
#include "runtime/debug_info/rust_calls.h"

#include <dwarf.h>

#include <algorithm>

#include "arch/calling_convention.h"
#include "base/foreign_limits.h"
#include "runtime/foreign/dwarf_entry.h"

namespace dtrace::runtime {
namespace {

constexpr uint64_t kLangRustOld = 0x9000;

/// The numbers and pointers that a value is made of, up to a few.
struct Parts {
  static constexpr unsigned kMax = 16;
  unsigned count = 0;
  uint64_t bytes = 0;
  bool has_float = false, has_array = false, is_all_words = true;
};

void count_parts(const TypeTable &types, TypeId type, unsigned depth, Parts &parts) {
  const TypeId plain = types.resolve(types.complete(type));
  const Type &at = types[plain];
  if (depth > limits::kMaxDwarfDepth || parts.count > Parts::kMax) {
    parts.count = Parts::kMax + 1;
  } else if (at.kind == TypeKind::kStruct || at.kind == TypeKind::kUnion) {
    parts.has_array |= at.kind == TypeKind::kUnion;
    for (const Member &member : types.members(plain)) count_parts(types, member.type, depth + 1, parts);
  } else if (at.kind == TypeKind::kArray) {
    parts.has_array = true;
    for (uint64_t i = 0; i < std::min<uint64_t>(at.count, Parts::kMax + 1); ++i)
      count_parts(types, at.target, depth + 1, parts);
  } else if (types.size_bytes(plain) != 0) {
    ++parts.count;
    parts.bytes += types.size_bytes(plain);
    parts.has_float |= at.kind == TypeKind::kFloat;
    parts.is_all_words &= types.size_bytes(plain) == arch::kPassedWordBytes;
  }
}

}  // namespace

bool is_rust(Dwarf_Die function) {
  Dwarf_Die unit;
  if (dwarf_diecu(&function, &unit, nullptr, nullptr) == nullptr) return false;
  const uint64_t language = dwarf_number(&unit, DW_AT_language).value_or(0);
  return language == DW_LANG_Rust || language == kLangRustOld;
}

bool is_passed_as_in_c(const TypeTable &types, TypeId type) {
  const uint64_t size_bytes = types.size_bytes(type);
  if (types.is_void(type)) return true;
  if (!types.is_struct_or_union(type)) return size_bytes != 0 && size_bytes <= arch::kPassedWordBytes;
  Parts parts;
  count_parts(types, type, 0, parts);
  if (parts.count == 1)
    return parts.bytes == size_bytes && size_bytes <= arch::kPassedWordBytes && !(parts.has_array && parts.has_float);
  if (parts.has_float || parts.count > Parts::kMax) return false;
  // Two words go in two registers, and what fits one register in one; of two smaller numbers that is not so.
  if (parts.count == 2) return !parts.has_array && parts.is_all_words && size_bytes == 2 * arch::kPassedWordBytes;
  return parts.count > 2 && size_bytes <= arch::kPassedWordBytes;
}

size_t rust_parameters_as_in_c(const TypeTable &types, TypeId result, std::span<const TypeId> parameters) {
  // A larger result goes to an address that is passed in front of all, as in C.
  const bool is_result_large =
      types.is_struct_or_union(result) && types.size_bytes(result) > 2 * arch::kPassedWordBytes;
  if (!is_result_large && !is_passed_as_in_c(types, result)) return 0;
  const auto first = std::ranges::find_if(parameters, [&](TypeId type) { return !is_passed_as_in_c(types, type); });
  return static_cast<size_t>(first - parameters.begin());
}

}  // namespace dtrace::runtime
