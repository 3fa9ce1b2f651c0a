// SPDX-License-Identifier: Apache-2.0
// profile:::profile-RATE on every CPU, profile:::tick-RATE on one. A perf software clock event fires the program from
// the CPU's high-resolution timer, on idle CPUs too. RATE is a number with an optional unit; without one it means hertz
// (the opposite of option values, which mean nanoseconds).
#include <fmt/format.h>

#include "frontend/text/glob.h"
#include "runtime/kernel/kernel_info.h"
#include "runtime/probes/provider.h"
#include "runtime/probes/providers/rate.h"

namespace dtrace::runtime {
namespace {

constexpr int kProfileRates[] = {97, 199, 499, 997, 1999, 4001, 4999};
constexpr int kTickRates[] = {1, 10, 100, 500, 1000, 5000};
constexpr int64_t kShortestPeriodNs = 200'000;  // 5000 Hz

/// Splits "profile-RATE" or "tick-RATE".
struct Parsed {
  bool is_tick;
  int64_t period_ns;
};
std::optional<Parsed> parse_name(std::string_view name) {
  for (auto [prefix, is_tick] : {std::pair{std::string_view("profile-"), false}, {std::string_view("tick-"), true}}) {
    if (!name.starts_with(prefix)) continue;
    if (auto period = period_of_rate(name.substr(prefix.size()), kShortestPeriodNs)) return Parsed{is_tick, *period};
  }
  return std::nullopt;
}

class ProfileProvider final : public Provider {
 public:
  explicit ProfileProvider(KernelInfo &kernel) : kernel_(kernel) {}

  std::string_view name() const override { return "profile"; }

  ProviderAttributes attributes() const override {
    constexpr Attributes kEvolving{Stability::kEvolving, Stability::kEvolving, DependencyClass::kCommon};
    constexpr Attributes kUnstable{Stability::kUnstable, Stability::kUnstable, DependencyClass::kUnknown};
    constexpr Attributes kPrivate{Stability::kPrivate, Stability::kPrivate, DependencyClass::kUnknown};
    return {kEvolving, kUnstable, kPrivate, kEvolving, kEvolving};
  }

  Result<Unit> list(const ProbeDesc &want, ProbeSink &sink) override {
    if (!field_match(want.module, "") || !field_match(want.function, "")) return ok();
    bool offered = false;
    uint32_t ordinal = 0;
    auto offer_if_matching = [&](std::string_view prefix, int rate) {
      std::string name = fmt::format("{}-{}", prefix, rate);
      if (field_match(want.name, name)) {
        sink.offer(ordinal, "", "", name);
        offered = true;
      }
      ++ordinal;
    };
    for (int rate : kProfileRates) offer_if_matching("profile", rate);
    for (int rate : kTickRates) offer_if_matching("tick", rate);
    // A rate that is not in the list exists as soon as somebody names it.
    if (!offered && parse_name(want.name)) sink.offer(ProbeSink::kOnDemand, "", "", want.name);
    return ok();
  }

  Result<std::vector<ProbeArg>> args(const Probe &, TypeTable &) override { return std::vector<ProbeArg>{}; }

  ProbeHook hook(const Probe &probe) override {
    ProbeHook hook;
    std::optional<Parsed> parsed = parse_name(probe.name);
    PerfClockHook clock;
    if (parsed) clock.period_ns = static_cast<uint64_t>(parsed->period_ns);
    if (parsed && parsed->is_tick) clock.cpu = kernel_.online_cpus().front();
    hook.hook.target = clock;
    hook.args = {{ArgSource::Kind::kKernelPc, 0, 8, false},
                 {ArgSource::Kind::kUserPc, 0, 8, false},
                 {ArgSource::Kind::kClockLag, 0, 8, false}};
    return hook;
  }

 private:
  KernelInfo &kernel_;
};

}  // namespace

std::unique_ptr<Provider> make_profile_provider(KernelInfo &kernel) {
  return std::make_unique<ProfileProvider>(kernel);
}

}  // namespace dtrace::runtime
