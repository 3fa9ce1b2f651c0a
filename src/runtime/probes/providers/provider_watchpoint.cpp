// SPDX-License-Identifier: Apache-2.0
// watchpointPID:MODULE:SYMBOL:ACCESS[-BYTES], a variable or an address (0x404040) of a process, and
// watchpoint:MODULE:SYMBOL:ACCESS[-BYTES], of the kernel: breakpoints of the processor, by perf. ACCESS is write,
// access (read or write) or execute; BYTES are 1, 2, 4 or 8, else as many as the variable has.
//
// What a reader would get wrong: nothing is listed, because any address can be watched; a probe exists once it is
// named. The processor has four breakpoints, which debuggers use, too, and each probe takes one.
#include <fmt/format.h>
#include <linux/hw_breakpoint.h>
#include <unistd.h>

#include <algorithm>
#include <charconv>
#include <map>

#include "arch/machine.h"
#include "base/processor_breakpoints.h"
#include "frontend/text/glob.h"
#include "runtime/kernel/kernel_info.h"
#include "runtime/probes/provider.h"
#include "runtime/symbols/kallsyms.h"
#include "runtime/user/grab_process.h"

namespace dtrace::runtime {
namespace {

constexpr std::string_view kWatchpoint = "watchpoint";
constexpr uint32_t kMaxBytes = 8;

struct Access {
  std::string_view name;
  uint32_t type;
};
constexpr Access kAccesses[] = {{"write", HW_BREAKPOINT_W}, {"access", HW_BREAKPOINT_RW}, {"execute", HW_BREAKPOINT_X}};

/// What stands in the name of a probe.
struct WatchName {
  uint32_t access = 0;
  uint32_t size_bytes = 0;  ///< 0: it is not said
};

std::optional<WatchName> parse_watch(std::string_view name) {
  const size_t dash = name.find('-');
  const auto *access = std::ranges::find(kAccesses, name.substr(0, dash), &Access::name);
  if (access == std::end(kAccesses)) return std::nullopt;
  if (dash == std::string_view::npos) return WatchName{access->type, 0};
  const std::string_view size = name.substr(dash + 1);
  if (access->type == HW_BREAKPOINT_X || (size != "1" && size != "2" && size != "4" && size != "8"))
    return std::nullopt;
  return WatchName{access->type, static_cast<uint32_t>(size.front() - '0')};
}

/// "0x404040".
std::optional<uint64_t> address_in(std::string_view text) {
  if (!text.starts_with("0x")) return std::nullopt;
  uint64_t address = 0;
  const auto [end, error] = std::from_chars(text.data() + 2, text.data() + text.size(), address, 16);
  return error == std::errc() && end == text.data() + text.size() ? std::optional(address) : std::nullopt;
}

/// The digits behind the provider's name: none are the kernel's.
std::optional<std::string_view> watched_process(std::string_view provider) {
  if (!provider.starts_with(kWatchpoint)) return std::nullopt;
  const std::string_view digits = provider.substr(kWatchpoint.size());
  return digits.find_first_not_of("0123456789") == std::string_view::npos ? std::optional(digits) : std::nullopt;
}

/// As much as one breakpoint can watch of `available` bytes at an address.
uint32_t watched_bytes(uint64_t address, uint64_t available) {
  uint32_t size = kMaxBytes;
  while (size > 1 && (size > available || address % size != 0)) size /= 2;
  return size;
}

class WatchpointProvider final : public Provider {
 public:
  std::string_view name() const override { return kWatchpoint; }
  bool claims(std::string_view pattern) const override { return watched_process(pattern).has_value(); }
  ProviderAttributes attributes() const override {
    constexpr Attributes kEvolvingCpu{Stability::kEvolving, Stability::kEvolving, DependencyClass::kCpu};
    constexpr Attributes kPrivate{Stability::kPrivate, Stability::kPrivate, DependencyClass::kUnknown};
    return {kEvolvingCpu, kPrivate, kPrivate, kEvolvingCpu, kEvolvingCpu};
  }
  Result<Unit> list(const ProbeDesc &want, ProbeSink &sink) override;
  Absence why_absent(const ProbeDesc &desc) override;
  Result<std::vector<ProbeArg>> args(const Probe &, TypeTable &) override { return std::vector<ProbeArg>{}; }
  ProbeHook hook(const Probe &probe) override;

 private:
  /// Offers the variable, or the address, at `address`. `shortfall`: what it does not do; empty: nothing.
  void offer(const ProbeDesc &want, ProbeSink &sink, std::string_view module, WatchpointHook place,
             std::string_view shortfall);
  void offer_kernel(const ProbeDesc &want, ProbeSink &sink, std::string_view module, WatchpointHook place);
  Result<Unit> list_kernel(const ProbeDesc &want, const WatchName &watch, ProbeSink &sink);
  Result<Unit> list_process(const ProbeDesc &want, const WatchName &watch, std::string_view digits, ProbeSink &sink);

