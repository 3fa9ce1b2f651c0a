// SPDX-License-Identifier: Apache-2.0
#include "runtime/probes/catalog.h"

#include <fmt/format.h>

#include <algorithm>
#include <cassert>
#include <cerrno>
#include <cstring>
#include <iterator>
#include <utility>

#include "runtime/probes/providers/named_processes.h"
#include "runtime/symbols/demangle.h"

namespace dtrace::runtime {
namespace {

/// One more than the last number of a provider's block, which reaches to the next provider's or to those on demand.
constexpr uint32_t block_end(size_t provider) {
  const bool is_last = provider + 1 == std::size(kProviders);
  const uint32_t next = is_last ? kMoreOnDemandIds : kProviders[provider + 1].first_id;
  return kProviders[provider].first_id < kFirstOnDemandId ? std::min(next, kFirstOnDemandId) : next;
}

constexpr bool blocks_are_in_order() {
  for (size_t i = 0; i < std::size(kProviders); ++i) {
    const uint32_t first = kProviders[i].first_id;
    const bool is_on_demand = first >= kFirstOnDemandId && first <= kLastOnDemandId;
    if (first == 0 || is_on_demand || first >= block_end(i)) return false;
  }
  return true;
}
static_assert(blocks_are_in_order(), "rows of providers.def stand in the order of their first numbers");

}  // namespace

/// Turns a provider's offers into probes with ids.
class Catalog::Collector final : public ProbeSink {
 public:
  Collector(Catalog &catalog, size_t provider) : catalog_(catalog), provider_(provider) {}

  void offer(uint32_t ordinal, std::string_view module, std::string_view function, std::string_view name) override {
    const ProviderRow &row = kProviders[provider_];
    // What a block has no number for must not take its neighbour's.
    const bool fits = ordinal < block_end(provider_) - row.first_id;
    keep(fits ? std::optional(row.first_id + ordinal) : std::nullopt, row.name, module, function, name);
  }

  void offer_as(std::string_view provider, std::string_view module, std::string_view function,
                std::string_view name) override {
    keep(std::nullopt, provider, module, function, name);
  }

  void refuse(const Probe &probe, std::string_view reason) override {
    catalog_.refusals_[{std::string(reason), {}}].insert(probe.text());
  }

  void fall_short(const Probe &probe, std::string_view shortfall) override {
    catalog_.shortfalls_[std::string(shortfall)].insert(probe.text());
  }

  void refuse_processes(const ProbeDesc &want, std::span<const pid_t> pids) override {
    catalog_.refusals_[{std::strerror(EACCES), named_processes(pids)}].insert(want.text());
  }

  bool each_process() const override { return catalog_.each_process_; }

  std::vector<ProbeId> ids;

 private:
  void keep(std::optional<uint32_t> id, std::string_view provider, std::string_view module, std::string_view function,
            std::string_view name) {
    const auto make = [&](uint32_t number) {
      return Probe{{number}, std::string(provider), std::string(module), std::string(function), std::string(name)};
    };
    if (id) {
      ids.push_back(ProbeId{*id});
      if (!catalog_.probes_.contains(*id)) catalog_.probes_.try_emplace(*id, Entry{make(*id), provider_, {}});
      return;
    }
    Probe probe = make(catalog_.next_on_demand_);
    if (const auto known = catalog_.on_demand_.find(probe); known != catalog_.on_demand_.end()) {
      ids.push_back(ProbeId{*known});
      return;
    }
    ids.push_back(probe.id);
    const uint32_t number = probe.id.value;
    catalog_.next_on_demand_ = number == kLastOnDemandId ? kMoreOnDemandIds : number + 1;
    catalog_.probes_.try_emplace(number, Entry{std::move(probe), provider_, {}});
    catalog_.on_demand_.insert(number);  // hashes the names of the entry
  }

