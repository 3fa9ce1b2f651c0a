// SPDX-License-Identifier: Apache-2.0
// pid*:module:function:entry|return|OFFSET and pid*:module:FILE@LINE:line: functions and source lines of a file, in
// every process that executes it now or later.
//
// What a reader would get wrong: a site belongs to a file, so there is one probe for all processes, named after the
// pattern; which process it is, is known when it fires. As some process of the future may unwind its stack through any
// function, or leave it for another stack, the kernel's return probes are used only in files that option uretprobes
// names (stack_use.h).
//
// Needs uprobes, as the provider of single processes does.
#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <iterator>
#include <map>
#include <set>

#include "frontend/text/glob.h"
#include "runtime/kernel/kernel_info.h"
#include "runtime/probes/providers/clones.h"
#include "runtime/probes/providers/damaged_files.h"
#include "runtime/probes/providers/function_probes.h"
#include "runtime/probes/providers/named_processes.h"
#include "runtime/probes/providers/pid_types.h"
#include "runtime/probes/system_files.h"
#include "runtime/user/indirect_functions.h"

namespace dtrace::runtime {
namespace {

constexpr std::string_view kProvider = "pid*";

/// Hands probes on, and knows whether there were any.
class CountingSink final : public ProbeSink {
 public:
  explicit CountingSink(ProbeSink &sink) : sink_(sink) {}
  void offer(uint32_t ordinal, std::string_view module, std::string_view function, std::string_view name) override {
    sink_.offer(ordinal, module, function, name);
    any_ = true;
  }
  void offer_as(std::string_view provider, std::string_view module, std::string_view function,
                std::string_view name) override {
    sink_.offer_as(provider, module, function, name);
    any_ = true;
  }
  void refuse(const Probe &probe, std::string_view reason) override { sink_.refuse(probe, reason); }
  void fall_short(const Probe &probe, std::string_view shortfall) override { sink_.fall_short(probe, shortfall); }
  bool any() const { return any_; }

 private:
  ProbeSink &sink_;
  bool any_ = false;
};

/// What the indirect functions of a file stand for: in our own process, and in some of those that execute the file.
std::map<uint64_t, std::set<uint64_t>> resolved_in_processes(const SystemFiles::File &file) {
  std::map<uint64_t, std::set<uint64_t>> resolved;
  std::vector<pid_t> pids = file.pids;
  pids.push_back(getpid());
  for (const pid_t pid : pids) {
    UserObjects objects;
    const Result<std::vector<MappedObject>> mapped = objects.of_process(pid);
    if (!mapped) continue;
    const UserFile &wanted = *file.object->file();
    const auto same = std::find_if(mapped->begin(), mapped->end(), [&](const MappedObject &one) {
      return one.object->file()->device == wanted.device && one.object->file()->inode == wanted.inode;
    });
    if (same == mapped->end()) continue;
    for (const auto &[resolver, chosen] : resolved_functions(pid, *mapped, *same))
      resolved[resolver].insert(chosen.begin(), chosen.end());
  }
  return resolved;
}

class PidAllProvider final : public GrowingProvider {
 public:
  explicit PidAllProvider(KernelInfo &) {}

  std::string_view name() const override { return kProvider; }
  bool claims(std::string_view pattern) const override { return pattern == kProvider; }
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
  Absence why_absent(const ProbeDesc &want) override;
  std::vector<ProbeHook> later(const ProbeDesc &want) override;
  void trust_return_probes(const std::vector<std::string> &files) override { trusted_ = files; }
  void use_debug_sources(const DebugSources &sources) override { types_.debug_info().use(sources); }
  void notice(const MappingNews &news) override {
    types_.begin_late();
    files_.notice(news);
  }
  std::vector<std::string> take_problems() override;
  uint64_t take_unopened() override { return files_.take_unopened(); }
  bool follows(const ProbeDesc &want, pid_t) override {
    const auto listed = listed_.find(want.text());
    return listed != listed_.end() && files_.has_newer(want.module, listed->second);
  }
  void forget(const std::set<const UserFile *> &files) override {
    types_.forget(probes_.forget(files), files);
    files_.forget(files);
  }
  bool grew(const Probe &probe) const override { return probes_.grew(probe); }
  ProbeHook hook(const Probe &probe) override {
    ProbeHook hook = probes_.hook(probe);
    types_.add_operands(probe.text(), probes_.of(probe), hook);
    return hook;
  }

 private:
  bool may_mean_trusted(std::string_view module) const;
  std::vector<pid_t> refused_processes() const { return {files_.refused().begin(), files_.refused().end()}; }

