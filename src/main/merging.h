// SPDX-License-Identifier: Apache-2.0
// dtrace --merge: saved runs as one, shown as a run is. dtrace --diff: two of them compared.
#pragma once

#include "base/options.h"
#include "command_line/command_line.h"
#include "main/outputs.h"

namespace dtrace::command {

/// Exit status.
int merge_runs(const CommandLine &line, const Options &options, Outputs &outputs);

/// Exit status.
int compare_runs(const CommandLine &line, const Options &options, Outputs &outputs);

}  // namespace dtrace::command
