// SPDX-License-Identifier: Apache-2.0
// Bodies of structs, unions and enums. A D definition hides a kernel type of the same tag.
#include <algorithm>
#include <limits>
#include <unordered_set>

#include "frontend/check/check_convert.h"
#include "frontend/check/check_decl.h"
#include "frontend/check/check_names.h"

namespace dtrace::check {
namespace {

TagKind tag_kind(ast::SpecifierKind kind) {
  if (kind == ast::SpecifierKind::kStruct) return TagKind::kStruct;
  return kind == ast::SpecifierKind::kUnion ? TagKind::kUnion : TagKind::kEnum;
}

/// Width of a bit-field; nothing after an error.
std::optional<uint32_t> bitfield_width(Context &cx, const ast::MemberDecl &member, TypeId type) {
  const size_t before = cx.diags.list().size();
  const std::optional<int64_t> width = member.width == nullptr ? std::nullopt : constant_expression(cx, *member.width);
  if (cx.diags.list().size() > before) return std::nullopt;
  const bool named = !member.declarator.name.empty();
  if (!width || *width < 0 || (*width == 0 && named)) {
    cx.diags.report(Tag::D_DECL_BFCONST, member.span,
                    "positive integral constant expression expected as bit-field size");
    return std::nullopt;
  }
  if (!cx.types.is_integer(type)) {
    cx.diags.report(Tag::D_DECL_BFTYPE, member.span, "invalid type for bit-field: {}", cx.type_name(type));
    return std::nullopt;
  }
  if (static_cast<uint64_t>(*width) > cx.types.size_bytes(type) * 8) {
    cx.diags.report(Tag::D_DECL_BFSIZE, member.span, "bit-field too big for type {}: {} bits", cx.type_name(type),
                    *width);
    return std::nullopt;
  }
  return static_cast<uint32_t>(*width);
}

bool is_anonymous_aggregate(const ast::MemberDecl &member) {
  return std::any_of(member.specs.specifiers.begin(), member.specs.specifiers.end(), [](const ast::Specifier &s) {
    return s.has_body && s.name.empty() && s.kind != ast::SpecifierKind::kEnum;
  });
}

/// Is it a struct whose body is not closed yet, or an array of such? The kernel may have a complete one of that name.
bool is_open(const Context &cx, TypeId type) {
  while (cx.types.is_array(type)) type = cx.types.resolved(type).target;
  return std::ranges::find(cx.open_tags, cx.types.resolve(type)) != cx.open_tags.end();
}

bool check_member_type(Context &cx, const ast::MemberDecl &member, const Declared &declared, bool is_last) {
  const std::string_view name = member.declarator.name;
  if (declared.tuple != nullptr) {
    cx.diags.report(Tag::D_DECL_DYNOBJ, member.span, "cannot have dynamic member: {}", name);
  } else if (cx.types.is_void(declared.type)) {
    cx.diags.report(Tag::D_DECL_VOIDOBJ, member.span, "cannot have void member: {}", name);
  } else if ((is_open(cx, declared.type) || !cx.types.is_complete(declared.type)) &&
             !(declared.unsized_array && is_last)) {
    cx.diags.report(Tag::D_DECL_INCOMPLETE, member.span, "incomplete struct/union/enum {}: {}",
                    cx.type_name(declared.type), name);
  } else {
    return true;
  }
  return false;
}

/// Adds one member; false after an error.
bool add_member(Context &cx, const ast::MemberDecl &member, const BaseType &base, bool is_last,
                std::vector<TypeTable::NewMember> &members, std::unordered_set<std::string_view> &names) {
  const std::string_view name = member.declarator.name;
  const Declared declared = apply_declarator(cx, base, member.declarator);
  if (!declared.type) return false;
  if (name.empty() && !member.has_width && !is_anonymous_aggregate(member)) {
    cx.diags.report(Tag::D_DECL_MNAME, member.span, "member declaration requires a name");
    return false;
  }
  if (name.find('`') != std::string_view::npos) {
    cx.diags.report(Tag::D_DECL_SCOPE, member.span, "D scoping operator may not be used in a declaration name ({})",
                    name);
    return false;
  }
  if (!name.empty() && names.contains(name)) {
    cx.diags.report(Tag::D_UNKNOWN, member.span, "failed to define member '{}': it is defined already", name);
    return false;
  }
  if (!check_member_type(cx, member, declared, is_last)) return false;
  TypeTable::NewMember result{std::string(name), declared.type};
  if (member.has_width) {
    const std::optional<uint32_t> bits = bitfield_width(cx, member, declared.type);
    if (!bits) return false;
    result.bits = *bits;
    result.is_bitfield = true;
  }
  members.push_back(std::move(result));
  names.insert(name);
  return true;
}

TypeId check_struct(Context &cx, const ast::Specifier &specifier, TypeId tag) {
  std::vector<TypeTable::NewMember> members;
  std::unordered_set<std::string_view> names;
  bool ok = true;
  cx.open_tags.push_back(tag);
  // Members of one declaration share its specifiers, which are therefore checked once: a body must not be defined
  // twice.
  const ast::Specifier *shared = nullptr;
  BaseType base;
  for (const ast::MemberDecl &member : specifier.members) {
    const ast::Specifier *first = member.specs.specifiers.empty() ? nullptr : &member.specs.specifiers.front();
    const bool same_specs = first != nullptr && shared != nullptr && first->span.begin == shared->span.begin &&
                            first->span.source == shared->span.source;
    if (!same_specs) base = check_specifiers(cx, member.specs);
    shared = first;
    const bool is_last = &member == &specifier.members.back();
    ok = base.type && add_member(cx, member, base, is_last, members, names) && ok;
    if (!base.type) ok = false;
  }
  cx.open_tags.pop_back();
  if (!ok) return kPoison;
  cx.types.complete_struct(tag, members);
  return tag;
}

bool define_enumerator(Context &cx, const ast::EnumeratorDecl &decl, int64_t value, TypeId type, std::string_view scope,
                       std::vector<uint32_t> &constants) {
  const std::string key(decl.name);
  if (is_taken(cx, decl.name)) {
    if (scope == "C") return true;  // a header's enumerator gives way
    cx.diags.report(Tag::D_DECL_IDRED, decl.span, "identifier redeclared: {}", decl.name);
    note_definition(cx, decl.name);
    return false;
  }
  Global global;
  global.kind = Global::Kind::kConstant;
  global.index = static_cast<uint32_t>(cx.session.constants.size());
  global.text = cx.text;
  global.span = decl.span;
  constants.push_back(global.index);
  cx.session.constants.push_back({type, value});
  cx.session.globals.emplace(key, global);
  return true;
}

TypeId check_enum(Context &cx, const ast::Specifier &specifier, TypeId tag, std::string_view scope) {
  std::vector<Enumerator> list;
  std::vector<uint32_t> constants;
  int64_t next = 0;
  for (const ast::EnumeratorDecl &decl : specifier.enumerators) {
    if (decl.value != nullptr) {
      const size_t before = cx.diags.list().size();
      const std::optional<int64_t> value = constant_expression(cx, *decl.value);
      if (cx.diags.list().size() > before) return kPoison;
      if (!value) {
        cx.diags.report(Tag::D_DECL_ENCONST, decl.span,
                        "enumerator '{}' must be assigned to an integral constant expression", decl.name);
        return kPoison;
      }
      next = *value;
    }
    if (next < std::numeric_limits<int32_t>::min() || next > std::numeric_limits<int32_t>::max()) {
      cx.diags.report(Tag::D_DECL_ENOFLOW, decl.span, "enumerator '{}' value overflows INT_MAX ({})", decl.name,
                      std::numeric_limits<int32_t>::max());
      return kPoison;
    }
    // The enum is incomplete until its end: within it, enumerators are ints.
    if (!define_enumerator(cx, decl, next, cx.types.int_type(), scope, constants)) return kPoison;
    list.push_back({decl.name, next});
    ++next;
  }
  cx.types.complete_enum(tag, list);
  for (const uint32_t index : constants) cx.session.constants[index].type = tag;
  return tag;
}

}  // namespace

TypeId check_tag(Context &cx, const ast::Specifier &specifier) {
  const TagKind kind = tag_kind(specifier.kind);
  if (!specifier.has_body) {
    if (std::count(specifier.name.begin(), specifier.name.end(), '`') > 1) {
      cx.diags.report(Tag::D_TYPE_ERR, specifier.span,
                      "failed to resolve type {}: Improper use of scoping operator in type name", specifier.name);
      return kPoison;
    }
    // `struct x *next` within struct x means that one, whatever the kernel calls struct x.
    for (const TypeId open : cx.open_tags) {
      if (cx.types[open].tag == kind && cx.types[open].name == specifier.name) return open;
    }
    const bool is_written = cx.clause != nullptr && cx.bindings == nullptr;
    const std::optional<TypeId> found =
        is_written ? cx.types.find_with_user_scope(kind, specifier.name) : cx.types.find(kind, specifier.name);
    if (found) return *found;
    if (specifier.name.find('`') != std::string_view::npos) {
      cx.diags.report(Tag::D_TYPE_ERR, specifier.span, "failed to resolve type {}: Unknown type name", specifier.name);
      return kPoison;
    }
    return cx.types.declare_tag(kind, specifier.name, scope_of(cx, specifier.span));
  }
  const std::string_view scope = scope_of(cx, specifier.span);
  const TypeId tag = cx.types.declare_tag(kind, specifier.name, scope);
  if (cx.types[tag].kind != TypeKind::kForward) {
    cx.diags.report(Tag::D_DECL_TYPERED, specifier.span, "type redeclared: {}", cx.type_name(tag));
    return kPoison;
  }
  return kind == TagKind::kEnum ? check_enum(cx, specifier, tag, scope) : check_struct(cx, specifier, tag);
}

}  // namespace dtrace::check
