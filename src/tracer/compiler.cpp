// SPDX-License-Identifier: Apache-2.0
#include "tracer/compiler.h"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <csignal>
#include <cstring>
#include <filesystem>
#include <iterator>
#include <sstream>
#include <utility>

#include "base/cgroup_options.h"
#include "base/printable.h"
#include "base/read_file.h"
#include "runtime/debug_info/debug_sources.h"
#include "runtime/process/macros.h"
#include "runtime/process/preprocess_run.h"
#include "runtime/process/process_list.h"
#include "tracer/library_files.h"

namespace dtrace::tracer {
namespace {

/// The most frames of a kernel stack: the sysctl, which the kernel's helpers obey.
std::optional<uint64_t> read_max_kernel_frames() {
  const Result<std::string> text = read_file("/proc/sys/kernel/perf_event_max_stack");
  if (!text) return std::nullopt;
  const uint64_t frames = std::strtoull(text->c_str(), nullptr, 10);
  return frames == 0 ? std::nullopt : std::optional(frames);
}

}  // namespace

Compiler::Compiler(Options options, Client &client) : client_(client), options_(std::move(options)) {}
Compiler::~Compiler() = default;

void Compiler::debug(std::string_view step) const {
  if (!options_.flag(Opt::debug)) return;
  const std::chrono::duration<double, std::milli> since = std::chrono::steady_clock::now() - start_;
  client_.debug(fmt::format("{:.1f} ms: {}", since.count(), step));
}

// ---------------------------------------------------------------- the system

Result<Unit> Compiler::open(bool lists) {
  if (access("/proc/self", F_OK) != 0) return Error("/proc is needed and not mounted: mount -t proc proc /proc");
  if (lists) options_.set(option_name(Opt::zdefs), std::nullopt, OptionSource::kCommandLine);
  const std::string &path = options_.string(Opt::btfpath);
  kernel_ = std::make_unique<runtime::KernelInfo>(path);
  types_ = std::make_unique<TypeTable>(static_cast<uint64_t>(options_.number(Opt::strsize)));
  runtime::KernelBtf *btf = kernel_->kernel_btf();
  if (btf == nullptr && !path.empty() && path != "none")
    return Error(fmt::format("-x btfpath={}: {}", path, kernel_->btf_error()));
  if (btf != nullptr) {
    types_->add_btf(&btf->vmlinux());
    types_->set_module_loader([btf](std::string_view module) { return btf->load(module); });
  }
  catalog_ = std::make_unique<runtime::Catalog>(*kernel_);
  if (Result<Unit> used = use_debug_sources(); !used) return used;
  if (lists) catalog_->list_each_process();
  runtime::SymbolizerOptions symbolizer_options;
  symbolizer_options.no_resolve = options_.flag(Opt::noresolve);
  symbolizer_options.user.objects.budget = &budget_;
  symbolizer_ = std::make_unique<runtime::SystemSymbolizer>(symbolizer_options);
  budget_.add_cache([this](uint64_t bytes) { return symbolizer_->give_up(bytes); });
  symbol_source_ = std::make_unique<runtime::KernelSymbolSource>(*kernel_, symbolizer_->kernel());
  front_end_ = std::make_unique<FrontEnd>(options_, *types_, *catalog_, *symbol_source_);
  constexpr uint64_t kRegisterBytes = 8;
  const arch::Machine &machine = arch::host_machine();
  front_end_->set_registers(machine.registers.size_bytes / kRegisterBytes + machine.task_registers.size());
  max_kernel_frames_ = read_max_kernel_frames();
  if (max_kernel_frames_) front_end_->set_max_kernel_frames(*max_kernel_frames_);
  if (lists) front_end_->probes().keep_underivable();
  return open_libraries();
}

Result<Unit> Compiler::use_debug_sources() {
  runtime::DebugSources sources;
  sources.images = [this] { return debug_images(); };
  if (options_.is_set(Opt::debuginfod)) {
    runtime::DebugFetch::User user;
    user.progress = [this](uint64_t done_bytes, uint64_t total_bytes) {
      constexpr uint64_t kKib = 1024;
      const uint64_t total = (total_bytes + kKib - 1) / kKib;
      if (total_bytes != 0)
        client_.progress("KiB of debug information", done_bytes == total_bytes ? total : done_bytes / kKib, total);
      return !client_.end_requested();
    };
    user.warn = [this](const std::string &problem) { client_.report("warning: " + problem); };
    fetch_ = std::make_unique<runtime::DebugFetch>(options_.string(Opt::debuginfod), std::move(user));
    if (!fetch_->has_servers())
      return Error("option debuginfod names no server: write debuginfod=URL, or set DEBUGINFOD_URLS");
    sources.fetch = fetch_.get();
  }
  catalog_->use_debug_sources(sources);
  return ok();
}

ObjectStore *Compiler::debug_images() {
  if (options_.string(Opt::cache) == "off") return nullptr;
  if (std::exchange(has_opened_debug_images_, true)) return debug_images_.get();
  constexpr runtime::ObjectFiles::Bounds kBounds{.files = 64, .total_bytes = 512 << 20, .entry_bytes = 128 << 20};
  const std::string &given = options_.string(Opt::cachedir);
  const std::string folder = given.empty() ? runtime::ObjectFiles::kFolder : given;
  // Makes the folder around it as well.
  Result<std::unique_ptr<runtime::ObjectFiles>> opened = runtime::ObjectFiles::open(folder, "debug information");
  if (opened) opened = runtime::ObjectFiles::open(folder + "/debug", "debug information", kBounds);
  if (opened)
    debug_images_ = std::move(*opened);
  else
    debug("no cache of debug information: " + opened.error().text());
  return debug_images_.get();
}

Result<Unit> Compiler::open_libraries() {
  LibraryDirectories directories = library_directories(options_);
  for (const std::string &problem : directories.problems) client_.report("warning: " + problem);
  if (directories.files.empty()) return ok();
  LibraryEnvironment environment;
  environment.has_module = [this](std::string_view name) {
    return name == "vmlinux" || (kernel_->kernel_btf() != nullptr && kernel_->kernel_btf()->module(name));
  };
  environment.has_provider = [](std::string_view name) {
    return std::ranges::find(runtime::kProviders, name, &runtime::ProviderRow::name) != std::end(runtime::kProviders);
  };
  if (Result<Unit> used = front_end_->use_libraries(std::move(directories.files), environment); !used)
    return std::move(used.error()).during("failed to initialize dtrace");
  catalog_->use_library([this](std::string_view provider) { return front_end_->file_of_provider(provider); });
  return ok();
}

// ---------------------------------------------------------------- processes

std::vector<std::string> Compiler::command_environment(const char *const *inherited) const {
  std::vector<std::string> variables;
  for (; *inherited != nullptr; ++inherited) variables.emplace_back(*inherited);
  for (const auto &[option, value] : options_.in_order()) {
    if (option != Opt::setenv && option != Opt::unsetenv) continue;
    const std::string_view name = std::string_view(value).substr(0, value.find('='));
    std::erase_if(variables, [&](std::string_view entry) { return entry.substr(0, entry.find('=')) == name; });
    if (option == Opt::setenv) variables.push_back(value);
  }
  return variables;
}

void Compiler::look_for_evaltime(std::span<const ProgramText> programs) {
  if (options_.flag(Opt::cpp)) return;
  for (const ProgramText &program : programs) {
    std::error_code error;
    if (is_script(program) && !std::filesystem::is_regular_file(program.text, error)) continue;  // a pipe is read once
    const Result<std::string> text = is_script(program) ? read_file(program.text) : Result<std::string>(program.text);
    if (!text) continue;  // said when it is compiled
    for (size_t at = 0; at < text->size();) {
      const size_t end = std::min(text->find('\n', at), text->size());
      std::istringstream words(text->substr(at, end - at));
      at = end + 1;
      std::string hash, pragma, d, option, setting;
      if (!(words >> hash >> pragma >> d >> option >> setting) || hash != "#" || pragma != "pragma") {
        words = std::istringstream(words.str());
        if (!(words >> hash >> d >> option >> setting) || hash != "#pragma") continue;
      }
      const std::string name = std::string(option_name(Opt::evaltime)) + "=";
      if (d == "D" && option == "option" && setting.starts_with(name))
        (void)options_.set(option_name(Opt::evaltime), std::string_view(setting).substr(name.size()),
                           OptionSource::kCommandLine);  // a value that is wrong is reported when it is compiled
    }
  }
}

Result<Unit> Compiler::take_processes(std::span<const ProcessText> processes, std::span<const ProgramText> programs,
                                      const char *const *environment) {
  if (!processes.empty()) look_for_evaltime(programs);
  const std::optional<runtime::EvalTime> when = runtime::parse_evaltime(options_.string(Opt::evaltime));
  const std::vector<std::string> variables = command_environment(environment);
  for (const ProcessText &process : processes) {
    if (!process.is_command) {
      if (Result<Unit> grabbed = grab_processes(process.text); !grabbed) return grabbed;
      continue;
    }
    const Result<pid_t> pid = targets_.create(process.text, *when, variables);
    if (!pid) return pid.error();
    symbolizer_->remember(*pid);
  }
  if (Result<Unit> follows = follow_targets(); !follows) return follows;
  if (!wants_some_cgroups(options_)) return ok();
  cgroups_.read_system();
  if (!cgroups_.has_hierarchy())
    return Error("options select cgroups, but the unified hierarchy (cgroup2) is not mounted");
  if (targets_.empty()) inside_ = cgroups_.wanted_processes(options_);
  return ok();
}

Result<Unit> Compiler::follow_targets() {
  if (options_.string(Opt::follow) != "fork" || targets_.empty()) return ok();
  if (followed_ == nullptr) followed_ = std::make_unique<runtime::FollowedProcesses>();
  for (const runtime::Target &target : targets_.targets())
    if (followed_->family_of(target.pid()) == 0)
      if (Result<Unit> added = followed_->add(target.pid()); !added) return added;
  catalog_->follow(*followed_);
  return ok();
}

Result<Unit> Compiler::grab_processes(const std::string &text) {
  const Result<std::vector<runtime::ProcessWord>> words = runtime::parse_processes(text);
  if (!words) return words.error();
  for (const runtime::ProcessWord &word : *words) {
    Result<std::vector<pid_t>> pids = std::vector<pid_t>{word.number};
    if (word.is_group) pids = runtime::processes_of_group(word.number);
    if (!pids) return std::move(pids).error();
    for (const pid_t number : *pids) {
      const Result<pid_t> pid = targets_.grab(number);
      // One of a group may have ended meanwhile.
      if (!pid && word.is_group && pids->size() > 1 && kill(number, 0) != 0 && errno == ESRCH) continue;
      if (!pid) return pid.error();
      symbolizer_->remember(*pid);
    }
  }
  return ok();
}

// ---------------------------------------------------------------- programs

MacroProcesses Compiler::macro_processes() const {
  MacroProcesses processes;
  const pid_t target = targets_.empty() && !inside_.empty() ? inside_.front() : targets_.first_pid();
  if (!targets_.empty() || !inside_.empty()) processes.target = target;
  if (targets_.empty()) processes.targets_in_probes.assign(inside_.begin(), inside_.end());
  return processes;
}

std::optional<Rejection> Compiler::add_program(const ProgramText &program, const MacroArguments &arguments,
                                               bool parse_only) {
  std::optional<tree::Program> checked;
  std::optional<Rejection> rejection = check_program(program, arguments, checked, parse_only);
  // Numbers may be wrong without these, so option quiet does not hide them.
  for (const std::string &problem : catalog_->take_problems()) client_.report(problem);
  if (checked) enable(std::move(*checked));
  return rejection;
}

void Compiler::enable(tree::Program program) { front_end_->unit().programs.push_back(std::move(program)); }

std::optional<Rejection> Compiler::check_program(const ProgramText &program, const MacroArguments &arguments,
                                                 std::optional<tree::Program> &checked, bool parse_only) {
  Rejection rejection;
  Result<std::string> text = text_of(program, options_, client_);
  if (!text) {
    rejection.message = text.error().text();
    return rejection;
  }
  const ast::Ast *ast = parse_program(*front_end_, program, std::move(*text),
                                      macros_of(program, arguments, options_, macro_processes()), rejection);
  if (ast != nullptr && parse_only) return std::nullopt;
  // A pragma may have asked for these.
  catalog_->trust_return_probes(options_.list(Opt::uretprobes));
  if (const Result<Unit> follows = follow_targets(); !follows) {
    rejection.message = follows.error().text();
    return rejection;
  }
  const std::string problem = kernel_->btf() == nullptr ? kernel_->btf_error() : std::string();
  checked = tracer::check_program(*front_end_, program, ast, problem, rejection);
  if (!checked) return rejection;
  report_warnings(*front_end_, rejection.diagnostics, options_, client_);
  debug(fmt::format("{} compiled (clauses: {}, probes: {})", checked->name, checked->clauses.size(), checked->matched));
  return std::nullopt;
}

void Compiler::close() {
  const bool demangle = !options_.is_set(Opt::demangle) || options_.flag(Opt::demangle);
  symbolizer_->set_demangle(demangle);
  symbolizer_->show_source(!options_.is_set(Opt::inlines) || options_.flag(Opt::inlines), options_.flag(Opt::lines));
  catalog_->show_readable_names(demangle);
}

// ---------------------------------------------------------------- code

size_t Compiler::matched() const { return nr_matched(unit()); }

std::string Compiler::position_of(size_t clause) const { return tracer::position_of(*front_end_, clause); }

size_t Compiler::nr_probes() const {
  std::vector<ProbeId> all;
  for (const tree::Program &program : unit().programs)
    for (const tree::Clause &clause : program.clauses)
      all.insert(all.end(), clause.probes.begin(), clause.probes.end());
  std::ranges::sort(all);
  return static_cast<size_t>(std::ranges::unique(all).begin() - all.begin());
}

std::string Compiler::reason_not_to_run() const {
  if (std::string reason = no_probes(unit(), options_); !reason.empty()) return reason;
  if (std::ranges::any_of(unit().programs, &tree::Program::destructive) && !options_.flag(Opt::destructive))
    return "could not enable tracing: Destructive actions not allowed";
  return {};
}

codegen::CompileInput Compiler::compile_input(unsigned listing) {
  return {unit(),  front_end_->sources(), *types_,       options_,        *catalog_,        kernel_->possible_cpus(),
          listing, arch::host_machine(),  records_.time, records_.thread, records_.in_order};
}

StoreUse Compiler::store_use(unsigned listing) {
  const std::string &mode = options_.string(Opt::cache);
  const bool check = mode == "check";
  // The numbers of processes are in their programs: the same will hardly be asked for again.
  if (mode == "off" || listing != 0 || (!check && (!targets_.empty() || !inside_.empty()))) return {};
  const std::string &folder = options_.string(Opt::cachedir);
  Result<std::unique_ptr<runtime::ObjectFiles>> opened =
      runtime::ObjectFiles::open(folder.empty() ? runtime::ObjectFiles::kFolder : folder, runtime::build_and_kernel());
  if (!opened) {
    debug("no cache of compiled programs: " + opened.error().text());
    return {};
  }
  store_ = std::move(*opened);
  return {store_.get(), check};
}

Result<codegen::CompiledObject> Compiler::generate(unsigned listing, const codegen::Planned &planned) {
  Result<codegen::CompiledObject> object = codegen::compile(compile_input(listing), planned, store_use(listing));
  if (object)
    debug(
        fmt::format("{} {} bytes of BPF", object->was_kept ? "read from the cache" : "generated", object->elf.size()));
  return object;
}

}  // namespace dtrace::tracer
