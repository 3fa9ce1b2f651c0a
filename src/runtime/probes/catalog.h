// SPDX-License-Identifier: Apache-2.0
// All probes of all providers under their ids: what the checker matches descriptions against and where the code
// generator and the attacher learn how a probe fires. Providers are asked only for what descriptions name.
#pragma once

#include <map>
#include <memory>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <unordered_map>
#include <vector>

#include "base/number_table.h"
#include "frontend/lang/probe.h"
#include "plan/compile_host.h"
#include "runtime/kernel/kernel_info.h"
#include "runtime/probes/derived_probes.h"
#include "runtime/probes/provider.h"
#include "runtime/process/pid_namespace.h"

namespace dtrace {

class Catalog final : public ProbeCatalog, public CompileHost {
 public:
  explicit Catalog(KernelInfo &kernel);
  ~Catalog() override;

  /// From now on probes are matched to be listed: those of each process by themselves.
  void list_each_process() { each_process_ = true; }

  /// Whether functions of C++ and Rust are shown as their authors wrote them, or as the linker has them.
  void show_readable_names(bool readable) { shows_readable_names_ = readable; }
  /// The function of a probe as it is shown. Good as long as the catalog.
  const std::string &shown_function(ProbeId id) override { return shown_function(probe(id)); }
  const std::string &shown_function(const Probe &probe);

  /// Definitions of providers in the D library.
  void use_library(const ProviderFileFinder &finder);
  /// How probes that are told in D are checked.
  void use_checker(DerivedProbes::Check check) { derived_.set_check(std::move(check)); }

  Result<std::vector<ProbeId>> match(const ProbeDesc &desc) override;
  /// Probes that descriptions named together with others, and that cannot be set, by what is to be said of it: ": the
  /// kernel cannot probe its first instruction", " in 3 processes: Permission denied".
  using Refusals = std::map<std::string, std::set<std::string>, std::less<>>;
  const Refusals &refusals() const { return refusals_; }
  std::optional<ProbeId> by_number(uint64_t number) override;
  /// A number that no probe has (in a record that is not one of ours) gives a probe without a name.
  const Probe &probe(ProbeId id) override;
  Result<std::vector<ProbeArg>> args(ProbeId id, TypeTable &types) override;
  std::string layout_difference(ProbeId id, const ProbeArg &arg, TypeTable &types) override;
  Absence why_absent(const ProbeDesc &desc) override;
  ProviderAttributes attributes(std::string_view provider) override;
  const ProbeHook &hook(ProbeId id) override;
  std::string missing_argument(ProbeId id, unsigned n) override;
  /// Has the probe more sites than hook() knows?
  bool grew(ProbeId id);
  /// Its hook with all sites there are now; that of hook() is no longer good.
  const ProbeHook &hook_now(ProbeId id);
  std::vector<ProbeHook> later(const ProbeDesc &desc) override;
  /// Processes that have mapped something executable since the last call.
  void notice(std::span<const pid_t> pids);
  /// Whether what process `pid` has mapped may bring probes of `desc`.
  bool follows(const ProbeDesc &desc, pid_t pid);
  /// What may bring probes of `desc`, for which later() is not empty.
  struct Growth {
    bool modules = false, processes = false;
  };
  Growth growth(const ProbeDesc &desc);
  /// Kernel modules came or went. Returns the probes that were in those that went: each may come to be again,
  /// elsewhere.
  std::vector<ProbeId> modules_changed();
  bool has(KernelFeature feature) override { return kernel_.features().has(feature); }
  uint32_t pid_namespace() override { return nested_pid_namespace(); }

 private:
  class Collector;
  struct Entry {
    Probe probe;
    size_t provider;                // place in providers_
    std::optional<ProbeHook> hook;  // once it was asked for
  };
  Entry &entry_of(ProbeId id);
  Provider &provider_of(ProbeId id) { return *providers_[entry_of(id).provider]; }
  Result<Unit> ask(size_t provider, const ProbeDesc &desc, std::vector<ProbeId> &ids);
  Result<Unit> drop_underivable(std::vector<ProbeId> &ids);
  /// What the probe is derived from; null: it is not derived.
  Result<const ProbeOrigins *> derived(ProbeId id);
  ProbeHook derived_hook(const ProbeOrigins &origins);

  KernelInfo &kernel_;
  std::vector<std::unique_ptr<Provider>> providers_;  // same order as kProviders
  std::vector<GrowingProvider *> growing_;            // of them
  DerivedProbes derived_;
  NumberTable<Entry> probes_;                            // by id
  std::unordered_map<std::string, uint32_t> on_demand_;  // full name -> id
  std::unordered_map<uint32_t, std::string> readable_;   // functions by probe id, of those whose names are mangled
  Refusals refusals_;
  bool shows_readable_names_ = true;
  bool each_process_ = false;
  uint32_t next_on_demand_ = kFirstOnDemandId;
};

}  // namespace dtrace
