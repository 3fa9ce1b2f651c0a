// SPDX-License-Identifier: Apache-2.0
// What sdt and rawtp share: every tracepoint of the kernel and of its loaded modules, attached as a raw or BTF
// tracepoint, its arguments typed by the BTF prototype `btf_trace_<name>` without its first, private parameter.
#pragma once

#include "runtime/kernel/kernel_info.h"
#include "runtime/probes/provider.h"

namespace dtrace::runtime {

class TracepointProvider final : public Provider {
 public:
  TracepointProvider(std::string_view name, KernelInfo &kernel) : name_(name), kernel_(kernel) {}

  std::string_view name() const override { return name_; }
  ProviderAttributes attributes() const override;
  Result<Unit> list(const ProbeDesc &want, ProbeSink &sink) override;
  Result<std::vector<ProbeArg>> args(const Probe &probe, TypeTable &types) override;
  ProbeHook hook(const Probe &probe) override;

 private:
  const Tracepoint *tracepoint(const Probe &probe);

  std::string_view name_;
  KernelInfo &kernel_;
};

}  // namespace dtrace::runtime
