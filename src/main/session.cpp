// SPDX-License-Identifier: Apache-2.0
#include "main/session.h"

#include <dirent.h>
#include <fcntl.h>
#include <fmt/format.h>
#include <poll.h>
#include <sys/resource.h>
#include <unistd.h>

#include <algorithm>
#include <cctype>
#include <cerrno>
#include <charconv>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <optional>
#include <sstream>

#include "base/printable.h"
#include "frontend/lang/stability.h"
#include "frontend/text/hints.h"
#include "frontend/tree/derivation.h"
#include "main/signals.h"
#include "runtime/process/macros.h"
#include "runtime/process/preprocess_run.h"

extern char **environ;

namespace dtrace {
namespace {

constexpr const char *kMacroNames[] = {"pid", "ppid", "pgid",   "sid",    "uid",    "euid",
                                       "gid", "egid", "target", "projid", "taskid", "zoneid"};

/// Editors of other systems begin a text with it; it is no part of what was written.
constexpr std::string_view kByteOrderMark = "\xef\xbb\xbf";

/// The D library of this installation: beside the executable's directory, in lib*/dtrace.
std::string default_library_directory() {
  char path[4096];
  ssize_t length = readlink("/proc/self/exe", path, sizeof path - 1);
  if (length <= 0) return {};
  std::string prefix(path, static_cast<size_t>(length));
  for (int i = 0; i < 2; ++i) prefix.resize(std::min(prefix.rfind('/'), prefix.size()));
  for (const char *candidate : {DTRACE_LIBRARY_DIR, "lib/dtrace", "lib64/dtrace", "share/dtrace"}) {
    std::string directory = prefix + "/" + candidate;
    if (access(directory.c_str(), R_OK) == 0) return directory;
  }
  return {};
}

std::vector<LibraryFile> read_directory(const std::string &directory) {
  std::vector<LibraryFile> files;
  DIR *dir = opendir(directory.c_str());
  if (dir == nullptr) {  // DTrace goes on without a word; whoever mistyped -L would look for their names in vain
    report(fmt::format("warning: no D libraries in {}: {}", directory, std::strerror(errno)));
    return files;
  }
  while (dirent *entry = readdir(dir)) {
    std::string_view name = entry->d_name;
    if (name.starts_with('.') || !name.ends_with(".d")) continue;
    std::string path = directory + "/" + entry->d_name;
    if (Result<std::string> text = read_file(path)) files.push_back({std::move(path), std::move(*text)});
  }
  closedir(dir);
  std::sort(files.begin(), files.end(), [](const LibraryFile &a, const LibraryFile &b) { return a.path < b.path; });
  return files;
}

/// -i takes a number, and a clause right after it if there is one.
bool is_probe_id(const std::string &text) {
  const size_t end = text.find_first_not_of("0123456789");
  const size_t next = std::min(text.find_first_not_of(" \t\n", end), text.size());
  return end != 0 && (next == text.size() || std::strchr("{/;,", text[next]) != nullptr);
}

/// After the message: the name that may have been meant, or what the option takes.
std::string option_note(std::string_view name, OptionError error) {
  if (error == OptionError::kBadValue) return fmt::format("\n  note: {} takes {}", name, option_value_text(name));
  const std::string_view nearest = error == OptionError::kUnknownName ? nearest_option(name) : std::string_view();
  return nearest.empty() ? std::string() : fmt::format("\n  note: did you mean {}?", nearest);
}

ProbeField field_of(ProgramSpec::Kind kind) {
  switch (kind) {
    case ProgramSpec::Kind::kProvider:
      return ProbeField::kProvider;
    case ProgramSpec::Kind::kModule:
      return ProbeField::kModule;
    case ProgramSpec::Kind::kFunction:
      return ProbeField::kFunction;
    default:
      return ProbeField::kName;
  }
}

}  // namespace

// Nobody may be reading: a message that cannot be delivered stops nothing.
void complain(std::string_view text) {
  using Clock = std::chrono::steady_clock;
  std::optional<Clock::time_point> stuck_since;
  while (!text.empty()) {
    const ssize_t count = ::write(STDERR_FILENO, text.data(), text.size());
    if (count >= 0) {
      text.remove_prefix(static_cast<size_t>(count));
      stuck_since.reset();
      continue;
    }
    if (errno == EAGAIN) {
      pollfd ready{STDERR_FILENO, POLLOUT, 0};
      if (::poll(&ready, 1, -1) >= 0) continue;
    }
    if (errno != EINTR) return;
    // Nothing interrupts us but requests to end: they are not kept waiting by messages that nobody reads.
    if (!stuck_since) stuck_since = Clock::now();
    if (Clock::now() - *stuck_since < Interrupts::kPatience) continue;
    if (const Fd nowhere(::open("/dev/null", O_WRONLY | O_CLOEXEC)); nowhere)
      (void)::dup2(nowhere.get(), STDERR_FILENO);
    return;
  }
}

void report(std::string_view text) { complain(fmt::format("dtrace: {}\n", text)); }

Session::Session(const CommandLine &line_) : line(line_) {}

void Session::debug(std::string_view step) const {
  if (!options.flag(Opt::debug)) return;
  const std::chrono::duration<double, std::milli> since = std::chrono::steady_clock::now() - start_;
  complain(fmt::format("libdtrace DEBUG {:.1f} ms: {}\n", since.count(), step));
}

/// Kernels before 5.11 charge maps to the limit of locked memory. Later ones do not, so that a refusal is no failure;
/// if it mattered, making the maps fails.
void Session::raise_memory_limit() const {
  const std::string &text = options.string(Opt::lockmem);
  if (text.empty()) return;
  const std::optional<int64_t> bytes = text == "unlimited" ? std::nullopt : parse_size(text);
  const rlim_t limit = bytes ? static_cast<rlim_t>(*bytes) : RLIM_INFINITY;
  const rlimit wanted{limit, limit};
  if (setrlimit(RLIMIT_MEMLOCK, &wanted) != 0) debug(fmt::format("lockmem: {}", std::strerror(errno)));
}
Session::~Session() = default;

bool Session::apply_options() {
  auto fail = [](const std::string &as_written, std::string_view name, OptionError error) {
    report(fmt::format("failed to set {}: {}{}", as_written, text(error), option_note(name, error)));
    return false;
  };
  if (auto bad = options.set_from_environment(environ)) {
    std::string variable = "DTRACE_OPT_" + bad->first;
    for (char &c : variable) c = static_cast<char>(std::toupper(static_cast<unsigned char>(c)));
    return fail(variable, bad->first, bad->second);
  }
  for (const auto &[name, value] : line.settings) {
    OptionError error = options.set(name, value, OptionSource::kCommandLine);
    if (error != OptionError::kNone) return fail("-x " + name, name, error);
  }
  if (options.is_set(Opt::amin) && !parse_attributes(options.string(Opt::amin)))
    return fail("-x amin", option_name(Opt::amin), OptionError::kBadValue);
  if (std::getenv("DTRACE_DEBUG") != nullptr) options.set("debug", std::nullopt, OptionSource::kEnvironment);
  raise_memory_limit();
  if (options.flag(Opt::grabanon)) {
    report("anonymous tracing is not supported on Linux");
    return false;
  }
  if (line.mode == CommandLine::Mode::kList || line.mode == CommandLine::Mode::kHeader ||
      line.mode == CommandLine::Mode::kLink)
    options.set("zdefs", std::nullopt, OptionSource::kCommandLine);

  kernel_ = std::make_unique<KernelInfo>(options.string(Opt::btfpath));
  types_ = std::make_unique<TypeTable>(static_cast<uint64_t>(options.number(Opt::strsize)));
  KernelBtf *btf = kernel_->kernel_btf();
  if (const std::string &path = options.string(Opt::btfpath); btf == nullptr && !path.empty() && path != "none") {
    report(fmt::format("-x btfpath={}: {}", path, kernel_->btf_error()));
    return false;
  }
  if (btf != nullptr) {
    types_->add_btf(&btf->vmlinux());
    types_->set_module_loader([btf](std::string_view module) { return btf->load(module); });
  }
  catalog_ = std::make_unique<Catalog>(*kernel_);
  if (line.mode == CommandLine::Mode::kList) catalog_->list_each_process();
  SymbolizerOptions symbolizer_options;
  symbolizer_options.no_resolve = options.flag(Opt::noresolve);
  symbolizer_ = std::make_unique<SystemSymbolizer>(symbolizer_options);
  symbol_source_ = std::make_unique<KernelSymbolSource>(*kernel_, symbolizer_->kernel());
  checker_ = std::make_unique<Checker>(unit_);
  return true;
}

std::vector<std::string> Session::command_environment() const {
  std::vector<std::string> variables;
  for (char **entry = environ; *entry != nullptr; ++entry) variables.emplace_back(*entry);
  auto forget = [&](std::string_view name) {
    std::erase_if(variables, [&](std::string_view entry) { return entry.substr(0, entry.find('=')) == name; });
  };
  constexpr Opt kWanted[] = {Opt::setenv, Opt::unsetenv};
  each_setting(kWanted, [&](Opt option, const std::string &value) {
    forget(std::string_view(value).substr(0, value.find('=')));
    if (option == Opt::setenv) variables.push_back(value);
  });
  return variables;
}

void Session::each_setting(std::span<const Opt> wanted,
                           const std::function<void(Opt option, const std::string &value)> &take) const {
  for (Opt option : wanted) {
    const auto on_line = std::count_if(line.settings.begin(), line.settings.end(),
                                       [&](const auto &setting) { return setting.first == option_name(option); });
    const std::vector<std::string> &all = options.list(option);
    for (size_t i = 0; i + static_cast<size_t>(on_line) < all.size(); i++) take(option, all[i]);
  }
  for (const auto &[name, value] : line.settings)
    for (Opt option : wanted)
      if (name == option_name(option) && value) take(option, *value);
}

void Session::look_for_evaltime() {
  if (line.processes.empty() || options.flag(Opt::cpp)) return;
  for (const ProgramSpec &spec : line.programs) {
    std::error_code error;
    const bool is_script = spec.kind == ProgramSpec::Kind::kScript;
    if (is_script && !std::filesystem::is_regular_file(spec.text, error)) continue;  // a pipe is read once
    const Result<std::string> text = is_script ? read_file(spec.text) : Result<std::string>(spec.text);
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
        (void)options.set(option_name(Opt::evaltime), std::string_view(setting).substr(name.size()),
                          OptionSource::kCommandLine);  // a value that is wrong is reported when it is compiled
    }
  }
}

