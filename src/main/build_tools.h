// SPDX-License-Identifier: Apache-2.0
// `dtrace -h` and `dtrace -G`: what build systems call. Neither the kernel nor privileges are asked for, and nothing
// goes to stdout unless `-o -` says so.
#pragma once

#include "main/command_line.h"

namespace dtrace {

/// Mode -h. Exit status: 0, 1 for errors, 2 for usage.
int make_header(const CommandLine &line);

/// Mode -G; operands are objects. Exit status as above.
int make_object(const CommandLine &line);

}  // namespace dtrace
