// SPDX-License-Identifier: Apache-2.0
// Checks whether this process may trace: as root, or with the capabilities to load tracing programs.
#pragma once

#include <string>

namespace dtrace::tracer {

/// Names of the capabilities that this process lacks for tracing, "CAP_BPF and CAP_PERFMON"; empty if it may trace.
/// What else is missing for a single probe, the kernel says where it matters.
std::string missing_privileges();

}  // namespace dtrace::tracer