bool Session::take_processes() {
  look_for_evaltime();
  const std::optional<EvalTime> when = parse_evaltime(options.string(Opt::evaltime));
  const std::vector<std::string> environment = command_environment();
  for (const ProcessSpec &spec : line.processes) {
    Result<pid_t> pid = 0;
    if (spec.is_command) {
      pid = targets_.create(spec.text, *when, environment);
    } else {
      const std::string_view text = spec.text;
      pid_t number = 0;
      const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
      if (error != std::errc() || end != text.data() + text.size() || number <= 0) {
        report(fmt::format("invalid pid: {}", printable(text)));
        return false;
      }
      pid = targets_.grab(number);
    }
    if (!pid) {
      report(pid.error().text());
      return false;
    }
    symbolizer_->remember(*pid);
  }
  return true;
}

std::string Session::set_option_from_pragma(std::string_view name, std::string_view value, bool has_value) {
  std::optional<std::string_view> given;
  if (has_value) given = value;
  // Processes are held before a program is compiled: look_for_evaltime() has set it.
  const bool was_seen = given && name == option_name(Opt::evaltime) && options.string(Opt::evaltime) == *given;
  OptionError error = was_seen ? OptionError::kNone : options.set(name, given, OptionSource::kProgram);
  if (error == OptionError::kNone && name == option_name(Opt::strsize))
    types_->set_strsize(static_cast<uint64_t>(options.number(Opt::strsize)));
  return std::string(text(error));
}

