// SPDX-License-Identifier: Apache-2.0
// dtrace --replay: programs on a recording, a list of its probes, a summary. Nothing of the running kernel is needed.
#pragma once

#include "base/options.h"
#include "command_line/command_line.h"

namespace dtrace::command {

/// `options`: as the command line sets them. Exit status, or kReaderGone.
int replay(const CommandLine &line, Options options);

}  // namespace dtrace::command