  SystemFiles files_;
  FunctionProbes probes_;
  UserObjects objects_;               // of no process
  std::vector<std::string> trusted_;  // option uretprobes
  PidTypes types_{objects_};
  DamagedFiles damaged_;
  std::map<std::string, uint64_t> listed_;  // descriptions: the last file that they were asked of
  bool has_narrow_ = false;                 // some file is of 32-bit programs
};

/// Errors: D_PROC_LIB, D_PROC_NAME: the description cannot mean anything.
Result<Unit> check_description(const ProbeDesc &want) {
  if (want.module == "a.out")
    return Error("a.out is the program of one process: name the program, by its name or path").tagged("D_PROC_LIB");
  if (want.module == "[vdso]" || want.module.starts_with("linux-vdso"))
    return Error("the vDSO is kernel memory and not a file: no probe can be set in it").tagged("D_PROC_LIB");
  if (want.module.empty() && !is_literal(want.function))
    return Error("this means every function of every program: name a file, or a function").tagged("D_PROC_LIB");
  if (want.module.empty() && want.function == kAddressFunction)
    return Error("an address belongs to a file: name the file").tagged("D_PROC_LIB");
  return check_probe_name(want);
}

Result<Unit> PidAllProvider::list(const ProbeDesc &want, ProbeSink &sink) {
  if (Result<Unit> checked = check_description(want); !checked) return checked;
  CountingSink counting(sink);
  bool found = false;
  std::optional<Error> refusal;  // of the first file in which a probe that is named cannot be set
  const std::vector<const SystemFiles::File *> files = files_.find(want.module);
  for (const SystemFiles::File *file : files) {
    std::optional<std::map<uint64_t, std::set<uint64_t>>> resolved;
    const auto resolve = [&](uint64_t resolver) {
      if (!resolved) resolved = resolved_in_processes(*file);
      return (*resolved)[resolver];
    };
    const auto debug_info = [&](const std::shared_ptr<UserObject> &object) {
      return types_.debug_info().of(object, 0);
    };
    const bool by_path = want.module.starts_with('/');
    const StackUse use = is_named(trusted_, *file->object) ? StackUse() : kAnyStackUse;
    const FunctionListing listing{want, kProvider, 0, by_path, use, counting, resolve, 0, debug_info};
    Result<bool> listed =
        want.function == kAddressFunction ? Result<bool>(true) : probes_.list_object(listing, file->object);
    if (want.function == kAddressFunction)
      if (Result<Unit> r = probes_.list_address(listing, file->object); !r) listed = std::move(r).error();
    damaged_.note(*file->object);
    if (!listed && !refusal) refusal = listed.error();
    if (listed && !*listed) continue;
    found = true;
    files_.keep(*file);
    has_narrow_ |= !file->object->is_64bit();
  }
  listed_[want.text()] = files_.last_serial();
  if (counting.any()) {
    if (refusal) sink.refuse({{}, std::string(kProvider), want.module, want.function, want.name}, refusal->text());
    if (const std::vector<pid_t> refused = refused_processes(); !refused.empty()) sink.refuse_processes(want, refused);
    return ok();
  }
  if (refusal) return *std::move(refusal);
  if (found || files.empty() || !is_literal(want.module) || !is_literal(want.function)) return ok();
  const std::string others = files.size() == 1 ? "" : fmt::format(" and {} more", files.size() - 1);
  return Error(fmt::format("failed to lookup '{}' in {}{}{}", want.function, files.front()->object->path(), others,
                           clones_of(*files.front()->object, want.function)))
      .tagged("D_PROC_FUNC");
}

std::vector<std::string> PidAllProvider::take_problems() {
  std::vector<std::string> problems = files_.take_problems();
  std::ranges::move(damaged_.take(), std::back_inserter(problems));
  return problems;
}

Absence PidAllProvider::why_absent(const ProbeDesc &want) {
  const size_t files = files_.find(want.module).size();
  std::string reason = files == 0 ? files_.looked_at(want.module)
                                  : fmt::format("none of {} file{} has such a probe", files, files == 1 ? "" : "s");
  if (const std::vector<pid_t> refused = refused_processes(); !refused.empty())
    reason += fmt::format("; {} cannot be inspected: {}", named_processes(refused), std::strerror(EACCES));
  return {std::move(reason), true};
}

/// There may always be another file of that name: that of a container, or after an upgrade.
std::vector<ProbeHook> PidAllProvider::later(const ProbeDesc &want) {
  if (want.function == kAddressFunction) return {};
  std::vector<ProbeHook> hooks = prototypes_of(want, true);
  if (has_narrow_)
    for (ProbeHook &hook : prototypes_of(want, false)) hooks.push_back(std::move(hook));
  if (!may_mean_trusted(want.module))
    std::erase_if(hooks,
                  [](const ProbeHook &hook) { return std::holds_alternative<UserReturnHook>(hook.hook.target); });
  return hooks;
}

/// Whether a file that the description means may be one that option uretprobes names.
bool PidAllProvider::may_mean_trusted(std::string_view module) const {
  const auto stem = [](std::string_view name) { return name.substr(0, name.find('.')); };
  return std::ranges::any_of(trusted_, [&](const std::string &name) {
    if (module.empty() || is_glob(module) || is_glob(name)) return true;
    return stem(object_name(module)) == stem(name);
  });
}

}  // namespace

std::unique_ptr<Provider> make_pid_all_provider(KernelInfo &kernel) { return std::make_unique<PidAllProvider>(kernel); }

}  // namespace dtrace::runtime
