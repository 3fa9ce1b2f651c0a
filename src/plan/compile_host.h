// SPDX-License-Identifier: Apache-2.0
// What the code generator asks of the part that knows the probes and the machine: the runtime's catalog, or a test.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "frontend/lang/probe.h"
#include "plan/hook.h"
#include "plan/kernel_feature.h"

namespace dtrace {

/// Answers about probes and the machine that code generation needs.
class CompileHost {
 public:
  virtual ~CompileHost() = default;
  virtual const Probe &probe(ProbeId id) = 0;
  virtual const ProbeHook &hook(ProbeId id) = 0;
  /// The hook of a system call's probe at the call's own function. Null: there is none that sees the same firings.
  virtual const ProbeHook *hook_at_function(ProbeId) { return nullptr; }
  /// Hooks, without sites, of probes that may come to be under this description while tracing runs; programs for them
  /// are made beforehand. Empty: none will.
  virtual std::vector<ProbeHook> later(const ProbeDesc &) { return {}; }
  /// The newest kernel is assumed unless the host knows better.
  virtual bool has(KernelFeature) { return true; }
  /// Whether a program that is typed by a tracepoint may read through one of its arguments. Some are errors at times,
  /// in place of pointers: newer kernels list these, and take them for numbers.
  virtual bool is_typed_pointer(const RawTracepointHook &, unsigned /*argument*/) { return true; }
  /// The function of a probe as it is shown, by which a program may name it as well.
  virtual const std::string &shown_function(ProbeId id) { return probe(id).function; }
  /// Inode of the pid namespace whose numbers the program means; 0: the initial one, which needs no translation.
  virtual uint32_t pid_namespace() { return 0; }
};

}  // namespace dtrace
