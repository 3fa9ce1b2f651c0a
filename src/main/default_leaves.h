// SPDX-License-Identifier: Apache-2.0
// --record of descriptions without a body: what is recorded then.
#pragma once

#include <vector>

#include "frontend/tree/tree.h"
#include "tracer/compiler.h"

namespace dtrace::command {

/// Errors: option recordstacks names something else.
Result<Unit> check_recordstacks(const Options &options);

/// Clauses with what is recorded of those that do nothing: arguments that are numbers or strings, members of translated
/// ones, execname, errno, uid, container, and the stacks that option recordstacks names. What a probe does not have is
/// left out.
std::vector<tree::Clause> default_leaves(tracer::Compiler &compiler);

}  // namespace dtrace::command
