// SPDX-License-Identifier: Apache-2.0
// Checks whether this process may trace. The capabilities are looked at first, as they say what is missing. Then the
// kernel is asked: root of a container often has the capabilities and is refused all the same.
#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace dtrace::runtime {

/// What there is to know about this process.
struct Standing {
  bool is_root = false;
  std::string missing = {};        ///< capabilities, "CAP_BPF and CAP_PERFMON"; empty: it has them
  bool in_user_namespace = false;  ///< its capabilities do not count outside of it
  bool is_filtered = false;        ///< by seccomp
  bool is_locked_down = false;     ///< confidentiality: programs may not read kernel memory
  int load_error = 0;              ///< of bpf(2), asked by who has the capabilities
};

struct Denial {
  std::string reason;  ///< "run as root for tracing and listing probes (missing: CAP_BPF and CAP_PERFMON)"
  std::string advice;  ///< how containers are started that may trace; empty if none is likely
};

/// Wrappers of other DTraces look for these words.
constexpr std::string_view kDenied = "DTrace requires additional privileges";

Standing standing_of_process();
/// Nothing: it may trace. What else is missing for a single probe, the kernel says where it matters.
std::optional<Denial> denial(const Standing &standing);
inline std::optional<Denial> denial() { return denial(standing_of_process()); }
/// In one line.
std::string text(const Denial &denial);

}  // namespace dtrace::runtime
