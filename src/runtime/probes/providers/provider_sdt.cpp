// SPDX-License-Identifier: Apache-2.0
// sdt:SUBSYSTEM::EVENT: every kernel tracepoint, see tracepoint_provider.h. Besides, the probes of device interrupts
// under the names of other systems.
#include "runtime/probes/providers/stable_provider.h"
#include "runtime/probes/providers/tracepoint_provider.h"

namespace dtrace::runtime {
namespace {

// The device, the interrupt's number, the handler and what it is called with. A shared interrupt fires for each
// handler.
constexpr StableProbe kNames[] = {
    {"interrupt-start", "",
     "rawtp:::irq_handler_entry { args[1]; args[0]; (uintptr_t)args[1]->handler; (uintptr_t)args[1]->dev_id; }",
     "irq_handler_entry", 2},
    {"interrupt-complete", "",
     "rawtp:::irq_handler_exit"
     " { args[1]; args[0]; (uintptr_t)args[1]->handler; (uintptr_t)args[1]->dev_id; args[2]; }",
     "irq_handler_exit", 3},
};

constexpr uint32_t kFirstName = 7900;  // above any number of tracepoints, at the end of sdt's numbers

class SdtProvider final : public Provider {
 public:
  explicit SdtProvider(KernelInfo &kernel) : events_("sdt", kernel), names_("sdt", kNames, kernel, {}, kFirstName) {}

  std::string_view name() const override { return events_.name(); }
  ProviderAttributes attributes() const override { return events_.attributes(); }
  Result<Unit> list(const ProbeDesc &want, ProbeSink &sink) override {
    if (Result<Unit> listed = events_.list(want, sink); !listed) return listed;
    return names_.list(want, sink);
  }
  Result<std::vector<ProbeArg>> args(const Probe &probe, TypeTable &types) override {
    return events_.args(probe, types);
  }
  std::optional<ProbeDefinition> definition(const Probe &probe) override { return names_.definition(probe); }
  Absence why_absent(const ProbeDesc &desc) override { return names_.why_absent(desc); }
  ProbeHook hook(const Probe &probe) override { return events_.hook(probe); }

 private:
  TracepointProvider events_;
  StableProvider names_;
};

}  // namespace

std::unique_ptr<Provider> make_sdt_provider(KernelInfo &kernel) { return std::make_unique<SdtProvider>(kernel); }

}  // namespace dtrace::runtime
