// SPDX-License-Identifier: Apache-2.0
// D text of tree nodes, on one line. Every operator gets its parentheses, so the text shows how the program was parsed.
#pragma once

#include <string>

#include "frontend/syntax/ast.h"

namespace dtrace::ast {

/// "((a + b) * c)", "trace(\"x\")", "self->x".
std::string text(const Expr &expr);
/// "const char *", "struct s [3]". Bodies of structs are left out: "struct { ... }".
std::string text(const TypeName &type);
std::string text(const DeclSpecs &specs);
std::string text(const Specifier &specifier);
/// "int *x[3]": the specifiers followed by the declarator.
std::string text(const DeclSpecs &specs, const Declarator &declarator);
/// "a:b:c:d", or the id.
std::string text(const ProbeSpec &probe);
std::string_view spelling(Storage storage);

}  // namespace dtrace::ast
