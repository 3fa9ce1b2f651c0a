// SPDX-License-Identifier: Apache-2.0
// What this kernel can do, found out by doing it once. A version number says little: distributions carry features back,
// configurations and lockdown take them away.
#pragma once

#include <map>
#include <string>
#include <string_view>
#include <utility>

#include "plan/kernel_feature.h"

namespace dtrace::runtime {

class KernelFeatures {
 public:
  /// Tried at the first question; needs the privileges that tracing needs, and without them the answer is no.
  bool has(KernelFeature feature);
  /// Whether the verifier takes an argument of a typed tracepoint, `typedef btf_trace_<name>`, for a pointer; else it
  /// is a number. Yes, if no such program may be loaded.
  bool is_typed_pointer(uint32_t tracepoint, unsigned argument);
  /// A table for people, one feature a line: name, yes or no, what it is.
  std::string text();

 private:
  std::map<KernelFeature, bool> known_;
  std::map<std::pair<uint32_t, unsigned>, bool> pointers_;  // tracepoint, argument
};

}  // namespace dtrace::runtime