std::unique_ptr<ast::Ast> Session::parse_text(uint32_t source, ProbeField field, bool command_line, Macros &macros,
                                              Diagnostics &diags) {
  ParseInput input;
  input.source = source;
  input.field = field;
  input.command_line = command_line;
  input.pspec = options.flag(Opt::pspec) || command_line;
  input.allow_empty = options.flag(Opt::empty);
  input.macros = &macros;
  input.oracle.is_type = [this](std::string_view name) { return types_->is_type_name(name); };
  input.oracle.is_global = [this](std::string_view name) { return checker_->is_global(name); };
  auto read_options = [this, &macros] {
    macros.default_arguments = options.flag(Opt::defaultargs);
    macros.allow_unused |= options.flag(Opt::argref);
  };
  read_options();
  input.set_option = [this, read_options](std::string_view name, std::string_view value, bool has_value) {
    std::string error = set_option_from_pragma(name, value, has_value);
    read_options();  // a pragma holds for the text that follows it
    return error;
  };
  return parse(input, sources, diags);
}

bool Session::load_library_index() {
  catalog_->use_checker(
      [this](const std::string &name, std::string_view text) { return check_definition(name, text); });
  if (options.flag(Opt::nolibs)) return true;
  std::vector<std::vector<LibraryFile>> directories;
  std::string system = options.string(Opt::syslibdir);
  if (system.empty()) system = default_library_directory();
  if (!system.empty()) directories.push_back(read_directory(system));
  for (const std::string &directory : options.list(Opt::libdir)) directories.push_back(read_directory(directory));
  Diagnostics diags;
  LibraryEnvironment environment;
  environment.has_module = [this](std::string_view name) {
    return name == "vmlinux" || (kernel_->kernel_btf() != nullptr && kernel_->kernel_btf()->module(name));
  };
  environment.has_provider = [](std::string_view name) {
    return std::any_of(std::begin(kProviders), std::end(kProviders),
                       [&](const ProviderRow &row) { return row.name == name; });
  };
  libraries_ = LibraryIndex::create(std::move(directories), environment, sources, diags);
  if (!diags.ok()) {
    report("failed to initialize dtrace: " + render(diags.list().front(), sources, {}));
    return false;
  }
  catalog_->use_library([this](std::string_view provider) { return libraries_->file_of_provider(provider); });
  auto load = [this](std::string_view name) {
    std::optional<uint32_t> file = libraries_->file_of(name);
    if (!file) return false;
    note_conflict(name);
    return check_library_file(*file);
  };
  types_->set_fallback([load](TagKind, std::string_view name) { return load(name); });
  checker_->set_library_fallback([this, load](std::string_view name) {
    const bool loaded = load(name);
    const std::optional<uint32_t> file =
        loaded && !checker_->is_global(name) ? libraries_->file_of(name) : std::nullopt;
    const auto failed = file ? library_check_failures_.find(*file) : library_check_failures_.end();
    if (failed != library_check_failures_.end()) library_failures_.push_back(failed->second);
    return loaded;
  });
  checker_->set_translator_fallback([this](std::string_view, std::string_view output) {
    bool any = false;
    note_conflict("translator " + std::string(output));
    for (uint32_t file : libraries_->translators_to(output)) any |= check_library_file(file);
    return any;
  });
  return true;
}

