// SPDX-License-Identifier: Apache-2.0
// Types as written -> TypeId: specifiers, struct, union and enum bodies (check_tag.cpp), declarators and parameter
// lists.
#pragma once

#include "frontend/check/check_context.h"

namespace dtrace::check {

/// What the specifiers of a declaration say, before any declarator.
struct BaseType {
  TypeId type;            ///< poison: an error was reported
  bool userland = false;  ///< pointers derived from it point into user space
};

/// Errors: D_DECL_COMBO, D_DECL_CHARATTR, D_DECL_VOIDATTR, D_DECL_SIGNINT, D_DECL_LONGINT, D_TYPE_ERR, those of bodies.
BaseType check_specifiers(Context &cx, const ast::DeclSpecs &specs);

/// One declarator applied to its base.
struct Declared {
  TypeId type;                             ///< of the variable, or of an associative array's element; poison: error
  const ast::Derivation *tuple = nullptr;  ///< associative array: its key types
  bool is_function = false;
  bool unsized_array = false;  ///< `int a[]`
};

/// Errors: D_DECL_ARRSUB, D_DECL_ARRBIG, D_DECL_VOIDOBJ, D_DECL_DYNOBJ, D_DECL_PROTO_*.
Declared apply_declarator(Context &cx, const BaseType &base, const ast::Declarator &declarator);

/// Cast, sizeof, xlate, ...: a type name without storage. Poison if an error was reported.
TypeId type_of(Context &cx, const ast::TypeName &name);

enum class ParamUse : uint8_t { kFunction, kTuple, kInlineTuple, kProbe };
struct CheckedParam {
  std::string_view name;
  TypeId type;
  Span span;
};
/// Parameters by the rules of their use. Nothing: an error was reported.
/// Errors: D_DECL_PROTO_VARARGS, D_DECL_PROTO_TYPE, D_DECL_PROTO_VOID, D_DECL_PROTO_NAME, D_DECL_PROTO_FORM,
/// D_DECL_PARMCLASS.
std::optional<std::vector<CheckedParam>> check_params(Context &cx, const std::vector<ast::Param> &params, bool variadic,
                                                      ParamUse use, Span span);

/// Value of an integer constant expression. Nothing: it is none; nothing was reported unless its parts are wrong.
std::optional<int64_t> constant_expression(Context &cx, const ast::Expr &expr);

/// "D", or "C" within a file that cpp included.
std::string_view scope_of(const Context &cx, Span span);

// check_tag.cpp
/// A struct, union or enum specifier with or without a body.
/// Errors: D_DECL_TYPERED, D_DECL_MNAME, D_DECL_BF*, D_DECL_VOIDOBJ, D_DECL_INCOMPLETE, D_DECL_DYNOBJ, D_DECL_EN*,
/// D_DECL_IDRED.
TypeId check_tag(Context &cx, const ast::Specifier &specifier);

}  // namespace dtrace::check
