// SPDX-License-Identifier: Apache-2.0
// args[] and locals of a user function's probes: the types of its parameters, of what it returns and of its variables,
// and where their values are.
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "frontend/lang/probe.h"
#include "frontend/types/types.h"
#include "plan/user_operand.h"
#include "runtime/debug_info/object_debug_info.h"

namespace dtrace::runtime {

struct TypedArguments {
  std::vector<ProbeArg> args;
  /// What args[].source counts from `first_source` on.
  std::vector<UserOperand> operands;
};

/// The arguments at the first instruction of the function at `address` of the file.
/// Errors: the debug information does not describe the function.
Result<TypedArguments> entry_arguments(ObjectDebugInfo &info, uint64_t address, unsigned first_source,
                                       TypeTable &types);

/// The parameters of an inlined call that begins at `pc`. A parameter that is a number or pointer has one operand.
/// Errors: the debug information does not describe the code.
Result<TypedArguments> inlined_arguments(ObjectDebugInfo &info, uint64_t pc, uint32_t call, TypeTable &types);

/// A parameter or variable by name, in the scopes around the instruction at `pc`: one of `args`.
/// Errors: D_LOCALS_NONE: the debug information does not describe the code; D_LOCALS_NAME, of find_local().
/// `begins_call`: an inlined call begins there.
Result<TypedArguments> local_variable(ObjectDebugInfo &info, uint64_t pc, std::string_view name, unsigned first_source,
                                      TypeTable &types, bool begins_call = false);

/// All of them, the innermost first; those that cannot be had say why. Their sources mean nothing. Empty: none is in
/// scope, or the debug information does not describe the code.
std::vector<ProbeArg> local_variables(ObjectDebugInfo &info, uint64_t pc, TypeTable &types, bool begins_call = false);

/// The arguments at the returns of that function. args[0] is the offset of the return instruction, args[1] the returned
/// value, if there is one; their sources are arg0 and arg1.
Result<std::vector<ProbeArg>> return_arguments(ObjectDebugInfo &info, uint64_t address, TypeTable &types);

}  // namespace dtrace::runtime
