// SPDX-License-Identifier: Apache-2.0
// A compiled program's run as the command shows it: from the object to the exit status.
#pragma once

#include "codegen/compile.h"
#include "main/command_line.h"
#include "main/terminal.h"
#include "runtime/print/output.h"
#include "tracer/compiler.h"

namespace dtrace {

/// As an exit status: whoever read our output has gone, which is to end us as SIGPIPE does.
constexpr int kReaderGone = -1;

/// Exit status of the command, or kReaderGone.
int trace(Compiler &compiler, const CompiledObject &object, const CommandLine &line, FdOutput &output,
          Terminal &terminal);

}  // namespace dtrace
