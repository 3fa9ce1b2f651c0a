// SPDX-License-Identifier: Apache-2.0
// Declarations. Declaring twice is allowed where nothing changes.
#include "frontend/check/check_define.h"

#include <algorithm>

#include "frontend/check/check_decl.h"
#include "frontend/check/check_names.h"
#include "frontend/types/types_compat.h"

namespace dtrace::check {
namespace {

using ast::Storage;

/// The declaration's one storage class. Errors: D_DECL_CLASS, D_DECL_BADCLASS.
std::optional<Storage> storage_of(Context &cx, const ast::DeclSpecs &specs) {
  if (specs.storage.size() > 1) {
    cx.diags.report(Tag::D_DECL_CLASS, specs.storage[1].second, "only one storage class allowed in declaration");
    return std::nullopt;
  }
  const Storage storage = specs.storage.empty() ? Storage::kNone : specs.storage.front().first;
  const bool is_header = scope_of(cx, specs.span) == "C";
  if (storage == Storage::kStatic && is_header) return Storage::kExtern;
  if (storage == Storage::kAuto || storage == Storage::kRegister || storage == Storage::kStatic) {
    cx.diags.report(Tag::D_DECL_BADCLASS, specs.storage.front().second, "specified storage class not appropriate in D");
    return std::nullopt;
  }
  return storage == Storage::kNone && is_header ? Storage::kExtern : storage;
}

void redeclared(Context &cx, std::string_view name, std::string_view current, std::string_view previous, Span span) {
  cx.diags.report(Tag::D_DECL_IDRED, span, "identifier redeclared: {}\n\t current: {}\n\tprevious: {}", name, current,
                  previous);
}

void define_type(Context &cx, std::string_view name, TypeId type, Span span) {
  const std::string_view scope = scope_of(cx, span);
  // The kernel's typedefs are hidden by the program's, its own are not.
  const std::optional<TypeId> known = cx.types.find(TagKind::kOrdinary, name, scope);
  if (known) {
    // Headers and libraries repeat what is built in.
    if ((scope == "C" || cx.input.is_library) && same_type(cx.types, *known, type)) return;
    redeclared(cx, name, "typedef " + cx.type_name(type),
               cx.type_name(cx.types[*known].target ? cx.types[*known].target : *known), span);
    return;
  }
  if (is_taken(cx, name)) {
    redeclared(cx, name, "typedef " + cx.type_name(type), "identifier", span);
    note_definition(cx, name);
    return;
  }
  cx.types.define_typedef(name, type, scope);
}

void define_extern(Context &cx, std::string_view name, TypeId type, Span span) {
  const auto [known, added] = cx.session.externs.try_emplace(std::string(name), Extern{type, span});
  if (added || same_type(cx.types, known->second.type, type)) return;
  redeclared(cx, name, "extern " + cx.type_name(type), "extern " + cx.type_name(known->second.type), span);
  cx.diags.last().notes.push_back({known->second.span, "declared here before"});
}

std::string signature_text(Context &cx, TypeId type, const std::vector<TypeId> &keys) {
  std::string text = cx.type_name(type);
  if (keys.empty()) return text;
  text += " [";
  for (size_t i = 0; i < keys.size(); ++i) text += (i == 0 ? "" : ", ") + cx.type_name(keys[i]);
  return text + "]";
}

bool same_signature(Context &cx, const tree::VariableInfo &info, TypeId declared, TypeId type,
                    const std::vector<TypeId> &keys) {
  return same_type(cx.types, declared, type) &&
         std::equal(info.keys.begin(), info.keys.end(), keys.begin(), keys.end(),
                    [&](TypeId a, TypeId b) { return same_type(cx.types, a, b); });
}

/// Errors: D_DECL_VOIDOBJ, D_DECL_ARRNULL, D_DECL_INCOMPLETE, D_DECL_LOCASSC.
bool check_object(Context &cx, Storage storage, const Declared &declared, std::string_view name, Span span) {
  if (declared.unsized_array) {
    cx.diags.report(Tag::D_DECL_ARRNULL, span, "array declaration requires array dimension or tuple signature: {}",
                    name);
  } else if (cx.types.is_void(declared.type)) {
    cx.diags.report(Tag::D_DECL_VOIDOBJ, span, "cannot declare void object: {}", name);
  } else if (declared.tuple != nullptr && storage == Storage::kThis) {
    cx.diags.report(Tag::D_DECL_LOCASSC, span, "cannot declare local associative array: {}", name);
  } else if (!cx.types.is_complete(declared.type)) {
    cx.diags.report(Tag::D_DECL_INCOMPLETE, span, "incomplete struct/union/enum {}: {}", cx.type_name(declared.type),
                    name);
  } else {
    return true;
  }
  return false;
}

void define_variable(Context &cx, Storage storage, const Declared &declared, std::string_view name, Span span) {
  if (!check_object(cx, storage, declared, name, span)) return;
  std::vector<TypeId> keys;
  if (declared.tuple != nullptr) {
    const auto params =
        check_params(cx, declared.tuple->params, declared.tuple->variadic, ParamUse::kTuple, declared.tuple->span);
    if (!params) return;
    for (const CheckedParam &param : *params) keys.push_back(param.type);
  }
  const TypeId type = unqualified(cx.types, declared.type);
  if (const std::optional<tree::VarId> known = find_variable(cx, storage, name)) {
    const tree::VariableInfo &info = cx.session.unit.variables[known->value];
    const TypeId before = cx.types.first_type(cx.session.variables[known->value].declared_type);
    if (same_signature(cx, info, before, type, keys)) return;
    redeclared(cx, spelling(storage, name), signature_text(cx, type, keys), signature_text(cx, before, info.keys),
               span);
    cx.diags.last().notes.push_back({cx.session.variables[known->value].span, "declared here before"});
    return;
  }
  const bool is_global = storage == Storage::kNone;
  const bool is_typedef = is_global && cx.types.find(TagKind::kOrdinary, name, "D").has_value();
  if (is_global && (is_taken(cx, name) || is_typedef)) {
    redeclared(cx, name, signature_text(cx, type, keys), is_typedef ? "typedef" : "built-in or inline", span);
    note_definition(cx, name);
    return;
  }
  const std::optional<tree::VarId> made = create_variable(cx, storage, name, type, std::move(keys), span);
  if (made) cx.session.variables[made->value].is_declared = true;
}

void define_declarator(Context &cx, Storage storage, const BaseType &base, const ast::Declarator &declarator) {
  const Declared declared = apply_declarator(cx, base, declarator);
  if (!declared.type) return;
  const std::string_view name = declarator.name;
  const Span span = declarator.span;
  if (name.empty()) {
    cx.diags.report(Tag::D_DECL_USELESS, span, "declaration requires a name");
    return;
  }
  if (name.find('`') != std::string_view::npos) {
    cx.diags.report(Tag::D_DECL_SCOPE, span, "D scoping operator may not be used in a declaration name ({})", name);
    return;
  }
  if (storage == Storage::kTypedef) {
    if (declared.tuple != nullptr) {
      cx.diags.report(Tag::D_DECL_DYNOBJ, span, "cannot declare an associative array type: {}", name);
      return;
    }
    return define_type(cx, name, declared.type, span);
  }
  if (storage == Storage::kExtern || declared.is_function) return define_extern(cx, name, declared.type, span);
  define_variable(cx, storage, declared, name, span);
}

bool declares_tag(const ast::DeclSpecs &specs) {
  return std::any_of(specs.specifiers.begin(), specs.specifiers.end(), [](const ast::Specifier &s) {
    return s.kind == ast::SpecifierKind::kStruct || s.kind == ast::SpecifierKind::kUnion ||
           s.kind == ast::SpecifierKind::kEnum;
  });
}

}  // namespace

void define(Context &cx, const ast::Declaration &declaration) {
  const std::optional<Storage> storage = storage_of(cx, declaration.specs);
  if (!storage) return;
  const BaseType base = check_specifiers(cx, declaration.specs);
  if (!base.type) return;
  if (declaration.declarators.empty() && !declares_tag(declaration.specs)) {
    cx.diags.report(Tag::D_DECL_USELESS, declaration.span, "declaration has no declarator");
    return;
  }
  for (const ast::Declarator &declarator : declaration.declarators) define_declarator(cx, *storage, base, declarator);
}

}  // namespace dtrace::check
