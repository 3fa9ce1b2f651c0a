// SPDX-License-Identifier: Apache-2.0
#include "runtime/usdt/struct_layout.h"

#include <fmt/format.h>

#include <algorithm>
#include <string_view>

namespace dtrace::runtime {
namespace {

using Members = std::vector<StructLayout::Member>;

/// Structures hold structures, but not without end.
constexpr unsigned kMaxDepth = 16;

constexpr uint64_t round_up(uint64_t value, uint64_t multiple) { return (value + multiple - 1) / multiple * multiple; }

/// Members of an unnamed member become members of what it is in.
void append(Members &to, StructLayout::Member member) {
  if (!member.name.empty()) {
    to.push_back(std::move(member));
    return;
  }
  for (StructLayout::Member &inner : member.members) {
    inner.off_bits += member.off_bits;
    to.push_back(std::move(inner));
  }
}

Members members_of(const TypeTable &types, TypeId type, unsigned depth) {
  Members result;
  if (depth > kMaxDepth || !types.is_struct_or_union(type)) return result;
  for (const Member &member : types.members(types.resolve(types.complete(type)))) {
    const uint64_t bits = member.bits != 0 ? member.bits : types.size_bytes(member.type) * 8;
    append(result, {std::string(member.name), member.off_bits, bits,
                    members_of(types, types.complete(member.type), depth + 1)});
  }
  return result;
}

/// D's types are those of LP64; this gives each the size it has on i386, and computes offsets of members anew.
class I386 {
 public:
  explicit I386(const TypeTable &types) : types_(types) {}

  struct Size {
    uint64_t size_bytes = 0, align_bytes = 1;
    Members members;
  };

  Size of(TypeId type, unsigned depth = 0) const {
    if (depth > kMaxDepth) return {};
    // Some names mean a size, whatever they are made of.
    const Type &outer = types_[type];
    if (outer.kind == TypeKind::kTypedef) {
      constexpr std::string_view kEight[] = {"int64_t",    "uint64_t",   "__int64_t",
                                             "__uint64_t", "longlong_t", "u_longlong_t"};
      if (std::find(std::begin(kEight), std::end(kEight), outer.name) != std::end(kEight)) return {8, 4, {}};
      return of(outer.target, depth + 1);
    }
    if (outer.kind == TypeKind::kQualified) return of(outer.target, depth + 1);
    switch (outer.kind) {
      case TypeKind::kPointer:
        return {4, 4, {}};
      case TypeKind::kArray: {
        const Size element = of(outer.target, depth + 1);
        return {element.size_bytes * outer.count, element.align_bytes, {}};
      }
      case TypeKind::kStruct:
      case TypeKind::kUnion:
        return aggregate(type, depth);
      case TypeKind::kForward: {
        const TypeId complete = types_.complete(type);
        return complete == type ? Size{} : of(complete, depth + 1);
      }
      default:
        break;
    }
    const bool is_long = type == types_.integer(8, true) || type == types_.integer(8, false);
    const uint64_t size = is_long ? 4 : types_.size_bytes(type);
    return {size, std::clamp<uint64_t>(size, 1, 4), {}};
  }

 private:
  Size aggregate(TypeId type, unsigned depth) const {
    const bool is_union = types_[type].kind == TypeKind::kUnion;
    Size result;
    uint64_t end_bits = 0;
    for (const Member &member : types_.members(type)) {
      Size inner = of(member.type, depth + 1);
      const uint64_t unit_bits = inner.size_bytes * 8;
      uint64_t off_bits = is_union ? 0 : end_bits;
      if (member.bits == 0) {
        off_bits = round_up(off_bits, inner.align_bytes * 8);
      } else if (unit_bits != 0 && off_bits % unit_bits + member.bits > unit_bits) {
        off_bits = round_up(off_bits, inner.align_bytes * 8);
      }
      const uint64_t bits = member.bits != 0 ? member.bits : unit_bits;
      end_bits = std::max(end_bits, off_bits + bits);
      result.align_bytes = std::max(result.align_bytes, inner.align_bytes);
      append(result.members, {std::string(member.name), off_bits, bits, std::move(inner.members)});
    }
    result.size_bytes = round_up((end_bits + 7) / 8, result.align_bytes);
    return result;
  }

  const TypeTable &types_;
};

/// "4 bytes at 16", "3 bits at 16.5".
std::string place(const StructLayout::Member &member, uint64_t base_bits) {
  const uint64_t at = base_bits + member.off_bits;
  if (at % 8 == 0 && member.bits % 8 == 0)
    return fmt::format("{} byte{} at {}", member.bits / 8, member.bits == 8 ? "" : "s", at / 8);
  return fmt::format("{} bit{} at {}.{}", member.bits, member.bits == 1 ? "" : "s", at / 8, at % 8);
}

/// Is the member there only to align the next one?
bool is_filler(std::string_view name) {
  constexpr std::string_view kWords[] = {"pad", "unused", "reserved", "dummy", "fill"};
  return std::any_of(std::begin(kWords), std::end(kWords),
                     [&](std::string_view word) { return name.find(word) != std::string_view::npos; });
}

std::optional<std::string> compare(const Members &library, const Members &program, const std::string &prefix,
                                   uint64_t library_bits, uint64_t program_bits) {
  for (const StructLayout::Member &wanted : library) {
    if (is_filler(wanted.name)) continue;
    const auto found =
        std::find_if(program.begin(), program.end(), [&](const auto &m) { return m.name == wanted.name; });
    const std::string name = prefix + wanted.name;
    if (found == program.end())
      return fmt::format("member {} is {} in the library, and not in the program", name, place(wanted, library_bits));
    const bool moved = library_bits + wanted.off_bits != program_bits + found->off_bits;
    const bool both_known = !wanted.members.empty() && !found->members.empty();
    if (moved || (!both_known && wanted.bits != found->bits))
      return fmt::format("member {} is {} in the program, {} in the library", name, place(*found, program_bits),
                         place(wanted, library_bits));
    if (!both_known) continue;
    std::optional<std::string> inner = compare(wanted.members, found->members, name + '.',
                                               library_bits + wanted.off_bits, program_bits + found->off_bits);
    if (inner) return inner;
  }
  return std::nullopt;
}

}  // namespace

std::optional<StructLayout> layout_of(const TypeTable &types, TypeId type) {
  const TypeId complete = types.resolve(types.complete(type));
  if (!types.is_struct_or_union(complete) || !types.is_complete(complete)) return std::nullopt;
  return StructLayout{types.size_bytes(complete), members_of(types, complete, 0)};
}

std::optional<StructLayout> layout_of_i386(const TypeTable &types, TypeId type) {
  const TypeId complete = types.resolve(types.complete(type));
  if (!types.is_struct_or_union(complete) || !types.is_complete(complete)) return std::nullopt;
  I386::Size size = I386(types).of(complete);
  return StructLayout{size.size_bytes, std::move(size.members)};
}

std::optional<std::string> first_difference(const StructLayout &library, const StructLayout &program) {
  return compare(library.members, program.members, {}, 0, 0);
}

}  // namespace dtrace::runtime
