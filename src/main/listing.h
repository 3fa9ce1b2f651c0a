// SPDX-License-Identifier: Apache-2.0
// -l and the stability reports of -v.
#pragma once

#include <string>

#include "main/command_line.h"
#include "tracer/compiler.h"

namespace dtrace {

/// The list of -l: all probes, or those of each program's descriptions.
std::string list_probes(Compiler &compiler, const CommandLine &line);
/// What -v says of the programs; with -e also each distinct description.
std::string stability_report(Compiler &compiler, const CommandLine &line);

}  // namespace dtrace
