// SPDX-License-Identifier: Apache-2.0
// What a program assigns, in whatever order: this DTrace's own names (lang/own_names.h) that it uses for variables of
// its own, and the first assignment of a variable.
#pragma once

#include <optional>
#include <set>
#include <string>
#include <string_view>

#include "frontend/syntax/ast.h"

namespace dtrace::check {

/// Those that the program declares, defines inline, or assigns anywhere: the order of its clauses does not matter.
std::set<std::string, std::less<>> redefined_own_names(const ast::Ast &ast);

/// Where the program first assigns a variable; `scope` is kNone, kSelf or kThis. Nothing: nowhere.
std::optional<Span> assignment_of(const ast::Ast &ast, ast::Storage scope, std::string_view name);

}  // namespace dtrace::check
