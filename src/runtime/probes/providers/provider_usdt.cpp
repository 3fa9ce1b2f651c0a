// SPDX-License-Identifier: Apache-2.0
// The static probes of running programs: PROVIDER<pid>:file:function:name for each site note of each file that a
// process executes. A probe is a uprobe at its sites, which raises the counter that says "enabled" where the note names
// one.
//
// What a reader would get wrong: a site belongs to a file, not to a process. A description with a process's number sets
// its sites for that process alone; a glob that leaves the number open (`postgresql*`) sets them once in the file, and
// so for every process that has the file mapped, forked and started later ones included. Such a probe is named after
// its pattern; the number is known when it fires.
//
// Needs uprobes; nothing runs in the traced program, and nothing has to have been started before it.
#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <cerrno>
#include <charconv>
#include <csignal>
#include <cstring>
#include <iterator>
#include <map>
#include <set>
#include <span>
#include <unordered_map>
#include <utility>

#include "base/printable.h"
#include "frontend/text/glob.h"
#include "frontend/types/types_compat.h"
#include "runtime/foreign/process_maps.h"
#include "runtime/kernel/kernel_info.h"
#include "runtime/probes/provider.h"
#include "runtime/probes/providers/named_processes.h"
#include "runtime/usdt/argument_type.h"
#include "runtime/usdt/looked_files.h"
#include "runtime/usdt/probe_file.h"
#include "runtime/usdt/process_files.h"
#include "runtime/user/user_object.h"

namespace dtrace::runtime {
namespace {

constexpr size_t kForgetFrom = 1024;
constexpr std::string_view kFunctionsOfAll = "pid*";  // another provider's

bool is_digit(char c) { return c >= '0' && c <= '9'; }

/// "postgresql1234", which the pid provider's names look like as well.
bool is_numbered(std::string_view provider) {
  const size_t digits = provider.find_last_not_of("0123456789") + 1;
  return digits != 0 && digits < provider.size() && provider.substr(0, digits) != "pid";
}

/// Does the pattern stand for this provider of whatever process? Then it ends in `*`, and any number does.
bool leaves_pid_open(std::string_view pattern, const std::string &provider) {
  if (pattern.empty()) return true;
  if (!pattern.ends_with('*') || pattern.ends_with("\\*")) return false;
  for (char digit = '1'; digit <= '9'; ++digit)
    if (!glob_match(pattern, provider + digit)) return false;
  return true;
}

/// May the pattern, a glob, mean one of these providers, in one of these processes?
bool may_mean(std::string_view pattern, const LookedFiles::Providers &providers, std::span<const pid_t> pids) {
  return std::ranges::any_of(providers, [&](const std::string &provider) {
    return leaves_pid_open(pattern, provider) ||
           std::ranges::any_of(pids, [&](pid_t pid) { return field_match(pattern, provider + std::to_string(pid)); });
  });
}

/// May the pattern, a glob, mean a provider of that process? Where it ends in digits, these are the number's last, or
/// more than it.
bool may_be_of(std::string_view pattern, pid_t pid) {
  const size_t begin = pattern.find_last_not_of("0123456789") + 1;
  const std::string_view digits = pattern.substr(std::min(begin, pattern.size()));
  const std::string number = std::to_string(pid);
  return digits.empty() || digits.ends_with(number) || number.ends_with(digits);
}

class UsdtProvider final : public GrowingProvider {
 public:
  explicit UsdtProvider(KernelInfo &) {}

  std::string_view name() const override { return "usdt"; }
  bool claims(std::string_view pattern) const override {
    return (is_glob(pattern) && pattern != kFunctionsOfAll) || is_numbered(pattern);
  }
  bool claims_rest(std::string_view pattern) const override { return pattern != kFunctionsOfAll; }

  ProviderAttributes attributes() const override {
    constexpr Attributes kPrivate = usdt::kProviderDefault;
    return {kPrivate, kPrivate, kPrivate, kPrivate, kPrivate};
  }
  ProviderAttributes attributes_of(std::string_view provider) override;

