// SPDX-License-Identifier: Apache-2.0
// Where system calls are probed. While a tracepoint of theirs has a program, every call of the machine passes it; at
// the kernel's function for a call, only that call does.
#include <fmt/format.h>

#include <algorithm>
#include <set>
#include <string_view>

#include "codegen/planning/layout.h"
#include "plan/kernel_feature.h"

namespace dtrace::codegen {
namespace {

/// Ids of all probes that system calls fire, also those that are derived from them.
std::set<uint32_t> probes_of_calls(const CompileInput &input, const Layout &layout) {
  const auto is_of_calls = [](const ProbeHook &hook) { return hook.hook.selector == Selector::kSyscallNumber; };
  std::set<uint32_t> probes;
  for (const ClauseLayout &clause : layout.clauses) {
    if (never_runs(*clause.clause)) continue;
    for (ProbeId id : clause.clause->probes) {
      const ProbeHook &hook = input.host.hook(id);
      if (is_of_calls(hook) || std::ranges::any_of(hook.also, is_of_calls)) probes.insert(id.value);
    }
  }
  return probes;
}

}  // namespace

Result<Unit> choose_functions_of_calls(const CompileInput &input, Layout &layout) {
  const std::string &option = input.options.string(Opt::syscalls);
  if (option == "tracepoint") return ok();
  const bool is_wanted = option == "function";
  const std::set<uint32_t> probes = probes_of_calls(input, layout);
  if (probes.empty()) return ok();
  // One link has all calls; where functions call programs themselves, each is waited for, a part of a second.
  const size_t most = input.host.has(KernelFeature::kPreemptedSyscalls) ? 16 : 4;
  std::set<std::string_view> calls;
  for (uint32_t id : probes) {
    calls.insert(input.host.probe(ProbeId{id}).function);
    // Functions do not return through a probe that was set while they ran, and their returns cost more.
    if ((calls.size() > most || input.host.hook(ProbeId{id}).is_syscall_return) && !is_wanted) return ok();
  }
  if (!input.host.has(KernelFeature::kCallFunctions)) {
    if (!is_wanted) return ok();
    return Error("option 'syscalls=function': this kernel does not let the functions of system calls be probed");
  }
  std::map<uint32_t, const ProbeHook *> hooks;
  for (uint32_t id : probes) {
    const ProbeHook *hook = input.host.hook_at_function(ProbeId{id});
    if (hook != nullptr) {
      hooks.emplace(id, hook);
      continue;
    }
    if (!is_wanted) return ok();
    const Probe &probe = input.host.probe(ProbeId{id});
    return Error(fmt::format("option 'syscalls=function': no function has the firings of {}:{}:{}:{} alone",
                             probe.provider, probe.module, probe.function, probe.name));
  }
  layout.instead = std::move(hooks);
  return ok();
}

}  // namespace dtrace::codegen
