// SPDX-License-Identifier: Apache-2.0
// Which of this DTrace's own names (lang/own_names.h) a program uses for variables of its own.
#pragma once

#include <set>
#include <string>

#include "frontend/syntax/ast.h"

namespace dtrace::check {

/// Those that the program declares, defines inline, or assigns anywhere: the order of its clauses does not matter.
std::set<std::string, std::less<>> redefined_own_names(const ast::Ast &ast);

}  // namespace dtrace::check
