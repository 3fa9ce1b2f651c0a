// SPDX-License-Identifier: Apache-2.0
#include "frontend/check/class_members.h"

#include <algorithm>

#include "frontend/check/check_convert.h"
#include "frontend/check/check_expr.h"
#include "frontend/check/translate.h"
#include "frontend/text/type_name.h"

namespace dtrace::check {
namespace {

using MemberDef = ast::TranslatorDef::MemberDef;

/// Patterns are not matched with names without end.
constexpr size_t kMaxClassNameBytes = 4096;
constexpr unsigned kMaxBaseClasses = 8;  // of each other
constexpr std::string_view kText = "text";

std::string_view name_of_class(Context &cx, TypeId type) {
  const std::string_view name = cx.types.class_name(cx.types.complete(type));
  if (name.empty() || name.size() > kMaxClassNameBytes) return {};
  if (cx.session.known_classes.emplace(name).second && cx.session.class_fallback) cx.session.class_fallback(name);
  return name;
}

bool is_for(const ClassTranslator &translator, std::string_view name) {
  return std::ranges::any_of(translator.classes,
                             [&](const std::string &pattern) { return type_name_matches(pattern, name); });
}

const MemberDef *definition_of(const ClassTranslator &translator, std::string_view name) {
  const auto &members = translator.def->members;
  const auto found = std::ranges::find(members, name, &MemberDef::name);
  return found == members.end() ? nullptr : &*found;
}

/// Memory that a pointer leads to has an address, also where args[] leads there.
bool is_behind_pointer(const tree::Expr &place) {
  const tree::Expr *at = &place;
  for (;;) {
    if (const auto *member = std::get_if<tree::Member>(&at->node))
      at = member->base;
    else if (const auto *element = std::get_if<tree::Element>(&at->node))
      at = element->base;
    else
      return std::holds_alternative<tree::Deref>(at->node);
  }
}

Operand expand(Context &cx, const ClassTranslator &translator, const MemberDef &member, const Operand &object) {
  Bindings bindings;
  bindings.names.emplace_back(translator.def->param, object);
  bindings.class_type = object.type;
  const Attributes before = cx.attributes;
  Operand value;
  {
    const ExpansionDepth depth(cx, bindings);
    value = check_expr(cx, *member.value);
  }
  if (translator.is_library) cx.attributes = before;
  return value;
}

std::optional<Operand> own_class_member(Context &cx, const Operand &object, std::string_view name, Span span) {
  const std::string_view class_name = name_of_class(cx, object.type);
  if (class_name.empty()) return std::nullopt;
  std::vector<std::pair<const ClassTranslator *, const MemberDef *>> found;
  for (const ClassTranslator &translator : cx.session.class_translators)
    if (const MemberDef *member = definition_of(translator, name); member != nullptr && is_for(translator, class_name))
      found.emplace_back(&translator, member);
  if (found.empty()) return std::nullopt;
  if (ExpansionDepth::is_too_deep(cx))
    return cx.fail(Tag::D_UNKNOWN, span, "expansion of {} is too deep or too large", name);
  const size_t errors = cx.diags.list().size();
  Operand value;
  for (const auto &[translator, member] : found) {
    cx.diags.truncate(errors);
    value = expand(cx, *translator, *member, object);
    if (!value.poison()) break;
  }
  value.span = span;
  value.foreign = true;
  return value;
}

/// A base class, which is an unnamed member.
Operand part_of_object(Context &cx, const Operand &object, const Member &base, Span span) {
  Operand part = object;
  part.type = cx.types.complete(base.type);
  part.span = span;
  part.expr = cx.make(part.type, span, tree::Member{object.expr, base.off_bits, 0});
  return part;
}

std::optional<Operand> find_class_member(Context &cx, const Operand &object, std::string_view name, Span span,
                                         unsigned depth) {
  if (std::optional<Operand> own = own_class_member(cx, object, name, span)) return own;
  if (depth == kMaxBaseClasses || !cx.types.is_struct_or_union(object.type)) return std::nullopt;
  for (const Member &member : cx.types.members(object.type)) {
    if (!member.name.empty() || member.bits != 0 || cx.types.class_name(member.type).empty()) continue;
    const Operand part = part_of_object(cx, object, member, span);
    if (std::optional<Operand> inherited = find_class_member(cx, part, name, span, depth + 1)) return inherited;
  }
  return std::nullopt;
}

bool is_class(Context &cx, TypeId type) { return !cx.types.class_name(cx.types.complete(type)).empty(); }

}  // namespace

std::optional<Operand> class_member(Context &cx, const Operand &object, std::string_view name, Span span) {
  if (!object.is_value() || !is_class(cx, object.type)) return std::nullopt;
  Operand place = object;
  if (is_behind_pointer(*object.expr)) {
    place.lvalue = true;
    place.in_variable = false;
  }
  return find_class_member(cx, place, name, span, 0);
}

std::optional<Operand> class_text(Context &cx, const Operand &operand, Span span) {
  if (!operand.is_value()) return std::nullopt;
  Operand object = operand;
  if (cx.types.is_pointer(operand.type)) {
    const TypeId target = cx.types.complete(cx.types.resolved(operand.type).target);
    if (!is_class(cx, target)) return std::nullopt;
    object = cx.value(target, operand.span, tree::Deref{operand.expr});
    object.space = space_of(cx.types, operand.type);
  }
  std::optional<Operand> text = class_member(cx, object, kText, span);
  if (!text || text->poison() || is_string_like(cx, *text)) return text;
  return cx.fail(Tag::D_XLATE_INCOMPAT, span, "translator member {} of {} is \"{}\", not a string", kText,
                 cx.type_name(object.type), cx.describe(*text));
}

void collect_class_members(Context &cx, TypeId type, std::vector<std::string_view> &names) {
  const std::string_view class_name = name_of_class(cx, type);
  if (class_name.empty()) return;
  for (const ClassTranslator &translator : cx.session.class_translators)
    if (is_for(translator, class_name))
      for (const MemberDef &member : translator.def->members) names.push_back(member.name);
}

void define_class_translator(Context &cx, const ast::TranslatorDef &def) {
  for (auto member = def.members.begin(); member != def.members.end(); ++member) {
    if (std::find_if(def.members.begin(), member, [&](const MemberDef &m) { return m.name == member->name; }) == member)
      continue;
    cx.diags.report(Tag::D_XLATE_REDECL, member->span, "translator member {} is defined twice", member->name);
    return;
  }
  ClassTranslator translator{&def, cx.input.is_library, {}};
  for (const std::string_view pattern : def.classes) translator.classes.push_back(canonical_type_name(pattern));
  // A program's own translators come before those of libraries.
  if (cx.input.is_library)
    cx.session.class_translators.push_back(std::move(translator));
  else
    cx.session.class_translators.push_front(std::move(translator));
}

}  // namespace dtrace::check
