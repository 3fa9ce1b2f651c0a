// SPDX-License-Identifier: Apache-2.0
// Events for programs that embed the tracer: copies of their own, with symbols resolved.
#pragma once

#include <memory>

#include "runtime/output/formats.h"
#include "tracer/include/dtrace/tracer.h"

namespace dtrace::tracer {

struct ListenerParts {
  runtime::Symbolizer &symbolizer;
  const TypeTable &types;
  const Plan &plan;
  pid_t target_pid = 0;
};

/// `listener` and the parts outlive the sink.
std::unique_ptr<runtime::Sink> make_listener_sink(libdtrace::Listener &listener, const ListenerParts &parts);

}  // namespace dtrace::tracer
