// SPDX-License-Identifier: Apache-2.0
// One run to several outputs, each in a format of its own.
#pragma once

#include <memory>
#include <vector>

#include "runtime/events/sink.h"

namespace dtrace::runtime {

/// At least one. What freopen() and ftruncate() ask for is done by the first.
std::unique_ptr<Sink> make_several_sinks(std::vector<std::unique_ptr<Sink>> sinks);

}  // namespace dtrace::runtime
