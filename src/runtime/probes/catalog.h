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
#include <unordered_set>
#include <vector>

#include "base/number_table.h"
#include "frontend/lang/probe.h"
#include "plan/compile_host.h"
#include "runtime/kernel/kernel_info.h"
#include "runtime/probes/derived_probes.h"
#include "runtime/probes/provider.h"
#include "runtime/process/pid_namespace.h"

namespace dtrace::runtime {

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

  /// Option follow; `followed` outlives this.
  void follow(const FollowedProcesses &followed);
  /// Option uretprobes.
  void trust_return_probes(const std::vector<std::string> &files);
  /// GrowingProvider::use_debug_sources() of all providers.
  void use_debug_sources(const DebugSources &sources);

  /// Probes that are defined in D are among them, whether this kernel can derive them or not.
  Result<std::vector<ProbeId>> match(const ProbeDesc &desc) override;
  /// Why probes cannot be set that descriptions named together with others.
  struct Refusal {
    std::string reason;     ///< "the kernel cannot probe its first instruction"
    std::string processes;  ///< in these (named_processes()); empty: of the probe itself
    friend auto operator<=>(const Refusal &, const Refusal &) = default;
  };
  /// Which probes or descriptions each concerns.
  const std::map<Refusal, std::set<std::string>> &refusals() const { return refusals_; }
  /// Probes that do not fire each time, or fire more often: by why, "not at all inlined calls: ...".
  const std::map<std::string, std::set<std::string>> &shortfalls() const { return shortfalls_; }
  std::optional<ProbeId> by_number(uint64_t number) override;
  /// A number that no probe has (in a record that is not one of ours) gives a probe without a name.
  const Probe &probe(ProbeId id) override;
  std::optional<std::string_view> open_definition(ProbeId id) override;
  void derive(ProbeId id, ProbeOrigins origins) override;
  Result<std::vector<ProbeArg>> args(ProbeId id, TypeTable &types) override;
  std::string layout_difference(ProbeId id, const ProbeArg &arg, TypeTable &types) override;
  std::vector<ProbeArg> absent_args(const ProbeDesc &desc, TypeTable &types) override;
  Absence why_absent(const ProbeDesc &desc) override;
  ProviderAttributes attributes(std::string_view provider) override;
  const ProbeHook &hook(ProbeId id) override;
  const ProbeHook *hook_at_function(ProbeId id) override;
  Result<ProbeArg> local(ProbeId id, std::string_view name, TypeTable &types) override {
    return provider_of(id).local(probe(id), name, types);
  }
  std::vector<ProbeArg> locals(ProbeId id, TypeTable &types) override {
    return provider_of(id).locals(probe(id), types);
  }
  std::string missing_argument(ProbeId id, unsigned n, TypeTable &types) override;
  UserScope *user_scope(ProbeId id) override { return provider_of(id).user_scope(probe(id)); }
  /// Has the probe more sites than hook() knows?
  bool grew(ProbeId id);
  /// Its hook with all sites there are now; that of hook() is no longer good.
  const ProbeHook &hook_now(ProbeId id);
  std::vector<ProbeHook> later(const ProbeDesc &desc) override;
  void notice(const MappingNews &news);
  /// What match() and notice() could not look into, for the user; each once.
  std::vector<std::string> take_problems();
  /// Files that could not be opened since the last call: no descriptor or no memory was left.
  uint64_t take_unopened();
  /// GrowingProvider::forget()
  void forget(const std::set<const UserFile *> &files);
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
  bool is_typed_pointer(const RawTracepointHook &hook, unsigned argument) override {
    return kernel_.features().is_typed_pointer(hook.btf_id, argument);
  }
  uint32_t pid_namespace() override { return nested_pid_namespace(); }

 private:
  class Collector;
  struct Entry {
    Probe probe;
    size_t provider;                // index in providers_
    std::optional<ProbeHook> hook;  // once it was asked for
  };
  /// Hash and equality of probes by name, so that names are kept once.
  struct ByName {
    using is_transparent = void;
    const NumberTable<Entry> *probes;
    const Probe &named(const Probe &probe) const { return probe; }
    const Probe &named(uint32_t id) const { return probes->find(id)->probe; }
    size_t operator()(const auto &one) const { return hash(named(one)); }
    bool operator()(const auto &a, const auto &b) const { return same(named(a), named(b)); }
    static size_t hash(const Probe &probe);
    static bool same(const Probe &a, const Probe &b);
  };
  Entry &entry_of(ProbeId id);
  Provider &provider_of(ProbeId id) { return *providers_[entry_of(id).provider]; }
  Result<Unit> ask(size_t provider, const ProbeDesc &desc, std::vector<ProbeId> &ids);
  /// What the probe is derived from; null: it is not derived.
  const ProbeOrigins *origins_of(ProbeId id) const;
  ProbeHook derived_hook(const ProbeOrigins &origins);

  KernelInfo &kernel_;
  std::vector<std::unique_ptr<Provider>> providers_;           // same order as kProviders
  std::vector<GrowingProvider *> growing_;                     // of them
  std::unordered_map<uint32_t, ProbeOrigins> derived_;         // by probe id
  std::map<uint32_t, std::optional<ProbeHook>> at_functions_;  // by probe id
  NumberTable<Entry> probes_;                                  // by id
  std::unordered_set<uint32_t, ByName, ByName> on_demand_;     // ids, found by the names of their probes
  std::unordered_map<uint32_t, std::string> readable_;  // functions by probe id, of those whose names are mangled
  std::map<Refusal, std::set<std::string>> refusals_;
  std::map<std::string, std::set<std::string>> shortfalls_;
  bool shows_readable_names_ = true;
  bool each_process_ = false;
  uint32_t next_on_demand_ = kFirstOnDemandId;
};

}  // namespace dtrace::runtime