bool Session::check_library_file(uint32_t file) {
  std::optional<uint32_t> source = libraries_->claim(file);
  if (!source) return false;  // loaded before, or being loaded further up
  if (const std::string missing = libraries_->missing_library(file); !missing.empty()) {
    library_failures_.push_back(
        fmt::format("D library {} depends on library {}, which does not exist", libraries_->path(file), missing));
    return false;
  }
  Diagnostics diags;
  const auto failure_text = [&](const Diagnostics &failed) {
    return fmt::format("failed to compile D library {}: {}", libraries_->path(file),
                       render(failed.list().front(), sources, {options.flag(Opt::errtags), false}));
  };
  Macros no_macros;
  no_macros.allow_unused = true;
  std::unique_ptr<ast::Ast> ast = parse_text(*source, ProbeField::kName, false, no_macros, diags);
  if (!diags.ok()) library_failures_.push_back(failure_text(diags));
  if (ast == nullptr) return false;
  CheckInput input{*ast, sources, *types_, *catalog_, *symbol_source_, options, true};
  Diagnostics own;
  checker_->check(input, own);
  // A declaration that does not fit this kernel harms only those who use it.
  if (diags.ok() && !own.ok()) library_check_failures_.emplace(file, failure_text(own));
  asts_.push_back(std::move(ast));
  return true;
}

