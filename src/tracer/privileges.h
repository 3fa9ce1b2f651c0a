// SPDX-License-Identifier: Apache-2.0
// Who may trace: root, or somebody who may load tracing programs.
#pragma once

#include <string>

namespace dtrace::tracer {

/// Names of the capabilities that this process lacks for tracing, "CAP_BPF and CAP_PERFMON"; empty if it may trace.
/// What else is missing for a single probe, the kernel says where it matters.
std::string missing_privileges();

}  // namespace dtrace::tracer
