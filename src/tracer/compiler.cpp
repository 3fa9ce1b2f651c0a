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

constexpr const char *kMacroNames[] = {"pid", "ppid", "pgid",   "sid",    "uid",    "euid",
                                       "gid", "egid", "target", "projid", "taskid", "zoneid"};

/// Editors of other systems begin a text with it; it is no part of what was written.
constexpr std::string_view kByteOrderMark = "\xef\xbb\xbf";

/// -i takes a number, and a clause right after it if there is one.
bool is_probe_id(const std::string &text) {
  const size_t end = text.find_first_not_of("0123456789");
  const size_t next = std::min(text.find_first_not_of(" \t\n", end), text.size());
  return end != 0 && (next == text.size() || std::strchr("{/;,", text[next]) != nullptr);
}

ProbeField field_of(ProgramText::Kind kind) {
  switch (kind) {
    case ProgramText::Kind::kProvider:
      return ProbeField::kProvider;
    case ProgramText::Kind::kModule:
      return ProbeField::kModule;
    case ProgramText::Kind::kFunction:
      return ProbeField::kFunction;
    default:
      return ProbeField::kName;
  }
}

bool is_script(const ProgramText &program) { return program.kind == ProgramText::Kind::kScript; }

/// The most frames of a kernel stack: the sysctl, which the kernel's helpers obey.
std::optional<uint64_t> max_kernel_frames() {
  const Result<std::string> text = read_file("/proc/sys/kernel/perf_event_max_stack");
  if (!text) return std::nullopt;
  const uint64_t frames = std::strtoull(text->c_str(), nullptr, 10);
  return frames == 0 ? std::nullopt : std::optional(frames);
}

/// What comes before a clause.
std::string description_of(const std::string &text) { return text.substr(0, text.find_first_of("{/;")); }

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
  if (const std::optional<uint64_t> frames = max_kernel_frames()) front_end_->set_max_kernel_frames(*frames);
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

PreprocessOptions Compiler::preprocess_options(const std::string &script) const {
  PreprocessOptions cpp;
  cpp.cpp = options_.string(Opt::cpppath);
  for (const std::string &extra : options_.list(Opt::cppargs)) cpp.extra += (cpp.extra.empty() ? "" : " ") + extra;
  for (const auto &[option, value] : options_.in_order())
    if (option == Opt::define || option == Opt::undef || option == Opt::incdir)
      cpp.arguments.emplace_back(option == Opt::define ? 'D' : option == Opt::undef ? 'U' : 'I', value);
  cpp.list_headers = options_.flag(Opt::cpphdrs);
  cpp.ends_by_signals = client_.lends_signals();
  cpp.conformance = options_.string(Opt::stdc).front();
  cpp.version = kLanguageVersion;
  cpp.script = script;
  runtime::ask_uname(cpp);
  return cpp;
}

Result<std::string> Compiler::text_of(const ProgramText &program) const {
  if (program.kind == ProgramText::Kind::kId && !is_probe_id(program.text))
    return Error(fmt::format("invalid probe specifier {}: invalid probe description \"{}\": Unknown probe identifier",
                             program.text, description_of(program.text)));
  if (!is_script(program)) return program.text;
  Result<std::string> read = program.contents ? Result<std::string>(*program.contents) : read_file(program.text);
  if (!read) return Error(fmt::format("failed to open {}", read.error().text()));
  if (read->starts_with(kByteOrderMark)) read->erase(0, kByteOrderMark.size());
  if (!options_.flag(Opt::cpp)) return read;
  Result<std::string> processed = runtime::preprocess(preprocess_options(program.text), *read);
  if (!processed) return Error(fmt::format("failed to compile script {}: {}", program.text, processed.error().text()));
  return processed;
}

