// SPDX-License-Identifier: Apache-2.0
// The built-in variables and subroutines, one function a row of variables.def and builtins.def. A row whose function is
// missing does not link.
#pragma once

#include "codegen/clause/clause.h"

namespace dtrace {

/// Value of a built-in variable that is a scalar.
llvm::Value *emit_variable(ClauseEmitter &e, const tree::BuiltinRef &ref);
/// Value of a built-in variable that is a string.
EmittedText emit_text_variable(ClauseEmitter &e, const tree::BuiltinRef &ref);
/// Value of a subroutine that yields a scalar or nothing.
llvm::Value *emit_subroutine(ClauseEmitter &e, const tree::Call &call, const tree::Expr &expr);
/// Value of a subroutine that yields a string; `into` is where it should best be made.
EmittedText emit_text_subroutine(ClauseEmitter &e, const tree::Call &call, const tree::Expr &expr, const Memory *into);

}  // namespace dtrace