void Session::note_conflict(std::string_view name) {
  if (std::string text = libraries_->conflict(name); !text.empty()) library_conflict_ = std::move(text);
}

/// The text of a probe that a provider tells in D. What the user asks of programs is not asked of it.
Result<ProbeOrigins> Session::check_definition(const std::string &name, std::string_view text) {
  Options own = options;
  own.set(option_name(Opt::zdefs), std::nullopt, OptionSource::kCommandLine);
  own.unset(Opt::amin);
  Diagnostics diags;
  Macros no_macros;
  const uint32_t source = sources.add(name, std::string(text), SourceKind::kLibrary);
  std::unique_ptr<ast::Ast> ast = parse_text(source, ProbeField::kName, false, no_macros, diags);
  std::optional<tree::Program> program;
  if (diags.ok() && ast != nullptr) {
    CheckInput input{*ast, sources, *types_, *catalog_, *symbol_source_, own, false};
    program = checker_->check(input, diags);
    asts_.push_back(std::move(ast));
  }
  if (!program) return Error(diags.ok() ? "internal error" : render(diags.list().front(), sources, {}));
  return derive(*program, unit_);
}

bool Session::check_programs() {
  if (line.data_model == 32 && !line.programs.empty()) {
    report("-32: D programs are compiled for this kernel, which has 64 bits; -32 is for -h and -G");
    return false;
  }
  if (!load_library_index()) return false;
  for (const ProgramSpec &spec : line.programs)
    if (!check_program(spec)) return false;
  if (line.buffered && options.string(Opt::format) != "text") {
    report("-B shows text, and no other format");
    return false;
  }
  // Programs may have set it.
  const bool demangle = !options.is_set(Opt::demangle) || options.flag(Opt::demangle);
  symbolizer_->set_demangle(demangle);
  catalog_->show_readable_names(demangle);
  return true;
}

bool Session::check_program(const ProgramSpec &spec) {
  const bool is_script = spec.kind == ProgramSpec::Kind::kScript;
  if (spec.kind == ProgramSpec::Kind::kId && !is_probe_id(spec.text)) {
    report(fmt::format("invalid probe specifier {}: invalid probe description \"{}\": Unknown probe identifier",
                       spec.text, spec.text.substr(0, spec.text.find_first_of("{/;"))));
    return false;
  }
  std::string text = spec.text;
  if (is_script) {
    Result<std::string> read = read_file(spec.text);
    if (!read) {
      report(fmt::format("failed to open {}", read.error().text()));
      return false;
    }
    text = std::move(*read);
    if (text.starts_with(kByteOrderMark)) text.erase(0, kByteOrderMark.size());
    if (options.flag(Opt::cpp)) {
      Result<std::string> processed = preprocess(preprocess_options(spec.text), text);
      if (!processed) {
        report(fmt::format("failed to compile script {}: {}", spec.text, processed.error().text()));
        return false;
      }
      text = std::move(*processed);
    }
  }
  Macros macros;
  macros.arguments.push_back(is_script ? spec.text : line.argv0);
  for (const std::string &operand : line.operands) macros.arguments.push_back(operand);
  for (const std::string_view name : kMacroNames) {
    if (name == "target" && targets_.empty() && !options.flag(Opt::defaultargs)) continue;
    if (std::optional<int64_t> value = macro_value(name, targets_.first_pid()))
      macros.variables.emplace_back(name, *value);
  }

  Diagnostics diags;
  const uint32_t source =
      sources.add(spec.text, std::move(text), is_script ? SourceKind::kScript : SourceKind::kString);
  std::unique_ptr<ast::Ast> ast = parse_text(source, field_of(spec.kind), !is_script, macros, diags);
  if (!diags.ok() || ast == nullptr) {
    report_failure(spec, diags);
    return false;
  }
  if (line.stop_after == "parse") {
    asts_.push_back(std::move(ast));
    return true;
  }
  CheckInput input{*ast, sources, *types_, *catalog_, *symbol_source_, options, false};
  std::optional<tree::Program> program = checker_->check(input, diags);
  asts_.push_back(std::move(ast));  // the typed tree and inlines keep views into it
  if (!diags.ok() || !program) {
    report_failure(spec, diags);
    return false;
  }
  if (!library_conflict_.empty()) {
    report(library_conflict_);
    return false;
  }
  for (const Diagnostic &warning : diags.warnings())
    report(fmt::format("warning: {}", render(warning, sources, {options.flag(Opt::errtags), false})));
  program->name = is_script ? spec.text : spec.text.substr(0, spec.text.find_first_of("{/;"));
  program->is_script = is_script;
  debug(fmt::format("{} compiled (clauses: {}, probes: {})", program->name, program->clauses.size(), program->matched));
  unit_.programs.push_back(std::move(*program));
  return true;
}

