// SPDX-License-Identifier: Apache-2.0
// pidNNN:module:function:entry|return|OFFSET, for any function that process NNN has in a file, and
// pidNNN:module:FILE@LINE:line for its source lines; "-" for function means an address in the program itself. A probe
// fires in that process only.
//
// Option follow: it fires in that process and those that it and its children fork. The sites are then set in the files,
// for all processes, and the programs reject processes that are not of the family: a child has its probes from its
// first instruction on. As a child may become any program, return probes of the kernel are not used (as pid* does not).
//
// Needs uprobes: uprobe_multi links (6.10) put all probes of a file in place at once; without them every probe is a
// perf event of its own.
#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <cctype>
#include <cerrno>
#include <set>

#include "frontend/text/glob.h"
#include "runtime/kernel/kernel_info.h"
#include "runtime/probes/providers/clones.h"
#include "runtime/probes/providers/damaged_files.h"
#include "runtime/probes/providers/function_probes.h"
#include "runtime/probes/providers/pid_types.h"
#include "runtime/user/grab_process.h"
#include "runtime/user/indirect_functions.h"

namespace dtrace::runtime {
namespace {

constexpr std::string_view kPrefix = "pid";

/// The process of "pid123", or of a glob that ends in a number and matches that, "p*d123"; nothing for other names.
std::optional<std::string_view> number_of(std::string_view provider) {
  size_t stem = provider.size();
  while (stem > 0 && std::isdigit(static_cast<unsigned char>(provider[stem - 1])) != 0) --stem;
  if (stem == 0 || stem == provider.size() || !field_match(provider.substr(0, stem), kPrefix)) return std::nullopt;
  return provider.substr(stem);
}

/// 0: it is no number of a process.
pid_t pid_of(std::string_view digits) {
  const Result<pid_t> pid = process_number(digits);
  return pid ? *pid : 0;
}

/// Everything of one list() call.
struct Listing {
  const ProbeDesc &want;
  const std::vector<MappedObject> &objects;
  FunctionListing functions;
  pid_t pid;  // whose objects these are
};

class PidProvider final : public GrowingProvider {
 public:
  explicit PidProvider(KernelInfo &) {}

  std::string_view name() const override { return kPrefix; }
  bool claims(std::string_view pattern) const override { return number_of(pattern).has_value(); }

  ProviderAttributes attributes() const override { return function_attributes(); }
  Result<Unit> list(const ProbeDesc &want, ProbeSink &sink) override;
  Result<std::vector<ProbeArg>> args(const Probe &probe, TypeTable &types) override {
    return types_.args(probe.text(), probes_.of(probe), types);
  }
  Result<ProbeArg> local(const Probe &probe, std::string_view name, TypeTable &types) override {
    return types_.local(probes_.of(probe), name, types);
  }
  std::vector<ProbeArg> locals(const Probe &probe, TypeTable &types) override {
    return types_.locals(probes_.of(probe), types);
  }
  std::string missing_argument(const Probe &probe, unsigned n, TypeTable &types) override {
    return types_.missing_argument(probe.text(), probes_.of(probe), n, types);
  }
  UserScope *user_scope(const Probe &probe) override { return types_.scope(probes_.of(probe)); }
  void follow(const FollowedProcesses &followed) override { followed_ = &followed; }
  void trust_return_probes(const std::vector<std::string> &files) override { trusted_ = files; }
  void use_debug_sources(const DebugSources &sources) override { types_.debug_info().use(sources); }
  void notice(const MappingNews &) override { types_.begin_late(); }
  std::vector<std::string> take_problems() override { return damaged_.take(); }
  std::vector<ProbeHook> later(const ProbeDesc &want) override;
  bool follows(const ProbeDesc &want, pid_t pid) override {
    const std::optional<std::string_view> digits = number_of(want.provider);
    if (digits == std::to_string(pid)) return true;
    return digits && followed_ != nullptr && followed_->contains(pid_of(*digits), pid);
  }
  void forget(const std::set<const UserFile *> &files) override {
    types_.forget(probes_.forget(files), files);
    objects_.forget(files);
  }
  bool grew(const Probe &probe) const override { return probes_.grew(probe); }
  ProbeHook hook(const Probe &probe) override {
    ProbeHook hook = probes_.hook(probe);
    types_.add_operands(probe.text(), probes_.of(probe), hook);
    return hook;
  }

 private:
  Result<Unit> list_process(const ProbeDesc &want, pid_t pid, pid_t root, ProbeSink &sink);
  Result<Unit> list_object(Listing &listing, const MappedObject &mapped);
  Result<Unit> list_address(const Listing &listing);
  bool is_narrow_process(pid_t pid);
  /// The family of `root`: the processes that it and its children fork. 0: they are not followed.
  uint32_t family_of(pid_t root) const { return followed_ == nullptr ? 0 : followed_->family_of(root); }

