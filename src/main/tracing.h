// SPDX-License-Identifier: Apache-2.0
// A compiled program's run as the command shows it: from the object to the exit status.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "command_line/command_line.h"
#include "main/live.h"
#include "main/outputs.h"
#include "main/recording.h"
#include "main/terminal.h"
#include "serving/exporter_process.h"
#include "tracer/compiler.h"
#include "tracer/enable.h"

namespace dtrace::command {

/// As an exit status: the reader of our output is gone, so the process must end as by SIGPIPE.
constexpr int kReaderGone = -1;

/// How a run has ended.
struct RunEnd {
  std::optional<Error> failure;  ///< of tracing, or of the recording
  bool is_out_of_memory = false;
  uint64_t nr_abandoned = 0;
  int status = 0;
};
/// What the run has come to, in a sentence if it went wrong. Exit status, or kReaderGone.
int outcome(const RunEnd &end, const Outputs &outputs, const Result<Unit> &committed, const Interrupts &interrupts);

/// The texts of -s.
std::string scripts_of(const Sources &sources);

/// `exporter` may not run; `live` is null without --live, `recording` without
/// --record. Exit status of the command, or kReaderGone.
int trace(tracer::Compiler &compiler, tracer::Enabled &enabled, const CommandLine &line, ExporterProcess &exporter,
          Outputs &outputs, Terminal &terminal, LiveTerminal *live_terminal, Recording *recording);

}  // namespace dtrace::command
