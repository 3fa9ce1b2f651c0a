// SPDX-License-Identifier: Apache-2.0
// cpc:::EVENT-MODE-COUNT on every CPU: fires each time a counter has counted COUNT more events, in user mode, in the
// kernel ("kernel") or in both ("all"). Counters are the processor's, which virtual machines mostly lack, and the
// kernel's own. Names are perf's, with _ or - between words, and the PAPI_ names that scripts for other systems use.
#include <fmt/format.h>
#include <linux/perf_event.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <charconv>
#include <cstring>

#include "base/owned.h"
#include "frontend/text/glob.h"
#include "runtime/probes/provider.h"

namespace dtrace::runtime {
namespace {

struct Event {
  std::string_view name;
  uint32_t type;
  uint64_t config;
  bool is_other_name = false;  ///< of an event that is in the list already
};

constexpr uint64_t cache(uint64_t level, uint64_t result) {
  return level | uint64_t{PERF_COUNT_HW_CACHE_OP_READ} << 8 | result << 16;
}
constexpr uint64_t kAccess = PERF_COUNT_HW_CACHE_RESULT_ACCESS, kMiss = PERF_COUNT_HW_CACHE_RESULT_MISS;

constexpr Event kEvents[] = {
    {"cpu_clock", PERF_TYPE_SOFTWARE, PERF_COUNT_SW_CPU_CLOCK},
    {"task_clock", PERF_TYPE_SOFTWARE, PERF_COUNT_SW_TASK_CLOCK},
    {"page_faults", PERF_TYPE_SOFTWARE, PERF_COUNT_SW_PAGE_FAULTS},
    {"minor_faults", PERF_TYPE_SOFTWARE, PERF_COUNT_SW_PAGE_FAULTS_MIN},
    {"major_faults", PERF_TYPE_SOFTWARE, PERF_COUNT_SW_PAGE_FAULTS_MAJ},
    {"context_switches", PERF_TYPE_SOFTWARE, PERF_COUNT_SW_CONTEXT_SWITCHES},
    {"cpu_migrations", PERF_TYPE_SOFTWARE, PERF_COUNT_SW_CPU_MIGRATIONS},
    {"alignment_faults", PERF_TYPE_SOFTWARE, PERF_COUNT_SW_ALIGNMENT_FAULTS},
    {"emulation_faults", PERF_TYPE_SOFTWARE, PERF_COUNT_SW_EMULATION_FAULTS},
    {"cycles", PERF_TYPE_HARDWARE, PERF_COUNT_HW_CPU_CYCLES},
    {"ref_cycles", PERF_TYPE_HARDWARE, PERF_COUNT_HW_REF_CPU_CYCLES},
    {"bus_cycles", PERF_TYPE_HARDWARE, PERF_COUNT_HW_BUS_CYCLES},
    {"instructions", PERF_TYPE_HARDWARE, PERF_COUNT_HW_INSTRUCTIONS},
    {"branches", PERF_TYPE_HARDWARE, PERF_COUNT_HW_BRANCH_INSTRUCTIONS},
    {"branch_misses", PERF_TYPE_HARDWARE, PERF_COUNT_HW_BRANCH_MISSES},
    {"cache_references", PERF_TYPE_HARDWARE, PERF_COUNT_HW_CACHE_REFERENCES},
    {"cache_misses", PERF_TYPE_HARDWARE, PERF_COUNT_HW_CACHE_MISSES},
    {"stalled_cycles_frontend", PERF_TYPE_HARDWARE, PERF_COUNT_HW_STALLED_CYCLES_FRONTEND},
    {"stalled_cycles_backend", PERF_TYPE_HARDWARE, PERF_COUNT_HW_STALLED_CYCLES_BACKEND},
    {"l1_dcache_loads", PERF_TYPE_HW_CACHE, cache(PERF_COUNT_HW_CACHE_L1D, kAccess)},
    {"l1_dcache_load_misses", PERF_TYPE_HW_CACHE, cache(PERF_COUNT_HW_CACHE_L1D, kMiss)},
    {"l1_icache_load_misses", PERF_TYPE_HW_CACHE, cache(PERF_COUNT_HW_CACHE_L1I, kMiss)},
    {"llc_loads", PERF_TYPE_HW_CACHE, cache(PERF_COUNT_HW_CACHE_LL, kAccess)},
    {"llc_load_misses", PERF_TYPE_HW_CACHE, cache(PERF_COUNT_HW_CACHE_LL, kMiss)},
    {"dtlb_loads", PERF_TYPE_HW_CACHE, cache(PERF_COUNT_HW_CACHE_DTLB, kAccess)},
    {"dtlb_load_misses", PERF_TYPE_HW_CACHE, cache(PERF_COUNT_HW_CACHE_DTLB, kMiss)},
    {"itlb_load_misses", PERF_TYPE_HW_CACHE, cache(PERF_COUNT_HW_CACHE_ITLB, kMiss)},
    {"PAPI_tot_cyc", PERF_TYPE_HARDWARE, PERF_COUNT_HW_CPU_CYCLES, true},
    {"PAPI_ref_cyc", PERF_TYPE_HARDWARE, PERF_COUNT_HW_REF_CPU_CYCLES, true},
    {"PAPI_tot_ins", PERF_TYPE_HARDWARE, PERF_COUNT_HW_INSTRUCTIONS, true},
    {"PAPI_br_ins", PERF_TYPE_HARDWARE, PERF_COUNT_HW_BRANCH_INSTRUCTIONS, true},
    {"PAPI_br_cn", PERF_TYPE_HARDWARE, PERF_COUNT_HW_BRANCH_INSTRUCTIONS, true},
    {"PAPI_br_msp", PERF_TYPE_HARDWARE, PERF_COUNT_HW_BRANCH_MISSES, true},
    {"PAPI_l1_dcm", PERF_TYPE_HW_CACHE, cache(PERF_COUNT_HW_CACHE_L1D, kMiss), true},
    {"PAPI_l1_icm", PERF_TYPE_HW_CACHE, cache(PERF_COUNT_HW_CACHE_L1I, kMiss), true},
    {"PAPI_l3_tcm", PERF_TYPE_HW_CACHE, cache(PERF_COUNT_HW_CACHE_LL, kMiss), true},
    {"PAPI_tlb_dm", PERF_TYPE_HW_CACHE, cache(PERF_COUNT_HW_CACHE_DTLB, kMiss), true},
    {"PAPI_tlb_im", PERF_TYPE_HW_CACHE, cache(PERF_COUNT_HW_CACHE_ITLB, kMiss), true},
};

/// A counter of the processor may count billions a second: fewer between two firings would leave it time for little
/// else.
constexpr uint64_t kMinCountOfProcessor = 5000;
/// Nanoseconds of a clock: the kernel takes these where fewer are asked for.
constexpr uint64_t kMinCountOfClock = 10000;
constexpr std::string_view kListed = "-all-1000000000";

struct Parsed {
  const Event *event = nullptr;
  bool in_user = false, in_kernel = false;
  uint64_t count = 0;
};

/// Takes what stands behind the last '-' off `text`.
std::optional<std::string_view> take_last(std::string_view &text) {
  const size_t dash = text.rfind('-');
  if (dash == std::string_view::npos) return std::nullopt;
  const std::string_view last = text.substr(dash + 1);
  text = text.substr(0, dash);
  return last;
}

bool same_words(std::string_view a, std::string_view b) {
  return std::ranges::equal(a, b, [](char x, char y) { return x == y || (x == '-' && y == '_'); });
}

/// "EVENT-MODE-COUNT"; nothing: it is none.
std::optional<Parsed> parse_name(std::string_view name) {
  Parsed parsed;
  const std::optional<std::string_view> count = take_last(name), mode = take_last(name);
  if (!count || !mode) return std::nullopt;
  const auto [end, error] = std::from_chars(count->data(), count->data() + count->size(), parsed.count);
  if (error != std::errc() || end != count->data() + count->size() || parsed.count == 0) return std::nullopt;
  parsed.in_user = *mode == "user" || *mode == "all";
  parsed.in_kernel = *mode == "kernel" || *mode == "all";
  const auto *event = std::ranges::find_if(kEvents, [&](const Event &e) { return same_words(name, e.name); });
  if (event == std::end(kEvents) || !(parsed.in_user || parsed.in_kernel)) return std::nullopt;
  parsed.event = event;
  return parsed;
}

bool is_clock(const Event &event) {
  return event.type == PERF_TYPE_SOFTWARE &&
         (event.config == PERF_COUNT_SW_CPU_CLOCK || event.config == PERF_COUNT_SW_TASK_CLOCK);
}

uint64_t least_count(const Event &event) {
  if (is_clock(event)) return kMinCountOfClock;
  return event.type == PERF_TYPE_SOFTWARE ? 1 : kMinCountOfProcessor;
}

/// 0, or the error why this machine does not count it for us; asked in a way that counts nothing.
int refusal(const Event &event) {
  perf_event_attr attr{};
  attr.size = sizeof attr;
  attr.type = event.type;
  attr.config = event.config;
  attr.disabled = 1;
  constexpr pid_t kThisThread = 0;
  const Fd opened(static_cast<int>(syscall(SYS_perf_event_open, &attr, kThisThread, -1, -1, PERF_FLAG_FD_CLOEXEC)));
  return opened ? 0 : errno;
}

bool can_count(const Event &event) { return refusal(event) == 0; }

class CpcProvider final : public Provider {
 public:
  std::string_view name() const override { return "cpc"; }

