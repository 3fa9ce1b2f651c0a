// SPDX-License-Identifier: Apache-2.0
// What identifiers mean: variables by scope, inlines, enumerators, built-in variables, kernel symbols. Variables come
// into being here, at their declaration or first assignment.
#pragma once

#include "frontend/check/check_context.h"

namespace dtrace::check {

/// An identifier used as a value or lvalue. Errors: D_IDENT_UNDEF, D_IDENT_BADREF, D_SYM_*, those of an inline's body.
Operand check_identifier(Context &cx, std::string_view name, Span span);
/// self->x, this->x. Errors: D_VAR_UNDEF, D_IDENT_BADREF.
Operand check_scoped(Context &cx, const ast::ScopedIdent &ident, Span span);

/// The operand bound to `name` by the inline or translator being expanded.
const Operand *find_binding(const Context &cx, std::string_view name);
/// What programs and libraries define by that name, asking the libraries not loaded yet.
const Global *find_defined(Context &cx, std::string_view name);
/// The same, or an enumerator of the kernel.
const Global *find_global(Context &cx, std::string_view name);
/// The built-in variable of that name, unless the program has a variable of its own by it (lang/own_names.h).
std::optional<Variable> find_builtin_variable(const Context &cx, std::string_view name);
/// A variable already known; kNone means the global scope.
std::optional<tree::VarId> find_variable(Context &cx, ast::Storage scope, std::string_view name);

/// Makes a variable. Errors: D_ID_OFLOW.
std::optional<tree::VarId> create_variable(Context &cx, ast::Storage scope, std::string_view name, TypeId type,
                                           std::vector<TypeId> keys, Span span);
/// The variable itself, as an lvalue.
Operand variable_place(Context &cx, tree::VarId var, Span span);

/// Type of a built-in variable; poison for args[].
TypeId builtin_type(Context &cx, Variable variable);
Operand builtin_variable(Context &cx, Variable variable, const tree::Expr *index, Span span);

/// Is the plain name taken by a function, a built-in variable or a definition of any kind?
bool is_taken(const Context &cx, std::string_view name);

/// Adds to the last error where the program or a library defines that name; false: neither does.
bool note_definition(Context &cx, std::string_view name);

/// Reports why a library's declaration of `key` ("name", "struct name") failed, if it did.
bool report_library_failure(Context &cx, const std::string &key);
/// D_IDENT_UNDEF for a plain name.
Operand undefined(Context &cx, std::string_view name, Span span);
/// D_VAR_UNDEF.
Operand unassigned(Context &cx, ast::Storage scope, std::string_view name, bool is_array, Span span);

/// "x", "self->x", "this->x".
std::string spelling(ast::Storage scope, std::string_view name);

}  // namespace dtrace::check
