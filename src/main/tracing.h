// SPDX-License-Identifier: Apache-2.0
// Tracing itself: from a compiled object to the exit status. Arms the probes, runs BEGIN, lets targets go, consumes
// until something ends it, runs END, prints what is left.
#pragma once

#include "codegen/compile.h"
#include "main/session.h"
#include "runtime/print/output.h"

namespace dtrace {

/// As an exit status: whoever read our output has gone, which is to end us as SIGPIPE does.
constexpr int kReaderGone = -1;

/// Exit status of the command, or kReaderGone.
int trace(Session &session, const CompiledObject &object, FdOutput &output);

}  // namespace dtrace
