// SPDX-License-Identifier: Apache-2.0
// What a provider is: it lists probes, types their arguments, and says as data where they fire (plan/hook.h). Core
// code asks this interface, never which provider it has.
#pragma once

#include <sys/types.h>

#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "frontend/lang/probe.h"
#include "frontend/text/glob.h"
#include "frontend/types/types.h"
#include "plan/hook.h"
#include "runtime/probes/derived_probes.h"
#include "runtime/usdt/library_providers.h"
#include "runtime/user/followed_processes.h"
#include "runtime/user/mapping_watch.h"

namespace dtrace::runtime {

class KernelInfo;

/// Receives the probes a provider offers.
class ProbeSink {
 public:
  virtual ~ProbeSink() = default;
  /// `ordinal` is the probe's stable position within its provider (it decides the probe id); kOnDemand for probes that
  /// exist only once a description names them (profile-123).
  static constexpr uint32_t kOnDemand = UINT32_MAX;
  virtual void offer(uint32_t ordinal, std::string_view module, std::string_view function, std::string_view name) = 0;
  /// A probe of a provider whose name is not its row's (pid123, postgresql123), made on demand.
  virtual void offer_as(std::string_view provider, std::string_view module, std::string_view function,
                        std::string_view name) = 0;
  /// A probe like the others that are offered cannot be set, because of `reason`: firings of it are not seen.
  virtual void refuse(const Probe &probe, std::string_view reason) {
    (void)probe;
    (void)reason;
  }
  /// A probe that is offered does not fire each time, or fires more often: "is set, but `shortfall`".
  virtual void fall_short(const Probe &probe, std::string_view shortfall) {
    (void)probe;
    (void)shortfall;
  }
  /// Probes of `want` in some of the processes cannot be found, because these may not be looked into.
  virtual void refuse_processes(const ProbeDesc &want, std::span<const pid_t> pids) {
    (void)want;
    (void)pids;
  }
  /// Are the probes of each process wanted by themselves (a listing)? Else a probe may stand for those of all
  /// processes.
  virtual bool each_process() const { return false; }
};

class GrowingProvider;
struct DebugSources;

/// What the value of a function or system call is called among the arguments of its return: args.retval.
inline constexpr std::string_view kReturnValueName = "retval";

/// What processes have begun to execute since the provider's last notice().
struct MappingNews {
  std::span<const pid_t> pids;                  ///< processes that have mapped something
  std::span<const MappingWatch::Event> events;  ///< the mappings, by time; some of `pids` have none here
  bool lost = false;                            ///< there are more events than these: `pids` are all processes
};

/// To add a provider: write provider_<name>.cpp with one subclass and its make_ function, add its row to providers.def,
/// and add test/golden/<name>/ with at least tst.list.sh, tst.args.d and tst.fires.d. Nothing else changes.
class Provider {
 public:
  virtual ~Provider() = default;
  virtual std::string_view name() const = 0;
  /// Whether a description with this provider field may name probes of this provider.
  virtual bool claims(std::string_view pattern) const { return field_match(pattern, name()); }
  /// Is this provider to be asked when no other one has a match? For what is too costly to look for each time.
  virtual bool claims_rest(std::string_view) const { return false; }
  virtual ProviderAttributes attributes() const = 0;
  /// Those of one of the providers of a family.
  virtual ProviderAttributes attributes_of(std::string_view) { return attributes(); }
  /// Offers every probe matching `want`; the provider field has been matched already. Repeatable; no bpf(2).
  virtual Result<Unit> list(const ProbeDesc &want, ProbeSink &sink) = 0;
  /// D types of args[0..n). An empty vector means "none or untyped"; an error, that nothing is known of them, and why.
  virtual Result<std::vector<ProbeArg>> args(const Probe &probe, TypeTable &types) = 0;
  /// For a description that list() found nothing for.
  virtual Absence why_absent(const ProbeDesc &) { return {}; }
  /// ProbeDefinition::types of the probes that such a description would match, were they there; empty: not known.
  virtual std::vector<std::string_view> absent_types(const ProbeDesc &) { return {}; }
  /// Where to look for definitions of providers in the D library; for those whose programs do not say enough.
  virtual void use_library(const ProviderFileFinder &) {}
  /// See ProbeCatalog::layout_difference().
  virtual std::string layout_difference(const Probe &, const ProbeArg &, TypeTable &) { return {}; }
  /// See ProbeCatalog::local().
  virtual Result<ProbeArg> local(const Probe &, std::string_view name, TypeTable &) {
    (void)name;
    return Error("it is not at an instruction or a line of a user program").tagged("D_LOCALS_NONE");
  }
  /// See ProbeCatalog::locals().
  virtual std::vector<ProbeArg> locals(const Probe &, TypeTable &) { return {}; }
  /// Why arg`n` can be had at none of the probe's sites; empty: it can, or there is none.
  virtual std::string missing_argument(const Probe &, unsigned, TypeTable &) { return {}; }
  /// See ProbeCatalog::user_scope().
  virtual UserScope *user_scope(const Probe &) { return nullptr; }
  /// For a probe that is defined by D clauses: the definition, and args() and hook() are not called. Else nothing.
  virtual std::optional<ProbeDefinition> definition(const Probe &) { return std::nullopt; }
  /// Where the probe fires and where arg0..arg9 lie.
  virtual ProbeHook hook(const Probe &probe) = 0;
  /// CompileHost::hook_at_function().
  virtual std::optional<ProbeHook> hook_at_function(const Probe &) { return std::nullopt; }
  /// Null: what there is when tracing begins is all there will be.
  virtual GrowingProvider *growing() { return nullptr; }
};

/// A provider whose probes, or more sites of them, may come to be while tracing runs: with what processes map, or with
/// kernel modules.
class GrowingProvider : public Provider {
 public:
  /// Hooks, without sites, of probes that may come to be under `want`. Empty: none will.
  virtual std::vector<ProbeHook> later(const ProbeDesc &want) = 0;
  /// Whether probes of `want`, for which later() is not empty, come with kernel modules and not with processes.
  virtual bool follows_modules(const ProbeDesc &) { return false; }
  /// Option follow: probes of these processes fire in their children, too. `followed` outlives the provider.
  virtual void follow(const FollowedProcesses &followed) { (void)followed; }
  /// Option uretprobes: functions in files of these names bear the kernel's return probes in any process.
  virtual void trust_return_probes(const std::vector<std::string> &files) { (void)files; }
  /// Where debug information of programs comes from as well. Nothing is fetched once tracing has begun.
  virtual void use_debug_sources(const DebugSources &sources) { (void)sources; }
  virtual void notice(const MappingNews &) {}
  /// What list() and notice() could not look into, for the user; each once.
  virtual std::vector<std::string> take_problems() { return {}; }
  /// Whether what process `pid` was last noticed for may bring probes of `want`, for which later() is not empty.
  virtual bool follows(const ProbeDesc &, pid_t) { return false; }
  /// Files that nobody executes any more, and from which all probes have been removed: what is kept of them can go. One
  /// that is noticed again is new.
  virtual void forget(const std::set<const UserFile *> &files) { (void)files; }
  /// Whether list() has found sites of the probe that hook() has not returned yet.
  virtual bool grew(const Probe &) const { return false; }
  /// Files that could not be opened since the last call: no descriptor or no memory was left.
  virtual uint64_t take_unopened() { return 0; }

  GrowingProvider *growing() final { return this; }
};

/// One row per provider, in listing order: its name, the first of its probe ids, its constructor.
struct ProviderRow {
  std::string_view name;
  uint32_t first_id;
  std::unique_ptr<Provider> (*make)(KernelInfo &kernel);
};
#define PROVIDER(name, first_id) std::unique_ptr<Provider> make_##name##_provider(KernelInfo &kernel);
#include "runtime/probes/providers/providers.def"

inline constexpr ProviderRow kProviders[] = {
#define PROVIDER(name, first_id) {#name, first_id, make_##name##_provider},
#include "runtime/probes/providers/providers.def"
};

/// Ids of probes made on demand start here, in order of being named; where the providers' blocks begin again they go on
/// behind them all.
inline constexpr uint32_t kFirstOnDemandId = 50000, kLastOnDemandId = 99999, kMoreOnDemandIds = 1000000;

}  // namespace dtrace::runtime