Macros Compiler::macros_of(const ProgramText &program, const MacroArguments &arguments) const {
  Macros macros;
  macros.arguments.push_back(is_script(program) ? program.text : arguments.argv0);
  macros.arguments.insert(macros.arguments.end(), arguments.rest.begin(), arguments.rest.end());
  for (const std::string_view name : kMacroNames) {
    if (name == "target" && targets_.empty() && inside_.empty() && !options_.flag(Opt::defaultargs)) continue;
    const pid_t target = targets_.empty() && !inside_.empty() ? inside_.front() : targets_.first_pid();
    if (const std::optional<int64_t> value = runtime::macro_value(name, target))
      macros.variables.emplace_back(name, *value);
  }
  if (targets_.empty()) macros.targets.assign(inside_.begin(), inside_.end());
  return macros;
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
  Result<std::string> text = text_of(program);
  if (!text) {
    rejection.message = text.error().text();
    return rejection;
  }
  const SourceKind kind = is_script(program) ? SourceKind::kScript : SourceKind::kString;
  const ast::Ast *ast = front_end_->parse({program.text, std::move(*text), kind, field_of(program.kind)},
                                          macros_of(program, arguments), rejection.diagnostics);
  if (ast != nullptr && parse_only) return std::nullopt;
  // A pragma may have asked for these.
  catalog_->trust_return_probes(options_.list(Opt::uretprobes));
  if (const Result<Unit> follows = follow_targets(); !follows) {
    rejection.message = follows.error().text();
    return rejection;
  }
  if (ast != nullptr) checked = front_end_->check(*ast, rejection.diagnostics);
  if (!checked) {
    if (const std::string &conflict = front_end_->library_conflict(); !conflict.empty())
      rejection.of_libraries.push_back(conflict);
    // Libraries are written in the kernel's types.
    if (!front_end_->library_failures().empty() && kernel_->btf() == nullptr)
      rejection.of_libraries.push_back(kernel_->btf_error());
    rejection.of_libraries.insert(rejection.of_libraries.end(), front_end_->library_failures().begin(),
                                  front_end_->library_failures().end());
    return rejection;
  }
  if (const std::string &conflict = front_end_->library_conflict(); !conflict.empty()) {
    checked.reset();
    rejection.message = conflict;
    return rejection;
  }
  for (const Diagnostic &warning : rejection.diagnostics.warnings())
    client_.report(
        fmt::format("warning: {}", render(warning, front_end_->sources(), {options_.flag(Opt::errtags), false})));
  checked->name = is_script(program) ? program.text : description_of(program.text);
  checked->is_script = is_script(program);
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

std::string Compiler::position_of(size_t clause) const {
  const std::vector<tree::Program> &programs = unit().programs;
  for (const tree::Program &program : programs) {
    if (clause >= program.clauses.size()) {
      clause -= program.clauses.size();
      continue;
    }
    const Span span = program.clauses[clause].desc_span;
    const Sources &sources = front_end_->sources();
    const Position position = sources.position(span);
    if (sources[span.source].kind == SourceKind::kString)
      return fmt::format("line {}, column {}", position.line, position.column) +
             (programs.size() == 1 ? "" : fmt::format(" of program {}", &program - programs.data() + 1));
    return fmt::format("line {} of {}", position.line,
                       printable(std::string_view(position.file).substr(position.file.rfind('/') + 1)));
  }
  return {};
}

size_t Compiler::matched() const {
  size_t sum = 0;
  for (const tree::Program &program : unit().programs) sum += program.matched;
  return sum;
}

size_t Compiler::nr_probes() const {
  std::vector<ProbeId> all;
  for (const tree::Program &program : unit().programs)
    for (const tree::Clause &clause : program.clauses)
      all.insert(all.end(), clause.probes.begin(), clause.probes.end());
  std::ranges::sort(all);
  return static_cast<size_t>(std::ranges::unique(all).begin() - all.begin());
}

std::string Compiler::reason_not_to_run() const {
  if (matched() == 0 && !options_.flag(Opt::zdefs))
    return unit().programs.empty() ? "no probes specified" : "no probes matched";
  if (std::ranges::any_of(unit().programs, &tree::Program::destructive) && !options_.flag(Opt::destructive))
    return "could not enable tracing: Destructive actions not allowed";
  return {};
}

codegen::CompileInput Compiler::compile_input(unsigned listing) {
  return {unit(),  front_end_->sources(), *types_,      options_,      *catalog_, kernel_->possible_cpus(),
          listing, arch::host_machine(),  record_time_, record_thread_};
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