  Result<Unit> list(const ProbeDesc &want, ProbeSink &sink) override;
  Result<std::vector<ProbeArg>> args(const Probe &probe, TypeTable &types) override;
  std::string layout_difference(const Probe &probe, const ProbeArg &arg, TypeTable &types) override;
  void use_library(const ProviderFileFinder &finder) override { library_.set_finder(finder); }
  ProbeHook hook(const Probe &probe) override;
  std::string missing_argument(const Probe &probe, unsigned n, TypeTable &types) override;
  Absence why_absent(const ProbeDesc &want) override;
  std::vector<ProbeHook> later(const ProbeDesc &want) override;
  void follow(const FollowedProcesses &followed) override { followed_ = &followed; }
  void notice(const MappingNews &news) override;
  bool follows(const ProbeDesc &want, pid_t pid) override;
  bool grew(const Probe &probe) const override;
  void forget(const std::set<const UserFile *> &files) override;
  std::vector<std::string> take_problems() override { return files_.take_problems(); }
  uint64_t take_unopened() override { return files_.take_unopened(); }

 private:
  /// What a probe of a name consists of: probes of files, for one process or for all.
  struct Known {
    pid_t pid = 0;
    std::vector<std::pair<ProbeFile *, const FileProbe *>> parts;
    size_t told = 0;  ///< of these, hook() has told
  };
  using Looked = LookedFiles::File;

  Result<Unit> list_process(const ProbeDesc &want, ProbeSink &sink);
  Result<Unit> list_all(const ProbeDesc &want, ProbeSink &sink);
  Result<Unit> unnumbered(const ProbeDesc &want);
  std::vector<pid_t> refused_processes(const ProbeDesc &want) const;
  /// The followed process whose number the provider's name ends in; 0: none does.
  pid_t root_of(std::string_view provider) const;
  /// False: the probe is not wanted.
  bool offer(const ProbeDesc &want, const std::string &provider, pid_t pid, ProbeFile &file, const FileProbe &probe,
             ProbeSink &sink);
  static void describe(ProbeHook &hook, uint32_t family);
  /// The family of `root`: the processes that it and its children fork. 0: they are not followed.
  uint32_t family_of(pid_t root) const { return followed_ == nullptr || root == 0 ? 0 : followed_->family_of(root); }
  Result<std::optional<usdt::Probe>> declaration_of(ProbeFile &file, const FileProbe &probe);
  std::vector<UserSite> sites(ProbeFile &file, const FileProbe &probe, std::vector<std::vector<UserOperand>> &variants);
  Looked &look(const ProbeDesc &want, const FileKey &key, const ExecutedFile &executed);
  /// Files that any description so far may mean, and that a process has mapped since.
  Looked &look_again(const FileKey &key, const ExecutedFile &executed, pid_t pid);
  const ExecutedFiles &all_processes();
  void forget_files();
  void close_needless();

