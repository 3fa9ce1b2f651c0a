// SPDX-License-Identifier: Apache-2.0
// Why a program was not taken, on standard error.
#pragma once

#include "tracer/compiler.h"

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

}  // namespace dtrace::command
