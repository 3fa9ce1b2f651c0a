// SPDX-License-Identifier: Apache-2.0
// pidNNN:module:function:entry|return, for any function that process NNN has in a file. A probe is a uprobe at the
// function's first instruction, or a uretprobe, that fires in this process only.
#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <charconv>
#include <unordered_map>

#include "frontend/glob.h"
#include "runtime/kernel_info.h"
#include "runtime/provider.h"
#include "runtime/user/user_object.h"

namespace dtrace {
namespace {

constexpr std::string_view kPrefix = "pid";
constexpr unsigned kArguments = 10;

/// The process of "pid123"; nothing if it is no such name.
std::optional<std::string_view> number_of(std::string_view provider) {
  if (!provider.starts_with(kPrefix) || provider.size() == kPrefix.size()) return std::nullopt;
  const std::string_view digits = provider.substr(kPrefix.size());
  const bool all = std::all_of(digits.begin(), digits.end(), [](unsigned char c) { return std::isdigit(c) != 0; });
  return all ? std::optional(digits) : std::nullopt;
}

/// What a probe's name means.
enum class Kind : uint8_t { kEntry, kReturn };

struct PidProbe {
  Kind kind = Kind::kEntry;
  bool is_64bit = true;
  std::vector<UserSite> sites;
};

class PidProvider final : public Provider {
 public:
  explicit PidProvider(KernelInfo &) {}

  std::string_view name() const override { return kPrefix; }
  bool claims(std::string_view pattern) const override { return number_of(pattern).has_value(); }

  ProviderAttributes attributes() const override {
    constexpr Attributes kEvolving{Stability::kEvolving, Stability::kEvolving, DependencyClass::kIsa};
    constexpr Attributes kPrivate{Stability::kPrivate, Stability::kPrivate, DependencyClass::kUnknown};
    return {kEvolving, kPrivate, kPrivate, kEvolving, kPrivate};
  }

  Result<Unit> list(const ProbeDesc &want, ProbeSink &sink) override;
  Result<std::vector<ProbeArg>> args(const Probe &, TypeTable &) override { return std::vector<ProbeArg>{}; }
  ProbeHook hook(const Probe &probe) override;

 private:
  void offer(const ProbeDesc &want, pid_t pid, MappedObject &mapped, const UserFunction &function,
             std::string_view name, ProbeSink &sink);

  UserObjects objects_;
  std::unordered_map<std::string, PidProbe> probes_;  // by their full names
};

Result<Unit> PidProvider::list(const ProbeDesc &want, ProbeSink &sink) {
  const std::optional<std::string_view> number = number_of(want.provider);
  if (!number) return ok();
  const std::string_view digits = *number;
  pid_t pid = 0;
  const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), pid);
  if (error != std::errc() || pid <= 0)
    return Error(fmt::format("no process has the number {}", digits)).tagged("D_PROC_BADPID");
  Result<std::vector<MappedObject>> objects = objects_.of_process(pid);
  if (!objects)
    return std::move(objects).error().during(fmt::format("failed to grab process {}", pid)).tagged("D_PROC_GRAB");
  for (MappedObject &mapped : *objects) {
    if (!module_matches(want.module, mapped)) continue;
    bool found = false;
    for (const UserFunction &function : mapped.object->functions()) {
      const auto name = std::find_if(function.names.begin(), function.names.end(),
                                     [&](std::string_view n) { return field_match(want.function, n); });
      if (name == function.names.end()) continue;
      found = true;
      if (!function.is_indirect) offer(want, pid, mapped, function, *name, sink);
    }
    const bool named =
        !want.module.empty() && !is_glob(want.module) && !want.function.empty() && !is_glob(want.function);
    if (named && !found)
      return Error(fmt::format("failed to lookup '{}' in module '{}'", want.function, mapped.object->name()))
          .tagged("D_PROC_FUNC");
  }
  return ok();
}

void PidProvider::offer(const ProbeDesc &want, pid_t pid, MappedObject &mapped, const UserFunction &function,
                        std::string_view name, ProbeSink &sink) {
  for (auto [kind, kind_name] : {std::pair(Kind::kEntry, "entry"), std::pair(Kind::kReturn, "return")}) {
    if (!field_match(want.name, kind_name)) continue;
    const std::string_view module = mapped.object->name();
    PidProbe &probe = probes_[fmt::format("{}:{}:{}:{}", want.provider, module, name, kind_name)];
    probe.kind = kind;
    probe.is_64bit = mapped.object->is_64bit();
    const bool known = std::any_of(probe.sites.begin(), probe.sites.end(), [&](const UserSite &site) {
      return site.file == mapped.object->file() && site.offset == function.offset;
    });
    if (!known) {
      UserSite site;
      site.file = mapped.object->file();
      site.offset = function.offset;
      site.pid = pid;
      probe.sites.push_back(std::move(site));
    }
    sink.offer_as(want.provider, module, name, kind_name);
  }
}

ProbeHook PidProvider::hook(const Probe &probe) {
  ProbeHook hook;
  const PidProbe &known = probes_.at(probe.text());
  const uint8_t word_bytes = known.is_64bit ? 8 : 4;
  hook.hook.selector = Selector::kSite;
  hook.hook.preemptible = true;
  hook.sites = known.sites;
  if (known.kind == Kind::kReturn) {
    hook.hook.kind = HookKind::kUretprobe;
    hook.hook.target = known.is_64bit ? "return" : "return32";
    hook.args = {{}, {ArgSource::Kind::kReturnValue, 0, word_bytes, false}};
  } else {
    hook.hook.kind = HookKind::kUprobe;
    hook.hook.target = known.is_64bit ? "entry" : "entry32";
    for (uint32_t i = 0; i < kArguments; i++)
      hook.args.push_back({ArgSource::Kind::kFunctionArg, i, word_bytes, false});
  }
  return hook;
}

}  // namespace

std::unique_ptr<Provider> make_pid_provider(KernelInfo &kernel) { return std::make_unique<PidProvider>(kernel); }

}  // namespace dtrace
