// SPDX-License-Identifier: Apache-2.0
// dtrace:::BEGIN, END and ERROR. BEGIN and END are run by the consumer itself on one CPU (BPF_PROG_TEST_RUN of a raw
// tracepoint program), so they need no kernel hook; ERROR is called by the programs whose clause faulted.
#include "frontend/text/glob.h"
#include "runtime/probes/provider.h"

namespace dtrace::runtime {
namespace {

constexpr std::string_view kNames[] = {"BEGIN", "END", "ERROR"};

class DtraceProvider final : public Provider {
 public:
  std::string_view name() const override { return "dtrace"; }

  ProviderAttributes attributes() const override {
    constexpr Attributes kStable{Stability::kStable, Stability::kStable, DependencyClass::kCommon};
    constexpr Attributes kPrivate{Stability::kPrivate, Stability::kPrivate, DependencyClass::kUnknown};
    return {kStable, kPrivate, kPrivate, kStable, kStable};
  }

  Result<Unit> list(const ProbeDesc &want, ProbeSink &sink) override {
    if (!field_match(want.module, "") || !field_match(want.function, "")) return ok();
    for (uint32_t i = 0; i < std::size(kNames); ++i)
      if (field_match(want.name, kNames[i])) sink.offer(i, "", "", kNames[i]);
    return ok();
  }

  Result<std::vector<ProbeArg>> args(const Probe &, TypeTable &) override { return std::vector<ProbeArg>{}; }

  ProbeHook hook(const Probe &probe) override {
    ProbeHook hook;
    if (probe.name == "ERROR") {
      hook.args.resize(6);  // arg0 is unused; arg1..arg5 describe the fault
      for (uint32_t i = 1; i <= 5; ++i) hook.args[i] = ArgSource{ArgSource::Kind::kErrorArg, i, 8, true};
    } else {
      hook.hook.target = TestRunHook{probe.name == "END"};
    }
    return hook;
  }
};

}  // namespace

std::unique_ptr<Provider> make_dtrace_provider(KernelInfo &) { return std::make_unique<DtraceProvider>(); }

}  // namespace dtrace::runtime
