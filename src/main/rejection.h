// SPDX-License-Identifier: Apache-2.0
// What became of programs, on standard error.
#pragma once

#include "tracer/program_reading.h"

namespace dtrace::command {

/// Which of the programs of the command line it is, from 1.
struct ProgramPlace {
  size_t number, count;
};

/// "invalid probe specifier X: ..." or "failed to compile script X: ...", one message for each mistake that does not
/// follow from another. The message says which of several -n it is. `dump`: the first diagnostic is the outcome of a
/// phase, and goes to standard output.
void report_rejection(const tracer::Rejection &rejection, const tracer::ProgramText &program, ProgramPlace place,
                      const Sources &sources, const Options &options, bool dump);

/// How many probes each program has matched, on standard error.
void report_matched(const tree::Unit &unit);

}  // namespace dtrace::command