PreprocessOptions Session::preprocess_options(const std::string &script) const {
  PreprocessOptions cpp;
  cpp.cpp = options.string(Opt::cpppath);
  for (const std::string &extra : options.list(Opt::cppargs)) cpp.extra += (cpp.extra.empty() ? "" : " ") + extra;
  // -D, -U and -I keep their order on the command line; those of the environment come first.
  constexpr Opt kWanted[] = {Opt::define, Opt::undef, Opt::incdir};
  each_setting(kWanted, [&](Opt option, const std::string &value) {
    cpp.arguments.emplace_back(option == Opt::define ? 'D' : option == Opt::undef ? 'U' : 'I', value);
  });
  cpp.list_headers = options.flag(Opt::cpphdrs);
  cpp.conformance = options.string(Opt::stdc).front();
  cpp.version = kLanguageVersion;
  cpp.script = script;
  ask_uname(cpp);
  return cpp;
}

void Session::report_failure(const ProgramSpec &spec, const Diagnostics &diags) {
  // What a library lacks is most likely why the program does not compile.
  if (!library_conflict_.empty()) report(library_conflict_);
  for (const std::string &failure : library_failures_) report(failure);
  RenderOptions render_options;
  render_options.tags = options.flag(Opt::errtags);
  render_options.human = !render_options.tags;
  if (line.dump)  // the outcome of the phase is then its first diagnostic
    if (!diags.ok()) fmt::print("{}\n", render(diags.list().front(), sources, {.tags = true, .human = true}));
  const bool is_script = spec.kind == ProgramSpec::Kind::kScript;
  std::string what = is_script ? "failed to compile script " : "invalid probe specifier ";
  const bool is_short = is_script || spec.text.find_first_of("{/;\n") == std::string::npos;
  if (is_short || render_options.tags)
    what += spec.text;
  else
    what.pop_back();  // the source line below shows the program
  if (diags.ok()) return report(what + ": internal error");
  const std::vector<const Diagnostic *> errors = diags.independent();
  const size_t shown = render_options.tags ? 1 : std::min(errors.size(), Diagnostics::kMaxShown);
  for (size_t i = 0; i < shown; ++i) report(fmt::format("{}: {}", what, render(*errors[i], sources, render_options)));
  const size_t left = errors.size() - shown;
  if (left > 0 && !render_options.tags) report(fmt::format("{} more error{}", left, left == 1 ? "" : "s"));
}

size_t Session::matched() const {
  size_t sum = 0;
  for (const tree::Program &program : unit_.programs) sum += program.matched;
  return sum;
}

Result<CompiledObject> Session::generate() {
  CompileInput input{
      unit_,
      sources,
      *types_,
      options,
      *catalog_,
      kernel_->possible_cpus(),
      line.list_intermediate || options.flag(Opt::verbose) ? static_cast<unsigned>(options.number(Opt::disasm)) : 0};
  Result<CompiledObject> object = compile(input);
  if (object) debug(fmt::format("generated {} bytes of BPF", object->elf.size()));
  return object;
}

}  // namespace dtrace