  ProviderAttributes attributes() const override {
    constexpr Attributes kEvolving{Stability::kEvolving, Stability::kEvolving, DependencyClass::kCommon};
    constexpr Attributes kEvolvingCpu{Stability::kEvolving, Stability::kEvolving, DependencyClass::kCpu};
    constexpr Attributes kPrivate{Stability::kPrivate, Stability::kPrivate, DependencyClass::kUnknown};
    return {kEvolving, kPrivate, kPrivate, kEvolvingCpu, kEvolving};
  }

  Result<Unit> list(const ProbeDesc &want, ProbeSink &sink) override {
    if (!field_match(want.module, "") || !field_match(want.function, "")) return ok();
    if (const std::optional<Parsed> parsed = parse_name(want.name)) {
      if (parsed->count >= least_count(*parsed->event) && can_count(*parsed->event))
        sink.offer(ProbeSink::kOnDemand, "", "", want.name);
      return ok();
    }
    uint32_t ordinal = 0;
    for (const Event &event : kEvents) {
      if (event.is_other_name) continue;
      const std::string name = std::string(event.name).append(kListed);
      if (field_match(want.name, name) && can_count(event)) sink.offer(ordinal, "", "", name);
      ++ordinal;
    }
    return ok();
  }

  Absence why_absent(const ProbeDesc &desc) override {
    const std::optional<Parsed> parsed = parse_name(desc.name);
    if (!parsed) return {"a probe of cpc is EVENT-MODE-COUNT, its mode user, kernel or all: cycles-user-1000000", true};
    if (parsed->count < least_count(*parsed->event))
      return {is_clock(*parsed->event)
                  ? fmt::format("a clock counts nanoseconds and fires every {} at most", kMinCountOfClock)
                  : fmt::format("a counter of the processor fires every {} events at most", kMinCountOfProcessor),
              true};
    const int error = refusal(*parsed->event);
    if (error == ENOENT || error == EOPNOTSUPP || error == ENODEV || error == EINVAL)
      return {"this machine's processor has no counter for it; most virtual machines have none", true};
    return {fmt::format("the kernel does not open the counter: {}", std::strerror(error)), true};
  }

  Result<std::vector<ProbeArg>> args(const Probe &, TypeTable &) override { return std::vector<ProbeArg>{}; }

  ProbeHook hook(const Probe &probe) override {
    ProbeHook hook;
    if (const std::optional<Parsed> parsed = parse_name(probe.name))
      hook.hook.target = PerfCounterHook{parsed->event->type, parsed->event->config, parsed->count, parsed->in_user,
                                         parsed->in_kernel};
    hook.args = {{ArgSource::Kind::kKernelPc, 0, 8, false}, {ArgSource::Kind::kUserPc, 0, 8, false}};
    return hook;
  }
};

}  // namespace

std::unique_ptr<Provider> make_cpc_provider(KernelInfo &) { return std::make_unique<CpcProvider>(); }

}  // namespace dtrace::runtime