  UserObjects objects_;
  Kallsyms kallsyms_;
  std::map<std::string, WatchpointHook> places_;  // by the probes' full names
};

void WatchpointProvider::offer(const ProbeDesc &want, ProbeSink &sink, std::string_view module, WatchpointHook place,
                               std::string_view shortfall) {
  places_[fmt::format("{}:{}:{}:{}", want.provider, module, want.function, want.name)] = place;
  sink.offer_as(want.provider, module, want.function, want.name);
  if (!shortfall.empty())
    sink.fall_short({{}, want.provider, std::string(module), want.function, want.name}, shortfall);
}

void WatchpointProvider::offer_kernel(const ProbeDesc &want, ProbeSink &sink, std::string_view module,
                                      WatchpointHook place) {
  const bool repeats = arch::host_machine().repeats_watched;
  offer(want, sink, module, place,
        repeats ? "fires twice for an access if an interrupt comes before the processor has made it" : "");
}

Result<Unit> WatchpointProvider::list_kernel(const ProbeDesc &want, const WatchName &watch, ProbeSink &sink) {
  if (const std::optional<uint64_t> address = address_in(want.function)) {
    const uint32_t size = watch.size_bytes != 0 ? watch.size_bytes : watched_bytes(*address, kMaxBytes);
    offer_kernel(want, sink, want.module.empty() ? "vmlinux" : want.module, {*address, size, watch.access, -1});
    return ok();
  }
  const std::vector<KernelSymbol> symbols = kallsyms_.by_name(want.module, want.function);
  if (symbols.empty()) return ok();
  if (symbols.size() > 1)
    return Error(
        fmt::format("the kernel has {} symbols '{}': name the module, or the address", symbols.size(), want.function));
  const uint64_t address = symbols.front().address;
  const std::string module(symbols.front().module);
  if (address == 0) return Error("the kernel hides its addresses: kernel.kptr_restrict");
  // The file does not say how long a variable is: up to the next one.
  uint64_t available = 1;
  for (; available < kMaxBytes; ++available) {
    const std::optional<KernelLocation> there = kallsyms_.by_address(address + available);
    if (!there || there->symbol.address != address) break;
  }
  const uint32_t size = watch.size_bytes != 0 ? watch.size_bytes : watched_bytes(address, available);
  offer_kernel(want, sink, module, {address, size, watch.access, -1});
  return ok();
}

Result<Unit> WatchpointProvider::list_process(const ProbeDesc &want, const WatchName &watch, std::string_view digits,
                                              ProbeSink &sink) {
  const Result<pid_t> pid = process_number(digits);
  if (!pid) return pid.error();
  const Result<std::vector<MappedObject>> objects = grab_process(objects_, *pid);
  if (!objects) return objects.error();
  if (const std::optional<uint64_t> address = address_in(want.function)) {
    const uint32_t size = watch.size_bytes != 0 ? watch.size_bytes : watched_bytes(*address, kMaxBytes);
    offer(want, sink, want.module, {*address, size, watch.access, *pid}, "");
    return ok();
  }
  for (const MappedObject &mapped : *objects) {
    const bool is_meant = want.module.empty() || names_file(want.module, mapped.object->name()) ||
                          (want.module == "a.out" && mapped.is_program);
    const ElfSymbols *symbols = is_meant ? mapped.object->symbols() : nullptr;
    if (symbols == nullptr) continue;
    const std::optional<uint64_t> bias = symbols->load_bias(mapped.start, mapped.start_offset, true);
    for (const ElfSymbol &symbol : symbols->by_name(want.function)) {
      if (!bias) continue;
      const uint64_t address = symbol.address + *bias;
      const uint64_t all = std::max<uint64_t>(symbol.size_bytes, 1);
      const uint32_t size = watch.size_bytes != 0 ? watch.size_bytes : watched_bytes(address, all);
      const bool is_part = watch.size_bytes == 0 && size < all && watch.access != HW_BREAKPOINT_X;
      offer(want, sink, mapped.object->name(), {address, size, watch.access, *pid},
            is_part ? fmt::format("watches {} of its {} bytes, at {:#x}", size, all, address) : "");
      return ok();
    }
  }
  return ok();
}

Result<Unit> WatchpointProvider::list(const ProbeDesc &want, ProbeSink &sink) {
  const std::optional<std::string_view> process = watched_process(want.provider);
  const std::optional<WatchName> watch = parse_watch(want.name);
  if (!process || !watch || want.function.empty() || is_glob(want.function) || is_glob(want.module)) return ok();
  Result<Unit> listed = process->empty() ? list_kernel(want, *watch, sink) : list_process(want, *watch, *process, sink);
  if (!listed || processor_breakpoints_fire()) return listed;
  return Error("the processor's breakpoints do not fire: this virtual machine does not pass debug registers on")
      .tagged("D_KERN_LACKS");
}

Absence WatchpointProvider::why_absent(const ProbeDesc &desc) {
  if (!parse_watch(desc.name))
    return {"the name of a watchpoint is write, access or execute, the first two also with a size: write-1, -2, -4, -8",
            true};
  if (desc.function.empty() || is_glob(desc.function))
    return {"a watchpoint needs one variable, or one address (0x404040) in the position of the function", true};
  return {fmt::format("there is no symbol '{}'{}{}", desc.function, desc.module.empty() ? "" : " in ", desc.module),
          true};
}

ProbeHook WatchpointProvider::hook(const Probe &probe) {
  ProbeHook hook;
  hook.hook.target = places_.at(probe.text());
  hook.args = {{ArgSource::Kind::kKernelPc, 0, 8, false}, {ArgSource::Kind::kUserPc, 0, 8, false}};
  return hook;
}

}  // namespace

std::unique_ptr<Provider> make_watchpoint_provider(KernelInfo &) { return std::make_unique<WatchpointProvider>(); }

}  // namespace dtrace::runtime
