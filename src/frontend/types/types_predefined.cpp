// SPDX-License-Identifier: Apache-2.0
// Types that every D program knows without a library: C's by their spelling, DTrace's typedefs, and those that scripts
// written for other systems expect. Made when first named. Source: the D language reference, 2.1; the providers
// reference, 26.4, item 14.
#include <algorithm>
#include <iterator>

#include "frontend/types/types_impl.h"

namespace dtrace {
namespace {

/// What is not simply another name of a base type.
enum class Special : uint8_t { kNone, kCharPointer, kBoolean, kTimespec, kIn6Address };

struct TypedefRow {
  std::string_view name;
  Base target = Base::kPoison;
  Special special = Special::kNone;
  bool is_own = false;  // DTrace's: a program may not define it again. The others give way to a program's own.
};

constexpr TypedefRow dtrace_own(std::string_view name, Base target) { return {name, target, Special::kNone, true}; }

constexpr TypedefRow kTypedefs[] = {
    // sorted by name
    {"boolean_t", Base::kPoison, Special::kBoolean},
    {"caddr_t", Base::kPoison, Special::kCharPointer},
    {"chipid_t", Base::kInt},
    {"clock_t", Base::kLong},
    {"ctid_t", Base::kInt},
    {"daddr_t", Base::kLong},
    {"dev_t", Base::kUInt},
    {"diskaddr_t", Base::kULongLong},
    {"gid_t", Base::kUInt},
    {"hrtime_t", Base::kLongLong},
    dtrace_own("id_t", Base::kInt),
    {"in6_addr_t", Base::kPoison, Special::kIn6Address},
    {"in_addr_t", Base::kUInt},
    {"in_port_t", Base::kUShort},
    {"ino_t", Base::kULong},
    dtrace_own("int16_t", Base::kShort),
    dtrace_own("int32_t", Base::kInt),
    dtrace_own("int64_t", Base::kLong),
    dtrace_own("int8_t", Base::kSChar),
    dtrace_own("intptr_t", Base::kLong),
    {"ipaddr_t", Base::kUInt},
    {"lgrp_id_t", Base::kInt},
    {"longlong_t", Base::kLongLong},
    {"major_t", Base::kUInt},
    {"minor_t", Base::kUInt},
    {"mode_t", Base::kUInt},
    {"netstackid_t", Base::kInt},
    {"nlink_t", Base::kUInt},
    {"off_t", Base::kLong},
    {"offset_t", Base::kLongLong},
    dtrace_own("pid_t", Base::kInt),
    {"poolid_t", Base::kInt},
    {"pri_t", Base::kShort},
    {"processorid_t", Base::kInt},
    {"projid_t", Base::kInt},
    {"psetid_t", Base::kInt},
    dtrace_own("ptrdiff_t", Base::kLong),
    {"quad_t", Base::kLong},
    {"sa_family_t", Base::kUShort},
    {"size32_t", Base::kUInt},
    dtrace_own("size_t", Base::kULong),
    {"socklen_t", Base::kUInt},
    dtrace_own("ssize_t", Base::kLong),
    {"taskid_t", Base::kInt},
    {"time_t", Base::kLong},
    {"timespec_t", Base::kPoison, Special::kTimespec},
    {"timestruc_t", Base::kPoison, Special::kTimespec},
    {"u_char", Base::kUChar},
    {"u_int", Base::kUInt},
    {"u_long", Base::kULong},
    dtrace_own("u_longlong_t", Base::kULongLong),
    {"u_quad_t", Base::kULong},
    {"u_short", Base::kUShort},
    dtrace_own("uchar_t", Base::kUChar),
    {"uid_t", Base::kUInt},
    dtrace_own("uint16_t", Base::kUShort),
    dtrace_own("uint32_t", Base::kUInt),
    dtrace_own("uint64_t", Base::kULong),
    dtrace_own("uint8_t", Base::kUChar),
    dtrace_own("uint_t", Base::kUInt),
    dtrace_own("uintptr_t", Base::kULong),
    dtrace_own("ulong_t", Base::kULong),
    {"useconds_t", Base::kUInt},
    dtrace_own("ushort_t", Base::kUShort),
    {"zoneid_t", Base::kInt},
};
static_assert(std::is_sorted(std::begin(kTypedefs), std::end(kTypedefs),
                             [](const TypedefRow &a, const TypedefRow &b) { return a.name < b.name; }));

const TypedefRow *typedef_row(std::string_view name) {
  const auto *row = std::lower_bound(std::begin(kTypedefs), std::end(kTypedefs), name,
                                     [](const TypedefRow &r, std::string_view n) { return r.name < n; });
  return row != std::end(kTypedefs) && row->name == name ? row : nullptr;
}

struct KeywordRow {
  std::string_view name;
  Base base;
};

/// Type names that are not spellings of C integers.
constexpr KeywordRow kOthers[] = {
    {"void", Base::kVoid},       {"float", Base::kFloat},
    {"double", Base::kDouble},   {"long double", Base::kLongDouble},
    {"string", Base::kString},   {"dt_stack_t", Base::kStack},
    {"_symaddr", Base::kSymbol}, {"_usymaddr", Base::kUserSymbol},
};

/// "bool" is the kernel's typedef, not D's.
std::optional<Base> builtin_type(std::string_view name) {
  for (const KeywordRow &row : kOthers) {
    if (row.name == name) return row.base;
  }
  return name == "bool" ? std::nullopt : base_by_spelling(name);
}

/// The kernel has such structs under other names only.
TypeId time_struct(TypeTable &types, std::string_view name) {
  const TypeId tag = types.declare_tag(TagKind::kStruct, name);
  if (types[tag].kind != TypeKind::kForward) return tag;
  const char *fraction = name == "timespec" ? "tv_nsec" : "tv_usec";
  const TypeTable::NewMember members[] = {{"tv_sec", types.long_type()}, {fraction, types.long_type()}};
  types.complete_struct(tag, members);
  return tag;
}

/// The kernel's own if it is known, else the same shape.
TypeId in6_addr(TypeTable &types) {
  if (const std::optional<TypeId> kernel = types.find(TagKind::kStruct, "in6_addr");
      kernel && types.is_complete(*kernel)) {
    return *kernel;
  }
  const TypeId forms = types.declare_tag(TagKind::kUnion, "");
  const TypeTable::NewMember views[] = {{"u6_addr8", types.array_of(types.integer(1, false), 16)},
                                        {"u6_addr16", types.array_of(types.integer(2, false), 8)},
                                        {"u6_addr32", types.array_of(types.integer(4, false), 4)}};
  types.complete_struct(forms, views);
  const TypeId tag = types.declare_tag(TagKind::kStruct, "in6_addr");
  const TypeTable::NewMember members[] = {{"in6_u", forms}};
  types.complete_struct(tag, members);
  return tag;
}

TypeId boolean(TypeTable &types) {
  const TypeId tag = types.declare_tag(TagKind::kEnum, "");
  const Enumerator values[] = {{"B_FALSE", 0}, {"B_TRUE", 1}};
  types.complete_enum(tag, values);
  return tag;
}

TypeId target_of(const TypedefRow &row, TypeTable &types) {
  switch (row.special) {
    case Special::kNone:
      break;
    case Special::kCharPointer:
      return types.pointer_to(types.char_type());
    case Special::kBoolean:
      return boolean(types);
    case Special::kTimespec:
      return time_struct(types, "timespec");
    case Special::kIn6Address:
      return in6_addr(types);
  }
  return id_of(row.target);
}

}  // namespace

bool TypeTable::Impl::is_predefined_typedef(std::string_view name) {
  return typedef_row(name) != nullptr || builtin_type(name).has_value();
}

std::optional<TypeId> TypeTable::Impl::find_predefined(TagKind kind, std::string_view name) {
  if (kind == TagKind::kStruct && (name == "timespec" || name == "timeval")) return time_struct(table, name);
  if (kind != TagKind::kOrdinary) return std::nullopt;
  if (const std::optional<Base> base = builtin_type(name); base) return id_of(*base);
  const TypedefRow *row = typedef_row(name);
  if (row == nullptr) return std::nullopt;
  return table.define_typedef(row->name, target_of(*row, table));
}

bool TypeTable::Impl::is_own_typedef(std::string_view name) {
  const TypedefRow *row = typedef_row(name);
  return builtin_type(name).has_value() || (row != nullptr && row->is_own);
}

}  // namespace dtrace