  const FollowedProcesses *followed_ = nullptr;
  std::vector<std::string> trusted_;  // option uretprobes
  UserObjects objects_;
  FunctionProbes probes_;
  PidTypes types_{objects_};
  DamagedFiles damaged_;
  std::set<std::string> settled_;  // descriptions of one function, which was found
};

Result<Unit> PidProvider::list(const ProbeDesc &want, ProbeSink &sink) {
  const std::optional<std::string_view> digits = number_of(want.provider);
  if (!digits) return ok();
  if (is_glob(want.provider)) {
    ProbeDesc named = want;
    named.provider = std::string(kPrefix).append(*digits);
    // A glob that finds no such process, or nothing in it, may mean another provider.
    (void)list(named, sink);
    return ok();
  }
  const Result<pid_t> number = process_number(*digits);
  if (!number) return number.error();
  const pid_t pid = *number;
  if (pid == getpid()) return Error("failed to grab process: dtrace cannot trace itself").tagged("D_PROC_GRAB");
  if (Result<Unit> checked = check_probe_name(want); !checked) return checked;
  if (family_of(pid) == 0) return list_process(want, pid, pid, sink);
  // What one of the family lacks another may have; if none has it, what the first says counts.
  Result<Unit> first = ok();
  bool any = false;
  for (const pid_t member : followed_->members(pid)) {
    Result<Unit> listed = list_process(want, member, pid, sink);
    if (listed) any = true;
    if (!listed && first) first = std::move(listed);
  }
  return any ? ok() : first;
}

/// The process `pid`, which is `root` or of its family.
Result<Unit> PidProvider::list_process(const ProbeDesc &want, pid_t pid, pid_t root, ProbeSink &sink) {
  std::vector<UserObjects::Refusal> refusals;
  const Result<std::vector<MappedObject>> objects = grab_process(objects_, pid, &refusals);
  if (!objects) return objects.error();
  const uint32_t family = family_of(root);
  const StackUse use = family != 0 ? kAnyStackUse : stack_use_of(*objects);
  Listing listing{want, *objects, {want, want.provider, root, false, use, sink, {}, family}, pid};
  if (want.function == kAddressFunction) return list_address(listing);
  if (want.module == "[vdso]" || want.module.starts_with("linux-vdso"))
    return Error("the vDSO is kernel memory and not a file: no probe can be set in it").tagged("D_PROC_LIB");
  bool any = false;
  for (const MappedObject &mapped : *objects) {
    if (!module_matches(want.module, mapped)) continue;
    any = true;
    listing.functions.stack_use = is_named(trusted_, *mapped.object) ? StackUse() : use;
    if (Result<Unit> listed = list_object(listing, mapped); !listed) return listed;
  }
  for (const UserObjects::Refusal &refusal : refusals) {
    const bool is_meant =
        names_file(want.module, object_name(refusal.path)) || (want.module == "a.out" && refusal.is_program);
    if (!any && is_meant && (refusal.cause == EACCES || refusal.cause == EPERM))
      return Error::from_errno(fmt::format("failed to grab process {}: {}", pid, refusal.path), refusal.cause)
          .tagged("D_PROC_GRAB");
  }
  return ok();
}

Result<Unit> PidProvider::list_object(Listing &listing, const MappedObject &mapped) {
  const ProbeDesc &want = listing.want;
  std::optional<std::map<uint64_t, std::set<uint64_t>>> resolved;
  listing.functions.debug_info = [&](const std::shared_ptr<UserObject> &object) {
    return types_.debug_info().of(object, listing.pid);
  };
  listing.functions.resolved = [&](uint64_t resolver) {
    if (!resolved) resolved = resolved_functions(listing.pid, listing.objects, mapped);
    return (*resolved)[resolver];
  };
  const Result<bool> found = probes_.list_object(listing.functions, mapped.object);
  if (!found) return found.error();
  const bool one = is_literal(want.module) && is_literal(want.function);
  if (*found || !one) damaged_.note(*mapped.object);
  if (*found && one && listing.functions.family == 0) settled_.insert(want.text());
  if (!*found && one)
    return Error(fmt::format("failed to lookup '{}' in module '{}'{}{}", want.function, mapped.object->name(),
                             damage_of(*mapped.object), clones_of(*mapped.object, want.function)))
        .tagged("D_PROC_FUNC");
  return ok();
}

/// pid:a.out:-:ADDRESS, as the program's symbol table counts addresses.
Result<Unit> PidProvider::list_address(const Listing &listing) {
  const ProbeDesc &want = listing.want;
  if (!offset_of(want.name))
    return Error("only an address can be probed where the function is '-'").tagged("D_PROC_NAME");
  const auto program = std::find_if(listing.objects.begin(), listing.objects.end(),
                                    [](const MappedObject &mapped) { return mapped.is_program; });
  if (program == listing.objects.end() ||
      (!want.module.empty() && want.module != "a.out" && !module_matches(want.module, *program)))
    return Error("an address can be probed in the program itself only: a.out").tagged("D_PROC_LIB");
  return probes_.list_address(listing.functions, program->object);
}

/// Does the process execute a 32-bit program?
bool PidProvider::is_narrow_process(pid_t pid) {
  const Result<std::vector<MappedObject>> objects = objects_.of_process(pid);
  return objects && std::any_of(objects->begin(), objects->end(), [](const MappedObject &mapped) {
           return mapped.is_program && !mapped.object->is_64bit();
         });
}

/// A module that is not there yet may be loaded, and the process may become another program.
std::vector<ProbeHook> PidProvider::later(const ProbeDesc &want) {
  const std::optional<std::string_view> digits = number_of(want.provider);
  if (!digits || want.function == kAddressFunction || settled_.contains(want.text())) return {};
  const pid_t pid = pid_of(*digits);
  return prototypes_of(want, !is_narrow_process(pid), family_of(pid));
}

}  // namespace

std::unique_ptr<Provider> make_pid_provider(KernelInfo &kernel) { return std::make_unique<PidProvider>(kernel); }

}  // namespace dtrace::runtime
