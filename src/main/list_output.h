// SPDX-License-Identifier: Apache-2.0
// Text that is not traced, on the command's output: listings.
#pragma once

#include <functional>
#include <string>

#include "command_line/command_line.h"

namespace dtrace::command {

/// Writes what `make` gives to the output of -o, or to standard output. `what`: "-l", for messages. Exit status.
int write_listing(const CommandLine &line, std::string_view what, const std::function<std::string()> &make);

}  // namespace dtrace::command
