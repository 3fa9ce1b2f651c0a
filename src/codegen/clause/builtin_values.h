// SPDX-License-Identifier: Apache-2.0
// The built-in variables, one function a row of variables.def. A row whose function is missing does not link.
#pragma once

#include "codegen/clause/clause.h"

namespace dtrace::codegen {

/// Value of a built-in variable that is a scalar.
llvm::Value *emit_variable(ClauseEmitter &e, const tree::BuiltinRef &ref);
/// Value of a built-in variable that is a string.
EmittedText emit_text_variable(ClauseEmitter &e, const tree::BuiltinRef &ref);

}  // namespace dtrace::codegen
