// SPDX-License-Identifier: Apache-2.0
// Expansion by substitution. A parameter stands for the operand it is bound to, so its expression is evaluated wherever
// the body names it, and not at all where it does not.
#include "frontend/check/translate.h"

#include <algorithm>
#include <unordered_set>

#include "frontend/check/check_convert.h"
#include "frontend/check/check_decl.h"
#include "frontend/check/check_expr.h"
#include "frontend/check/check_keys.h"
#include "frontend/check/check_names.h"
#include "frontend/types/types_compat.h"

namespace dtrace::check {
namespace {

Operand too_deep(Context &cx, std::string_view name, Span span) {
  return cx.fail(Tag::D_UNKNOWN, span, "expansion of {} is too deep or too large", name);
}

const ast::Derivation *tuple_of(const ast::Declarator &declarator) {
  if (declarator.derivations.empty()) return nullptr;
  const ast::Derivation &outermost = declarator.derivations.front();
  return outermost.kind == ast::Derivation::Kind::kTuple ? &outermost : nullptr;
}

/// `operand` as a value of the declared type, also where the conversion needs no node.
Operand converted_to(Context &cx, const Operand &operand, TypeId type) {
  Operand result = cx.value(convert(cx, operand, type));
  if (cx.types.is_integer(type)) result.type = type;
  return result;
}

// ---------------------------------------------------------------- inlines

/// Type and parameters of an inline, from its declaration. Errors: D_DECL_*.
bool type_inline(Context &cx, Inline &def) {
  if (def.typed) return static_cast<bool>(def.type);
  def.typed = true;
  const ast::InlineDef &ast = *def.def;
  const BaseType base = check_specifiers(cx, ast.specs);
  if (!base.type) return false;
  const Declared declared = apply_declarator(cx, base, ast.declarator);
  if (!declared.type) return false;
  const std::string_view name = ast.declarator.name;
  if (declared.is_function) {
    cx.diags.report(Tag::D_DECL_IDENT, ast.span, "cannot declare inline as a function: {}", name);
    return false;
  }
  if (cx.types.is_array(declared.type) || declared.unsized_array) {
    cx.diags.report(Tag::D_DECL_ARRNULL, ast.span, "inline arrays require an associative array type: {}", name);
    return false;
  }
  if (cx.types.is_void(declared.type)) {
    cx.diags.report(Tag::D_DECL_VOIDOBJ, ast.span, "cannot declare void inline: {}", name);
    return false;
  }
  if (declared.tuple != nullptr) {
    const auto params = check_params(cx, declared.tuple->params, declared.tuple->variadic, ParamUse::kInlineTuple,
                                     declared.tuple->span);
    if (!params) return false;
    for (const CheckedParam &param : *params) def.params.emplace_back(param.name, param.type);
  }
  def.type = declared.type;
  return true;
}

std::optional<Bindings> bind_keys(Context &cx, const Inline &def, const std::vector<Operand> &keys, Span span) {
  const std::string_view name = def.def->declarator.name;
  Bindings bindings;
  for (const Operand &key : keys) {
    if (key.poison()) return std::nullopt;
  }
  if (keys.size() != def.params.size()) {
    report_count(cx, {name, false}, keys.size(), {def.params.size()}, span);
    return std::nullopt;
  }
  for (size_t i = 0; i < keys.size(); ++i) {
    const auto &[param, type] = def.params[i];
    if (!passes(cx, keys[i], type)) {
      report_argument(cx, {name, false}, i + 1, cx.type_name(type), keys[i]);
      return std::nullopt;
    }
    bindings.names.emplace_back(param, converted_to(cx, keys[i], type));
  }
  return bindings;
}

/// The body's value as the inline's type. Errors: D_OP_INCOMPAT.
Operand inline_result(Context &cx, const Inline &def, const Operand &value, Span span) {
  if (value.poison()) return {};
  if (value.kind == Operand::Kind::kTranslated && same_type(cx.types, value.type, def.type)) {
    Operand result = value;
    result.span = span;
    return result;
  }
  if (!passes(cx, value, def.type)) {
    if (!value.is_value() && value.kind != Operand::Kind::kTranslated && !require_static(cx, value)) return {};
    return cx.fail(Tag::D_OP_INCOMPAT, value.span, "inline {} definition uses incompatible types: \"{}\" = \"{}\"",
                   def.def->declarator.name, cx.type_name(def.type), cx.describe(value));
  }
  if (!require_static(cx, value)) return {};
  Operand result = converted_to(cx, value, def.type);
  result.span = span;
  return result;
}

// ---------------------------------------------------------------- translators

TypeId output_of(const Context &cx, TypeId type) { return cx.types.resolve(cx.types.complete(type)); }

/// Do they point to the same type, in kernel or user memory? Translators do not declare which memory their input is in.
bool point_alike(const TypeTable &types, TypeId a, TypeId b) {
  return types.is_pointer(a) && types.is_pointer(b) &&
         same_type(types, types.resolved(a).target, types.resolved(b).target);
}

const Translator *search(Context &cx, TypeId value, TypeId output) {
  const TypeId input = cx.types.first_type(value);
  for (const Translator &translator : cx.session.translators) {
    if (translator.output == output && translator.input == input) return &translator;
  }
  for (const Translator &translator : cx.session.translators) {
    if (translator.output != output) continue;
    const bool is_array = cx.types.is_array(input) && cx.types.is_pointer(translator.input);
    if (same_type(cx.types, translator.input, input) ||
        (is_array && pointers_fit(cx.types, translator.input, input) == PointerFit::kFits)) {
      return &translator;
    }
  }
  for (const Translator &translator : cx.session.translators) {
    if (translator.output == output && point_alike(cx.types, translator.input, input)) return &translator;
  }
  return nullptr;
}

/// A library's translator to that type that did not fit this kernel. Failures are filed under the output as written.
bool report_translator_failure(Context &cx, TypeId output) {
  return report_library_failure(cx, "translator " + cx.type_name(output));
}

/// The value of a member's definition as the member's type. Errors: D_XLATE_INCOMPAT.
Operand member_result(Context &cx, const Operand &value, TypeId type, std::string_view name, Span span) {
  if (value.poison()) return {};
  if (value.kind == Operand::Kind::kTranslated && same_type(cx.types, value.type, type)) {
    Operand result = value;
    result.span = span;
    return result;
  }
  // A char array member takes what a string would.
  const TypeId wanted = cx.types.is_char_array(type) ? cx.types.string_type() : type;
  if (!passes(cx, value, wanted)) {
    if (!value.is_value() && value.kind != Operand::Kind::kTranslated && !require_static(cx, value)) return {};
    return cx.fail(Tag::D_XLATE_INCOMPAT, value.span,
                   "translator member {} definition uses incompatible types: \"{}\" = \"{}\"", name, cx.type_name(type),
                   cx.describe(value));
  }
  if (!require_static(cx, value)) return {};
  Operand result = converted_to(cx, value, wanted);
  result.span = span;
  return result;
}

const ast::TranslatorDef::MemberDef *definition_of(const Translator &translator, std::string_view name) {
  const auto &members = translator.def->members;
  // The last one counts if a member is given twice.
  const auto found = std::find_if(members.rbegin(), members.rend(), [&](const auto &m) { return m.name == name; });
  return found == members.rend() ? nullptr : &*found;
}

Operand expand_member(Context &cx, const Translator &translator, const Operand &input,
                      const ast::TranslatorDef::MemberDef &member, TypeId type, Span span) {
  if (ExpansionDepth::is_too_deep(cx)) return too_deep(cx, member.name, span);
  Bindings bindings;
  bindings.names.emplace_back(translator.def->param, input);
  // A library's translators are the stable face of what they read.
  const Attributes before = cx.attributes;
  Operand value;
  {
    const ExpansionDepth expansion(cx, bindings);
    value = check_expr(cx, *member.value);
  }
  if (translator.is_library) cx.attributes = before;
  return member_result(cx, value, type, member.name, span);
}

/// Checks a program's translator where it is defined, with an operand of its input type that leads nowhere.
void check_members(Context &cx, const Translator &translator) {
  Operand input = cx.value(translator.input, translator.def->span, tree::ArgRef{0});
  input.lvalue = input.in_variable = true;
  std::unordered_set<std::string_view> seen;
  for (const ast::TranslatorDef::MemberDef &member : translator.def->members) {
    const std::optional<FoundMember> found = cx.types.find_member(translator.output, member.name);
    if (!found) {
      cx.diags.report(Tag::D_XLATE_MEMB, member.span, "translator member {} is not a member of {}", member.name,
                      cx.type_name(translator.output));
      continue;
    }
    if (!seen.insert(member.name).second && cx.options.flag(Opt::strict)) {
      cx.diags.report(Tag::D_XLATE_REDECL, member.span, "translator member {} is defined twice", member.name);
      continue;
    }
    expand_member(cx, translator, input, member, found->member.type, member.span);
  }
}

}  // namespace

bool is_inline_array(const Inline &def) { return tuple_of(def.def->declarator) != nullptr; }

Operand expand_inline(Context &cx, Inline &def, const std::vector<Operand> &keys, Span span,
                      const std::optional<Attributes> &attributes) {
  const std::string_view name = def.def->declarator.name;
  if (def.constant) {
    if (attributes) cx.note(*attributes, name, span);
    return cx.integer(def.constant->type, span, static_cast<uint64_t>(def.constant->value));
  }
  if (is_inline_array(def) && keys.empty()) {
    return cx.fail(Tag::D_IDENT_BADREF, span, "associative array {} may not be referenced as scalar", name);
  }
  if (def.expanding) return undefined(cx, name, span);
  if (ExpansionDepth::is_too_deep(cx)) return too_deep(cx, name, span);
  const Restore<bool> expanding(def.expanding, true);
  if (!type_inline(cx, def)) return {};
  const std::optional<Bindings> bindings = bind_keys(cx, def, keys, span);
  if (!bindings) return {};

  const Attributes before = cx.attributes;
  Operand value;
  {
    const ExpansionDepth expansion(cx, *bindings);
    value = check_expr(cx, *def.def->value);
  }
  if (attributes || def.is_library) cx.attributes = before;
  if (attributes) cx.note(*attributes, name, span);
  const Operand result = inline_result(cx, def, value, span);
  if (const auto constant = narrowed_constant(cx, result); constant && keys.empty()) {
    def.constant = Constant{result.type, *constant};
  }
  return result;
}

const Translator *find_translator(Context &cx, TypeId input, TypeId output) {
  const TypeId plain = output_of(cx, output);
  if (const Translator *found = search(cx, input, plain)) return found;
  if (!cx.session.translator_fallback) return nullptr;
  const std::string from = cx.type_name(input);
  for (const TypeId name : {output, plain}) {
    if (!cx.session.translator_fallback(from, cx.type_name(name))) continue;
    if (const Translator *found = search(cx, input, output_of(cx, output))) return found;
  }
  return nullptr;
}

Operand translate(Context &cx, const Operand &input, TypeId to, Span span) {
  const bool is_pointer = cx.types.is_pointer(to);
  const TypeId output = is_pointer ? cx.types.resolved(to).target : to;
  const Translator *translator =
      cx.types.is_struct_or_union(output) ? find_translator(cx, input.type, output) : nullptr;
  if (translator == nullptr) {
    if (report_translator_failure(cx, output)) return {};
    return cx.fail(Tag::D_XLATE_NONE, span, "no translator from \"{}\" to \"{}\" is defined", cx.describe(input),
                   cx.type_name(to));
  }
  Operand result;
  result.kind = Operand::Kind::kTranslated;
  result.type = to;
  result.span = span;
  result.translator = translator;
  result.input = cx.keep(input);
  return result;
}

Operand translated_member(Context &cx, const Operand &translated, std::string_view name, Span span) {
  const Translator &translator = *translated.translator;
  const std::optional<FoundMember> found = cx.types.find_member(translator.output, name);
  if (!found) {
    std::vector<std::string_view> names;
    for (const ast::TranslatorDef::MemberDef &member : translator.def->members) names.push_back(member.name);
    return unknown_member(cx, translator.output, name, names, span);
  }
  const ast::TranslatorDef::MemberDef *member = definition_of(translator, name);
  if (member == nullptr) {
    return cx.fail(Tag::D_XLATE_NOCONV, span, "translator from {} to {} does not define member {}",
                   cx.type_name(translator.input), cx.type_name(translator.output), name);
  }
  return expand_member(cx, translator, *translated.input, *member, found->member.type, span);
}

void define_inline(Context &cx, const ast::InlineDef &def) {
  const std::string_view name = def.declarator.name;
  if (!def.specs.storage.empty()) {
    cx.diags.report(Tag::D_DECL_BADCLASS, def.specs.storage.front().second, "inline may not have a storage class: {}",
                    name);
    return;
  }
  if (name.empty()) {
    cx.diags.report(Tag::D_DECL_USELESS, def.span, "inline declaration requires a name");
    return;
  }
  if (name.find('`') != std::string_view::npos) {
    cx.diags.report(Tag::D_DECL_SCOPE, def.declarator.span,
                    "D scoping operator may not be used in a declaration name ({})", name);
    return;
  }
  if (cx.input.is_library && cx.session.own_names.contains(name)) return;  // the program has its own
  if (is_taken(cx, name)) {
    cx.diags.report(Tag::D_DECL_IDRED, def.declarator.span, "identifier redefined: {}", name);
    if (!note_definition(cx, name) && !cx.session.globals.contains(std::string(name)))
      cx.diags.advise(fmt::format("{} is a name of D itself", name));
    return;
  }
  Inline entry;
  entry.def = &def;
  entry.is_library = cx.input.is_library;
  // Checking the body may load libraries, which define inlines of their own.
  const auto index = static_cast<uint32_t>(cx.session.inlines.size());
  Inline &made = cx.session.inlines.emplace_back(std::move(entry));
  const size_t before = cx.diags.list().size();
  if (!cx.input.is_library) {
    if (!type_inline(cx, made)) return;
    std::vector<Operand> keys;
    for (const auto &[param, type] : made.params) {
      Operand key = cx.value(type, def.span, tree::ArgRef{0});
      keys.push_back(key);
    }
    expand_inline(cx, made, keys, def.span);
    if (cx.diags.list().size() > before) return;
  }
  cx.session.globals.emplace(name, Global{Global::Kind::kInline, index, cx.text, def.span, std::nullopt});
}

void define_translator(Context &cx, const ast::TranslatorDef &def) {
  const TypeId output = type_of(cx, *def.output);
  const TypeId input = type_of(cx, *def.input);
  if (!output || !input) return;
  if (!cx.types.is_struct_or_union(output)) {
    cx.diags.report(Tag::D_XLATE_SOU, def.output->span,
                    "translator output type must be a complete struct or union: \"{}\"", cx.type_name(output));
    return;
  }
  Translator translator{&def, cx.input.is_library, input, output_of(cx, output)};
  for (const Translator &other : cx.session.translators) {
    if (other.output != translator.output || other.input != input) continue;
    cx.diags.report(Tag::D_XLATE_REDECL, def.span, "translator from {} to {} has already been declared",
                    cx.type_name(input), cx.type_name(output));
    return;
  }
  // Its members may use it, and may load libraries, which define translators of their own.
  Translator &made = cx.session.translators.emplace_back(translator);
  if (cx.input.is_library) return;
  const size_t before = cx.diags.list().size();
  check_members(cx, made);
  if (cx.diags.list().size() > before) made.output = kPoison;  // found by nobody
}

}  // namespace dtrace::check