  const FollowedProcesses *followed_ = nullptr;
  LookedFiles files_;
  LibraryProviders library_;
  std::optional<ExecutedFiles> everything_;
  std::set<pid_t> refused_;        // processes that all_processes() may not look into
  size_t sweep_at_ = kForgetFrom;  // files, until those of ended processes are forgotten
  struct Listed {
    ProbeDesc want;
    uint64_t serial = 0;  // of the last file that it was asked of
  };
  std::map<std::string, Listed> listed_;  // globs over providers, by their text
  bool is_tracing_ = false;
  uint64_t closed_at_ = 0;                               // the last file when needless ones were closed
  std::map<pid_t, std::vector<const Looked *>> mapped_;  // what was noticed last
  std::unordered_map<std::string, Known> known_;         // by the probe's full name
};

const ExecutedFiles &UsdtProvider::all_processes() {
  if (!everything_) everything_ = files_of_all_processes(refused_);
  return *everything_;
}

/// Opens the file if it has a provider that the description names, of one of these processes or of any.
UsdtProvider::Looked &UsdtProvider::look(const ProbeDesc &want, const FileKey &key, const ExecutedFile &executed) {
  return files_.look(key, executed, false, [&](const LookedFiles::Providers &providers) {
    return names_file(want.module, printable(object_name(executed.path))) &&
           may_mean(want.provider, providers, executed.pids);
  });
}

UsdtProvider::Looked &UsdtProvider::look_again(const FileKey &key, const ExecutedFile &executed, pid_t pid) {
  const std::string module = printable(object_name(executed.path));
  const auto is_named = [&](const auto &listed) { return names_file(listed.second.want.module, module); };
  Looked &looked = files_.look(key, executed, true, [&](const LookedFiles::Providers &providers) {
    return std::ranges::any_of(listed_, [&](const auto &listed) {
      return is_named(listed) && may_mean(listed.second.want.provider, providers, std::span(&pid, 1));
    });
  });
  if (std::ranges::any_of(listed_, is_named)) files_.tell_problem(looked);
  return looked;
}

bool UsdtProvider::offer(const ProbeDesc &want, const std::string &provider, pid_t pid, ProbeFile &file,
                         const FileProbe &probe, ProbeSink &sink) {
  if (!field_match(want.name, probe.name) || !field_match(want.function, probe.function)) return false;
  Known &known = known_[fmt::format("{}:{}:{}:{}", provider, file.module(), probe.function, probe.name)];
  known.pid = pid;
  const std::pair part(&file, &probe);
  if (std::find(known.parts.begin(), known.parts.end(), part) == known.parts.end()) known.parts.push_back(part);
  sink.offer_as(provider, file.module(), probe.function, probe.name);
  return true;
}

Result<Unit> UsdtProvider::list(const ProbeDesc &want, ProbeSink &sink) {
  if (want.provider.empty() || is_glob(want.provider)) return list_all(want, sink);
  return list_process(want, sink);
}

pid_t UsdtProvider::root_of(std::string_view provider) const {
  for (size_t at = provider.size(); followed_ != nullptr && at > 1 && is_digit(provider[at - 1]); --at) {
    pid_t pid = 0;
    const auto [end, error] = std::from_chars(provider.data() + at - 1, provider.data() + provider.size(), pid);
    if (error == std::errc() && family_of(pid) != 0) return pid;
  }
  return 0;
}

/// "postgresql1234": which digits are the process's number, only the processes can tell.
Result<Unit> UsdtProvider::list_process(const ProbeDesc &want, ProbeSink &sink) {
  const std::string_view name = want.provider;
  if (!is_digit(name.back())) return unnumbered(want);
  bool is_known = false;  // a file of the process has such a provider
  int refusal = 0;
  pid_t refused_process = 0;
  std::vector<Looked *> damaged;
  for (size_t at = name.size() - 1; at > 0 && is_digit(name[at]); --at) {
    pid_t pid = 0;
    const auto [end, error] = std::from_chars(name.data() + at, name.data() + name.size(), pid);
    if (error != std::errc() || pid <= 0 || name[at] == '0') continue;
    const std::string_view provider = name.substr(0, at);
    // What the longest number of all means is what the user wrote, most likely.
    refusal = refusal_of_process(pid);
    refused_process = pid;
    const std::vector<pid_t> members = family_of(pid) != 0 ? followed_->members(pid) : std::vector<pid_t>{pid};
    for (const pid_t member : members) {
      for (const auto &[key, executed] : files_of_process(member)) {
        // Without a glob, nobody has looked at what was mapped since.
        Looked &looked = files_.look(key, executed, is_tracing_ && !everything_,
                                     [&](const auto &providers) { return providers.contains(provider); });
        if (looked.refusal != 0) refusal = looked.refusal;
        if (!looked.problem.empty() && names_file(want.module, printable(object_name(executed.path))))
          damaged.push_back(&looked);
        ProbeFile *file = looked.probes.get();
        if (file == nullptr || !file->providers().contains(provider) || !names_file(want.module, file->module()))
          continue;
        for (const FileProbe &probe : file->probes(std::string(provider)))
          offer(want, want.provider, pid, *file, probe, sink);
        is_known = true;
      }
    }
  }
  if (!is_known && is_denied(refusal))
    return Error::from_errno(fmt::format("failed to grab process {}", refused_process), refusal).tagged("D_PROC_GRAB");
  if (!is_known && !damaged.empty()) return Error(damaged.front()->problem);
  for (Looked *file : damaged) files_.tell_problem(*file);
  return ok();
}

Result<Unit> UsdtProvider::list_all(const ProbeDesc &want, ProbeSink &sink) {
  bool is_offered = false;
  const auto may_be = [&](pid_t pid) { return may_be_of(want.provider, pid); };
  for (const auto &[key, executed] : all_processes()) {
    if (std::ranges::none_of(executed.pids, may_be)) continue;
    Looked &looked = look(want, key, executed);
    const bool is_named = names_file(want.module, printable(object_name(executed.path)));
    // Anybody may run a damaged file; it must not keep the probes of others from being found.
    if (is_named) files_.tell_problem(looked);
    if (is_denied(looked.refusal) && is_named) refused_.insert(executed.pids.begin(), executed.pids.end());
    ProbeFile *file = looked.probes.get();
    if (file == nullptr || !names_file(want.module, file->module())) continue;
    for (const std::string &provider : file->providers()) {
      const auto offer_each = [&](const std::string &name, pid_t pid) {
        for (const FileProbe &probe : file->probes(provider)) is_offered |= offer(want, name, pid, *file, probe, sink);
      };
      if (!sink.each_process() && leaves_pid_open(want.provider, provider)) {
        if (!looked.is_twin) offer_each(provider + "*", 0);
        continue;
      }
      for (const pid_t pid : executed.pids) {
        const std::string name = fmt::format("{}{}", provider, pid);
        if (field_match(want.provider, name)) offer_each(name, pid);
      }
    }
  }
  listed_[want.text()] = {want, files_.last_serial()};
  const std::vector<pid_t> refused = refused_processes(want);
  if (is_offered && !want.provider.empty() && !refused.empty()) sink.refuse_processes(want, refused);
  return ok();
}

/// Those that may not be looked into, and that the description may mean.
std::vector<pid_t> UsdtProvider::refused_processes(const ProbeDesc &want) const {
  std::vector<pid_t> refused;
  std::ranges::copy_if(refused_, std::back_inserter(refused), [&](pid_t pid) { return may_be_of(want.provider, pid); });
  return refused;
}

Absence UsdtProvider::why_absent(const ProbeDesc &want) {
  if (!is_glob(want.provider)) return {};
  const std::vector<pid_t> refused = refused_processes(want);
  std::string reason;
  if (want.provider.ends_with('*') && want.provider.size() > 1)
    reason = "neither the kernel nor a running process has it: -Z waits for a process that has";
  if (!refused.empty())
    reason += fmt::format("{}{} cannot be inspected: {}", reason.empty() ? "" : "; ", named_processes(refused),
                          std::strerror(EACCES));
  return {std::move(reason), false};
}

/// A provider's name without a process's number means nothing; say what would. Errors: D_PDESC_ZERO, if there is one.
Result<Unit> UsdtProvider::unnumbered(const ProbeDesc &want) {
  for (const auto &[key, executed] : all_processes()) {
    const Looked &looked = files_.look(key, executed, false, [](const auto &) { return false; });
    if (!looked.providers.contains(want.provider)) continue;
    return Error(fmt::format("probe description {} does not match any probes: \"{}\" is a provider of {}: name it with "
                             "the process, {}{}, or for all processes {}*",
                             want.text(), want.provider,
                             executed.pids.size() == 1 ? "process " + std::to_string(executed.pids.front())
                                                       : std::to_string(executed.pids.size()) + " processes",
                             want.provider, executed.pids.front(), want.provider))
        .tagged("D_PDESC_ZERO");
  }
  return ok();
}

/// What the file says of the probe, else what the D library does; nothing if nobody says. A library knows more versions
/// of a program than one: arguments that this one does not pass are left out.
Result<std::optional<usdt::Probe>> UsdtProvider::declaration_of(ProbeFile &file, const FileProbe &probe) {
  if (const usdt::Probe *own = file.declaration(probe.provider, probe.name)) return std::optional(*own);
  const Result<const usdt::Probe *> found = library_.find(probe.provider, probe.name);
  if (!found) return Error(found.error().text());
  if (*found == nullptr) return std::optional<usdt::Probe>();
  usdt::Probe declared = **found;
  const size_t passed = file.shape(probe).size();
  if (declared.native.size() > passed) declared.native.resize(passed);
  std::erase_if(declared.translated, [&](const usdt::TranslatedArgument &t) { return t.native >= passed; });
  // More than the library knows of: a later version's.
  if (declared.native.size() < passed && !declared.is_translated) return std::optional<usdt::Probe>();
  return std::optional(std::move(declared));
}

Result<std::vector<ProbeArg>> UsdtProvider::args(const Probe &probe, TypeTable &types) {
  std::vector<ProbeArg> args;
  const auto found = known_.find(probe.text());
  if (found == known_.end() || found->second.parts.empty()) return args;
  const auto &[file, part] = found->second.parts.front();
  const std::vector<UserOperand> shape = file->shape(*part);
  const auto operand = [&](size_t i) { return i < shape.size() ? shape[i] : UserOperand{}; };
  Result<std::optional<usdt::Probe>> declaration = declaration_of(*file, *part);
  if (!declaration) return std::move(declaration).error();
  const std::optional<usdt::Probe> &declared = *declaration;
  if (!declared) {
    for (unsigned i = 0; i < shape.size(); ++i) {
      const TypeId type = operand_type(shape[i], types);
      args.push_back({type, type, i});
    }
    return args;
  }
  if (!declared->is_translated) {
    for (unsigned i = 0; i < declared->native.size(); ++i) {
      const std::string &text = declared->native[i].type;
      const TypeId type = declared_type(text, operand(i), Space::kUser, types);
      args.push_back({type, type, i, is_known_type(text, types) ? std::string() : text});
    }
    return args;
  }
  for (unsigned i = 0; i < declared->translated.size(); ++i) {
    const usdt::TranslatedArgument &translated = declared->translated[i];
    const std::string &native_text = declared->native[translated.native].type;
    const UserOperand native_operand = operand(translated.native);
    const TypeId native = declared_type(native_text, native_operand, Space::kUser, types);
    // A type that nobody defines has no translator: the argument is what was passed.
    const bool is_undefined = !is_known_type(translated.type, types);
    TypeId output = native;
    if (native_text != translated.type && !is_undefined) {
      // What a translator makes of the argument is D's own; all else that is a pointer still points into the program.
      output = declared_type(translated.type, native_operand, Space::kKernel, types);
      const bool is_made = types.is_struct_or_union(output) ||
                           (types.is_pointer(output) && types.is_struct_or_union(types.resolved(output).target) &&
                            !same_type(types, types.resolved(output).target, types.resolved(native).target));
      if (!is_made) output = declared_type(translated.type, native_operand, Space::kUser, types);
    }
    args.push_back({native, output, i, is_undefined ? translated.type : std::string()});
  }
  return args;
}

/// Libraries call the 32-bit form of conn_t conn32_t.
std::optional<TypeId> narrow_form(std::string name, TypeTable &types) {
  TagKind kind = TagKind::kOrdinary;
  for (const auto &[word, tag] : {std::pair("struct ", TagKind::kStruct), std::pair("union ", TagKind::kUnion)})
    if (name.starts_with(word)) {
      kind = tag;
      name.erase(0, std::string_view(word).size());
    }
  name.insert(name.ends_with("_t") ? name.size() - 2 : name.size(), "32");
  return types.find(kind, name);
}

/// Which of the arguments that the program passes arg`n` is.
std::optional<size_t> native_of(const usdt::Probe &declared, size_t n) {
  const size_t native = !declared.is_translated          ? n
                        : n < declared.translated.size() ? declared.translated[n].native
                                                         : declared.native.size();
  return native < declared.native.size() ? std::optional(native) : std::nullopt;
}

std::string UsdtProvider::layout_difference(const Probe &probe, const ProbeArg &arg, TypeTable &types) {
  const auto found = known_.find(probe.text());
  if (found == known_.end() || !types.is_pointer(arg.native)) return {};
  for (const auto &[file, part] : found->second.parts) {
    const Result<std::optional<usdt::Probe>> declaration = declaration_of(*file, *part);
    if (!declaration) continue;
    const std::optional<usdt::Probe> &declared = *declaration;
    const std::optional<size_t> native = declared ? native_of(*declared, arg.source) : std::nullopt;
    if (!native) continue;
    const std::string name = pointed_name(declared->native[*native].type);
    if (name.empty()) continue;
    TypeId type = types.resolved(arg.native).target;
    if (file->is_narrow()) type = narrow_form(name, types).value_or(type);
    const std::optional<StructLayout> library = layout_of(types, type);
    if (!library) continue;
    const std::optional<StructLayout> program = file->layout(*part, name);
    if (!program) {
      if (!file->has_split_debug_information()) continue;
      return fmt::format(
          "{} of {} cannot be compared with the D library: its debug information is in .dwo files "
          "(-gsplit-dwarf)",
          name, file->file()->path);
    }
    if (const std::optional<std::string> difference = first_difference(*library, *program))
      return fmt::format("{} of {} differs from its definition in the D library: {}", name, file->file()->path,
                         *difference);
  }
  return {};
}

/// arg0.. are in the order of the definition's second list, as args[] are.
std::vector<UserSite> UsdtProvider::sites(ProbeFile &file, const FileProbe &probe,
                                          std::vector<std::vector<UserOperand>> &variants) {
  const Result<std::optional<usdt::Probe>> found = declaration_of(file, probe);
  const usdt::Probe *declared = found && *found ? &**found : nullptr;
  const auto arrange = [&](std::vector<UserOperand> native) {
    if (declared == nullptr) return native;
    // Older headers do not mark floating-point operands.
    for (size_t i = 0; i < native.size() && i < declared->native.size(); ++i)
      if (is_floating_type(declared->native[i].type)) native[i].is_float = true;
    if (!declared->is_translated) return native;
    std::vector<UserOperand> mapped;
    for (const usdt::TranslatedArgument &translated : declared->translated) {
      UserOperand absent;
      absent.kind = UserOperand::Kind::kConstant;
      mapped.push_back(translated.native < native.size() ? native[translated.native] : absent);
    }
    return mapped;
  };
  return file.sites(probe, arrange, variants);
}

ProbeHook UsdtProvider::hook(const Probe &probe) {
  ProbeHook hook;
  Known &known = known_.at(probe.text());
  known.told = known.parts.size();
  for (const auto &[file, part] : known.parts) {
    for (UserSite &site : sites(*file, *part, hook.variants)) {
      site.pid = family_of(known.pid) != 0 ? 0 : known.pid;
      hook.sites.push_back(std::move(site));
    }
  }
  describe(hook, family_of(known.pid));
  return hook;
}

bool UsdtProvider::grew(const Probe &probe) const {
  const auto known = known_.find(probe.text());
  return known != known_.end() && known->second.parts.size() > known->second.told;
}

std::string UsdtProvider::missing_argument(const Probe &probe, unsigned n, TypeTable &) {
  const auto known = known_.find(probe.text());
  if (known == known_.end()) return {};
  std::vector<std::vector<UserOperand>> variants;
  for (const auto &[file, part] : known->second.parts) sites(*file, *part, variants);
  const auto is_missing = [&](const auto &operands) {
    return n < operands.size() && operands[n].kind == UserOperand::Kind::kUnavailable;
  };
  if (variants.empty() || !std::all_of(variants.begin(), variants.end(), is_missing)) return {};
  return variants.front()[n].reason;
}

/// One program serves all probes; what the arguments are differs from site to site anyway.
void UsdtProvider::describe(ProbeHook &hook, uint32_t family) {
  hook.hook.family = family;
  hook.hook.target = UserInstructionHook{UserInstructionHook::Where::kStatic};
  hook.hook.selector = Selector::kSite;
  hook.hook.preemptible = true;
  for (uint32_t i = 0; i < usdt::kMaxArguments; ++i) hook.args.push_back({ArgSource::Kind::kSiteOperand, i, 8, false});
}

/// Libraries that are loaded later and programs that start later.
std::vector<ProbeHook> UsdtProvider::later(const ProbeDesc &want) {
  if (!is_glob(want.provider) && !is_numbered(want.provider)) return {};
  ProbeHook hook;
  hook.variants.emplace_back();  // no arguments
  describe(hook, is_glob(want.provider) ? 0 : family_of(root_of(want.provider)));
  return {std::move(hook)};
}

/// Adds the files of processes that have ended, which only the notifications name. So the file's next process finds its
/// probes set.
void add_files_of_ended(std::span<const MappingWatch::Event> events, std::map<pid_t, ExecutedFiles> &noticed) {
  std::set<pid_t> ended;
  for (const auto &[pid, files] : noticed)
    if (files.empty()) ended.insert(pid);
  for (const MappingWatch::Event &event : events) {
    const MapEntry &map = event.map;
    if (!map.executable || !map.is_file() || !ended.contains(event.pid)) continue;
    const FileKey key{map.device_major, map.device_minor, map.inode};
    noticed[event.pid].try_emplace(key,
                                   ExecutedFile{map.path, {event.pid}, map.start, map.end, map.inode, map.deleted});
  }
}

void UsdtProvider::notice(const MappingNews &news) {
  mapped_.clear();
  is_tracing_ = true;
  // Not before: the clauses of a program are matched one after the other.
  close_needless();
  if (!everything_) return;  // no glob asks about processes in general
  forget_files();
  std::map<pid_t, ExecutedFiles> noticed;
  for (const pid_t pid : news.pids) noticed[pid] = files_of_process(pid);
  add_files_of_ended(news.events, noticed);
  for (const auto &[pid, files] : noticed) {
    for (const auto &[key, executed] : files) {
      const Looked &looked = look_again(key, executed, pid);
      if (looked.probes == nullptr) continue;
      mapped_[pid].push_back(&looked);
      std::vector<pid_t> &known = everything_->try_emplace(key, executed).first->second.pids;
      const auto place = std::lower_bound(known.begin(), known.end(), pid);
      if (place != known.end() && *place == pid) continue;
      known.insert(place, pid);
      // Those that have ended are forgotten now and then: tracing may go on for days.
      if (known.size() >= kForgetFrom && std::has_single_bit(known.size()))
        std::erase_if(known, [](pid_t one) { return kill(one, 0) != 0 && errno == ESRCH; });
    }
  }
}

/// Closes the files that were opened for a description, and have no probe that it means.
void UsdtProvider::close_needless() {
  if (std::exchange(closed_at_, files_.last_serial()) == files_.last_serial()) return;
  std::set<const ProbeFile *> needed;
  for (const auto &[name, known] : known_)
    for (const auto &[file, probe] : known.parts) needed.insert(file);
  files_.close_needless([&](const ProbeFile &file) { return needed.contains(&file); });
}

/// Forgets the files that no process has any more. Each sweep is paid for by as many files seen since.
void UsdtProvider::forget_files() {
  if (everything_->size() < sweep_at_) return;
  const auto has_ended = [](pid_t pid) { return kill(pid, 0) != 0 && errno == ESRCH; };
  std::erase_if(*everything_, [&](const auto &entry) {
    return std::all_of(entry.second.pids.begin(), entry.second.pids.end(), has_ended);
  });
  files_.forget_unless([this](const FileKey &key) { return everything_->contains(key); });
  sweep_at_ = everything_->size() * 2 + kForgetFrom;
}

void UsdtProvider::forget(const std::set<const UserFile *> &files) {
  mapped_.clear();
  for (auto &[name, known] : known_) {
    const auto is_gone = [&](const auto &part) { return files.contains(part.first->file().get()); };
    const auto told = known.parts.begin() + static_cast<std::ptrdiff_t>(known.told);
    known.told -= static_cast<size_t>(std::count_if(known.parts.begin(), told, is_gone));
    std::erase_if(known.parts, is_gone);
  }
  for (const FileKey &key : files_.forget(files))
    if (everything_) everything_->erase(key);
}

bool UsdtProvider::follows(const ProbeDesc &want, pid_t pid) {
  if (!is_glob(want.provider)) {
    if (!is_numbered(want.provider)) return false;
    const pid_t root = root_of(want.provider);
    return want.provider.ends_with(std::to_string(pid)) || (root != 0 && followed_->contains(root, pid));
  }
  const auto mapped = mapped_.find(pid);
  if (mapped == mapped_.end()) return false;
  const auto asked = listed_.find(want.text());
  const uint64_t listed = asked == listed_.end() ? 0 : asked->second.serial;
  return std::any_of(mapped->second.begin(), mapped->second.end(), [&](const Looked *looked) {
    const auto &providers = looked->probes->providers();
    return std::any_of(providers.begin(), providers.end(), [&](const std::string &provider) {
      // Sites that are set for all processes are set once.
      if (leaves_pid_open(want.provider, provider)) return looked->serial > listed;
      return field_match(want.provider, provider + std::to_string(pid));
    });
  });
}

ProviderAttributes UsdtProvider::attributes_of(std::string_view provider) {
  for (const auto &[text, known] : known_) {
    if (std::string_view(text).substr(0, text.find(':')) != provider || known.parts.empty()) continue;
    const auto &[file, part] = known.parts.front();
    if (const usdt::Provider *declared = file->declared_provider(part->provider)) return declared->attributes;
    if (const Result<const usdt::Provider *> defined = library_.find(part->provider); defined && *defined != nullptr)
      return (*defined)->attributes;
  }
  return attributes();
}

}  // namespace

std::unique_ptr<Provider> make_usdt_provider(KernelInfo &kernel) { return std::make_unique<UsdtProvider>(kernel); }

}  // namespace dtrace::runtime
