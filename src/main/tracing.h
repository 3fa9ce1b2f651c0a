// SPDX-License-Identifier: Apache-2.0
// A compiled program's run as the command shows it: from the object to the exit status.
#pragma once

#include "command_line/command_line.h"
#include "main/live.h"
#include "main/outputs.h"
#include "main/terminal.h"
#include "serving/exporter_process.h"
#include "tracer/compiler.h"
#include "tracer/enable.h"

namespace dtrace::command {

/// As an exit status: the reader of our output is gone, so the process must end as by SIGPIPE.
constexpr int kReaderGone = -1;

/// `exporter` may not run; `live` is null without --live. Exit status of the command, or kReaderGone.
int trace(tracer::Compiler &compiler, tracer::Enabled &enabled, const CommandLine &line, ExporterProcess &exporter,
          Outputs &outputs, Terminal &terminal, LiveTerminal *live_terminal);

}  // namespace dtrace::command