  Catalog &catalog_;
  size_t provider_;
};

size_t Catalog::ByName::hash(const Probe &probe) {
  size_t sum = 0;
  for (const std::string *part : {&probe.provider, &probe.module, &probe.function, &probe.name})
    sum = sum * 0x9e3779b97f4a7c15 + std::hash<std::string>()(*part);
  return sum;
}

bool Catalog::ByName::same(const Probe &a, const Probe &b) {
  return a.name == b.name && a.function == b.function && a.module == b.module && a.provider == b.provider;
}

Catalog::Catalog(KernelInfo &kernel) : kernel_(kernel), on_demand_(0, ByName{&probes_}, ByName{&probes_}) {
  for (const ProviderRow &row : kProviders) {
    providers_.push_back(row.make(kernel));
    if (GrowingProvider *growing = providers_.back()->growing()) growing_.push_back(growing);
  }
}

Catalog::~Catalog() = default;

void Catalog::use_library(const ProviderFileFinder &finder) {
  for (const std::unique_ptr<Provider> &provider : providers_) provider->use_library(finder);
}

void Catalog::follow(const FollowedProcesses &followed) {
  for (GrowingProvider *provider : growing_) provider->follow(followed);
}

void Catalog::trust_return_probes(const std::vector<std::string> &files) {
  for (GrowingProvider *provider : growing_) provider->trust_return_probes(files);
}

void Catalog::use_debug_sources(const DebugSources &sources) {
  for (GrowingProvider *provider : growing_) provider->use_debug_sources(sources);
}

Result<Unit> Catalog::ask(size_t provider, const ProbeDesc &desc, std::vector<ProbeId> &ids) {
  Collector collector(*this, provider);
  if (Result<Unit> listed = providers_[provider]->list(desc, collector); !listed) return listed;
  ids.insert(ids.end(), collector.ids.begin(), collector.ids.end());
  return ok();
}

Result<std::vector<ProbeId>> Catalog::match(const ProbeDesc &desc) {
  std::vector<ProbeId> ids;
  for (const bool rest : {false, true}) {
    if (rest && !ids.empty() && !(each_process_ && desc.provider.empty())) break;
    for (size_t i = 0; i < providers_.size(); ++i) {
      const bool claims = providers_[i]->claims(desc.provider);
      if (rest ? claims || !providers_[i]->claims_rest(desc.provider) : !claims) continue;
      if (Result<Unit> asked = ask(i, desc, ids); !asked) return std::move(asked).error();
    }
  }
  if (!std::is_sorted(ids.begin(), ids.end())) std::sort(ids.begin(), ids.end());
  ids.erase(std::unique(ids.begin(), ids.end()), ids.end());
  return ids;
}

const Probe &Catalog::probe(ProbeId id) {
  static const Probe kUnknown{};
  const Entry *found = probes_.find(id.value);
  return found == nullptr ? kUnknown : found->probe;
}

const std::string &Catalog::shown_function(const Probe &probe) {
  const std::string &function = probe.function;
  if (!shows_readable_names_ || !(function.starts_with("_Z") || function.starts_with("_R"))) return function;
  const auto [readable, is_new] = readable_.try_emplace(probe.id.value);
  if (is_new) readable->second = demangle(function);
  return readable->second;
}

std::optional<ProbeId> Catalog::by_number(uint64_t number) {
  if (number == 0 || number > UINT32_MAX) return std::nullopt;
  auto id = static_cast<uint32_t>(number);
  // Not named yet: list the provider whose block holds the id.
  for (size_t i = std::size(kProviders); i-- > 0 && !probes_.contains(id);) {
    if (kProviders[i].first_id > id) continue;
    Collector collector(*this, i);
    if (!providers_[i]->list(ProbeDesc{}, collector)) return std::nullopt;
    break;
  }
  return probes_.contains(id) ? std::optional(ProbeId{id}) : std::nullopt;
}

/// The entry of a probe that was matched before.
Catalog::Entry &Catalog::entry_of(ProbeId id) {
  Entry *entry = probes_.find(id.value);
  assert(entry != nullptr);
  return *entry;
}

std::optional<std::string_view> Catalog::open_definition(ProbeId id) {
  const Entry &entry = entry_of(id);
  if (derived_.contains(id.value)) return std::nullopt;
  const std::optional<ProbeDefinition> definition = providers_[entry.provider]->definition(entry.probe);
  return definition ? std::optional(definition->text) : std::nullopt;
}

void Catalog::derive(ProbeId id, ProbeOrigins origins) { derived_.insert_or_assign(id.value, std::move(origins)); }

const ProbeOrigins *Catalog::origins_of(ProbeId id) const {
  const auto found = derived_.find(id.value);
  return found == derived_.end() ? nullptr : &found->second;
}

/// The hooks of all probes that it is derived from.
ProbeHook Catalog::derived_hook(const ProbeOrigins &origins) {
  std::vector<ProbeHook> hooks;
  for (const ProbeOrigin &origin : origins) {
    for (ProbeId id : origin.probes) {
      ProbeHook made = hook(id);
      std::vector<ProbeHook> also = std::exchange(made.also, {});
      also.insert(also.begin(), std::move(made));
      for (ProbeHook &one : also) {
        one.hook.derivation = origin.derivation;
        one.cheaper = nullptr;
        hooks.push_back(std::move(one));
      }
    }
  }
  ProbeHook first = std::move(hooks.front());
  first.also.assign(std::make_move_iterator(hooks.begin() + 1), std::make_move_iterator(hooks.end()));
  return first;
}

Result<std::vector<ProbeArg>> Catalog::args(ProbeId id, TypeTable &types) {
  if (const ProbeOrigins *origins = origins_of(id))
    return derived_args(*origins, *provider_of(id).definition(probe(id)), types);
  return provider_of(id).args(probe(id), types);
}

std::string Catalog::layout_difference(ProbeId id, const ProbeArg &arg, TypeTable &types) {
  return provider_of(id).layout_difference(probe(id), arg, types);
}

Absence Catalog::why_absent(const ProbeDesc &desc) {
  for (const std::unique_ptr<Provider> &provider : providers_) {
    if (desc.provider.empty() || !provider->claims(desc.provider)) continue;
    if (Absence absence = provider->why_absent(desc); !absence.reason.empty()) return absence;
  }
  // Without /sys most probes of the kernel are unknown, whatever they are called.
  const bool is_kernels = std::ranges::find(kProviders, desc.provider, &ProviderRow::name) != std::end(kProviders);
  if (is_kernels && kernel_.btf() == nullptr) return {kernel_.btf_error(), false};
  return {};
}

std::vector<ProbeArg> Catalog::absent_args(const ProbeDesc &desc, TypeTable &types) {
  if (desc.provider.empty()) return {};
  std::vector<std::string_view> known;
  for (const std::unique_ptr<Provider> &provider : providers_) {
    if (!provider->claims(desc.provider)) continue;
    std::vector<std::string_view> some = provider->absent_types(desc);
    if (some.empty()) continue;  // static probes of process 3 are nfsv3's, too
    if (!known.empty() && some != known) return {};
    known = std::move(some);
  }
  return runtime::absent_args(known, types);
}

ProviderAttributes Catalog::attributes(std::string_view provider) {
  for (const std::unique_ptr<Provider> &p : providers_)
    if (p->claims(provider)) return p->attributes_of(provider);
  constexpr Attributes kUnknown{Stability::kUnstable, Stability::kUnstable, DependencyClass::kCommon};
  return {kUnknown, kUnknown, kUnknown, kUnknown, kUnknown};
}

std::vector<ProbeHook> Catalog::later(const ProbeDesc &desc) {
  std::vector<ProbeHook> hooks;
  for (GrowingProvider *provider : growing_) {
    if (!provider->claims(desc.provider)) continue;
    std::vector<ProbeHook> some = provider->later(desc);
    std::move(some.begin(), some.end(), std::back_inserter(hooks));
  }
  return hooks;
}

void Catalog::notice(const MappingNews &news) {
  for (GrowingProvider *provider : growing_) provider->notice(news);
}

std::vector<std::string> Catalog::take_problems() {
  std::vector<std::string> problems;
  for (GrowingProvider *provider : growing_) std::ranges::move(provider->take_problems(), std::back_inserter(problems));
  return problems;
}

uint64_t Catalog::take_unopened() {
  uint64_t sum = 0;
  for (GrowingProvider *provider : growing_) sum += provider->take_unopened();
  return sum;
}

void Catalog::forget(const std::set<const UserFile *> &files) {
  for (GrowingProvider *provider : growing_) provider->forget(files);
  const auto forget_sites = [&](ProbeHook &hook) {
    std::erase_if(hook.sites, [&](const UserSite &site) { return files.contains(site.file.get()); });
    hook.cheaper = nullptr;  // for programs, which have been made
  };
  probes_.for_each([&](uint32_t, Entry &entry) {
    if (!entry.hook) return;
    forget_sites(*entry.hook);
    for (ProbeHook &hook : entry.hook->also) forget_sites(hook);
  });
}

bool Catalog::follows(const ProbeDesc &desc, pid_t pid) {
  return std::ranges::any_of(growing_, [&](GrowingProvider *provider) {
    return provider->claims(desc.provider) && provider->follows(desc, pid);
  });
}

std::string Catalog::missing_argument(ProbeId id, unsigned n, TypeTable &types) {
  return provider_of(id).missing_argument(probe(id), n, types);
}

bool Catalog::grew(ProbeId id) {
  const GrowingProvider *provider = provider_of(id).growing();
  return provider != nullptr && provider->grew(probe(id));
}

const ProbeHook &Catalog::hook_now(ProbeId id) {
  Entry &entry = entry_of(id);
  const ProbeOrigins *origins = origins_of(id);
  return entry.hook.emplace(origins != nullptr ? derived_hook(*origins)
                                               : providers_[entry.provider]->hook(entry.probe));
}

Catalog::Growth Catalog::growth(const ProbeDesc &desc) {
  Growth growth;
  for (GrowingProvider *provider : growing_) {
    if (!provider->claims(desc.provider) || provider->later(desc).empty()) continue;
    (provider->follows_modules(desc) ? growth.modules : growth.processes) = true;
  }
  return growth;
}

std::vector<ProbeId> Catalog::modules_changed() {
  std::vector<ProbeId> gone;
  const std::set<std::string, std::less<>> modules = kernel_.refresh_functions();
  probes_.for_each([&](uint32_t, Entry &entry) {
    ProbeDesc of_module;
    of_module.module = entry.probe.module;
    GrowingProvider *provider = providers_[entry.provider]->growing();
    if (!modules.contains(entry.probe.module) || provider == nullptr || !provider->follows_modules(of_module)) return;
    entry.hook.reset();
    gone.push_back(entry.probe.id);
  });
  std::sort(gone.begin(), gone.end());
  return gone;
}

const ProbeHook &Catalog::hook(ProbeId id) {
  const Entry &entry = entry_of(id);
  return entry.hook ? *entry.hook : hook_now(id);
}

const ProbeHook *Catalog::hook_at_function(ProbeId id) {
  if (origins_of(id) != nullptr) return nullptr;
  const auto [known, is_new] = at_functions_.try_emplace(id.value);
  if (is_new) known->second = provider_of(id).hook_at_function(probe(id));
  return known->second ? &*known->second : nullptr;
}

}  // namespace dtrace::runtime
