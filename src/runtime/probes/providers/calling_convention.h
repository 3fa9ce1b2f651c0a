// SPDX-License-Identifier: Apache-2.0
// Where a C function finds its arguments, and its caller the result, for values without floating point, as kernel
// functions have them. The raw arguments are counted as fbt counts them: on x86-64 arg0 to arg5 are the six registers,
// arg6 and on the words on the stack behind the return address.
//
// What a reader would get wrong: a struct by value may take two registers, so args[2] need not be arg2; and a function
// that returns a large struct gets the address for it in arg0.
#pragma once

#include <span>
#include <vector>

#include "arch/machine.h"
#include "frontend/lang/probe.h"
#include "frontend/types/types.h"

namespace dtrace::runtime {

/// args[] of a function with parameters of types `params` that returns `result`.
std::vector<ProbeArg> passed_values(const arch::CallingConvention &calls, const TypeTable &types, TypeId result,
                                    std::span<const TypeId> params);

/// What such a function returns; `source` is the raw argument that holds its first register.
ProbeArg returned_value(const arch::CallingConvention &calls, const TypeTable &types, TypeId result, unsigned source);

}  // namespace dtrace::runtime
