// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "capi/include/dtrace.h"
#include "frontend/tree/tree.h"

namespace dtrace::capi {

/// What dtrace_program_info() says of a program.
dtrace_proginfo_t info_of(const tree::Program &program);

}  // namespace dtrace::capi
