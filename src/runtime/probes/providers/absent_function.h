// SPDX-License-Identifier: Apache-2.0
// Why a kernel function has no probe: the kernel forbids it, the compiler changed or inlined the function, or no
// function has that name.
#pragma once

#include <string_view>

#include "frontend/lang/probe.h"

namespace dtrace::runtime {

/// `kallsyms`: the text of /proc/kallsyms. `module`: empty for any.
Absence absent_function(std::string_view kallsyms, std::string_view module, std::string_view function);

}  // namespace dtrace::runtime
