// SPDX-License-Identifier: Apache-2.0
// dtrace(8). Options in, then the phases in order: check, generate, trace.
#include <fcntl.h>
#include <fmt/format.h>
#include <sys/resource.h>
#include <unistd.h>

#include <cerrno>
#include <csignal>
#include <cstdlib>
#include <cstring>
#include <new>

#include "base/file_limit.h"
#include "build_tools/build_tools.h"
#include "command_line/command_line.h"
#include "frontend/syntax/preprocess.h"
#include "main/list_output.h"
#include "main/live.h"
#include "main/merging.h"
#include "main/outputs.h"
#include "main/recording.h"
#include "main/rejection.h"
#include "main/replaying.h"
#include "main/signals.h"
#include "main/terminal.h"
#include "main/tracing.h"
#include "plan/plan_dump.h"
#include "runtime/kernel/kernel_features.h"
#include "runtime/kernel/privileges.h"
#include "serving/exporter_process.h"
#include "tracer/compiler.h"
#include "tracer/enable.h"
#include "tracer/listing.h"
#include "tracer/option_setting.h"

namespace dtrace::command {
namespace {

constexpr int kFatal = 1;
constexpr int kUsage = 2;

/// If fd 0-2 is closed, open /dev/null in the wrong direction so that stray I/O fails, rather than reaching a map or a
/// file of ours that got the number.
void occupy_standard_streams() {
  for (int fd = STDIN_FILENO; fd <= STDERR_FILENO; ++fd)
    if (fcntl(fd, F_GETFD) < 0) (void)open("/dev/null", fd == STDIN_FILENO ? O_WRONLY : O_RDONLY);
}

int fail(const std::string &text) {
  report(text);
  return kFatal;
}

/// Writes what has gathered. Exit status.
int finish(runtime::Output &output, const std::string &name = "<stdout>") {
  const Result<Unit> written = output.flush();
  return written ? 0
                 : fail(fmt::format("failed to write to {}: {}", name, std::strerror(written.error().errno_value())));
}

/// Prints to standard output. Exit status.
int say(const std::string &text) {
  runtime::FdOutput output(STDOUT_FILENO);
  output.text() = text;
  return finish(output);
}

/// The first of some probes, and how many others there are.
std::string named(const std::set<std::string> &probes) {
  const size_t others = probes.size() - 1;
  return *probes.begin() + (others == 0 ? "" : fmt::format(" and {} other{}", others, others == 1 ? "" : "s"));
}

void report_matches(tracer::Compiler &compiler) {
  // Numbers may be wrong without this, so option quiet does not hide it.
  for (const auto &[shortfall, probes] : compiler.catalog().shortfalls())
    report(fmt::format("{} {} set, but {}", named(probes), probes.size() == 1 ? "is" : "are", shortfall));
  if (compiler.options().flag(Opt::quiet)) return;
  report_matched(compiler.unit());
  for (const auto &[refusal, probes] : compiler.catalog().refusals()) {
    const std::string where = refusal.processes.empty() ? "" : " in " + refusal.processes;
    report(fmt::format("{} cannot be set{}: {}", named(probes), where, refusal.reason));
  }
}

std::string dump_of_texts(tracer::Compiler &compiler) {
  std::string text;
  for (const auto &ast : compiler.front_end().trees()) text += ast::dump(*ast, compiler.front_end().sources());
  return text;
}

int dump_phase(tracer::Compiler &compiler, const CommandLine &line) {
  std::string text;
  if (line.stop_after == "parse")
    text = dump_of_texts(compiler);
  else if (line.stop_after == "check")
    text = tree::dump(compiler.unit(), compiler.types());
  else if (const Result<Plan> plan = make_plan(compiler.compile_input()); plan)
    text = dump(*plan, compiler.types());
  else
    return fail("could not enable tracing: " + plan.error().text());
  if (line.dump) fmt::print("{}", text);
  return 0;
}

/// Option tree: the trees on stderr, as they are after parsing (1) and after checking (2).
void dump_trees(tracer::Compiler &compiler) {
  const int64_t wanted = compiler.options().number(Opt::tree);
  if ((wanted & 1) != 0) complain(dump_of_texts(compiler));
  if ((wanted & 2) != 0) complain(tree::dump(compiler.unit(), compiler.types()));
}

/// No option takes the program, which stands there as an operand: which option is missing.
std::string missing_option(std::string_view operand) {
  const bool is_script = access(std::string(operand).c_str(), F_OK) == 0;
  const std::string_view first_line = operand.substr(0, operand.find('\n'));
  if (is_script) return fmt::format("no probes specified: to run the script {0}, write -s {0}", first_line);
  return fmt::format("no probes specified: write -n before '{}{}'", first_line,
                     first_line.size() < operand.size() ? "..." : "");
}

/// Options of the environment and of the command line, in that order.
Result<Unit> apply_settings(const CommandLine &line, Options &options) {
  if (Result<Unit> set = tracer::set_options_from_environment(options, environ); !set) return set;
  for (const auto &[name, value] : line.settings)
    if (Result<Unit> set = tracer::set_option(options, "-x " + name, name, value, OptionSource::kCommandLine); !set)
      return set;
  if (options.flag(Opt::grabanon)) return Error("anonymous tracing is not supported on Linux");
  return ok();
}

/// Kernels before 5.11 charge maps to the limit of locked memory. Later ones do not, so that a refusal is no failure;
/// if it mattered, making the maps fails.
void raise_memory_limit(const tracer::Compiler &compiler) {
  const std::string &text = compiler.options().string(Opt::lockmem);
  if (text.empty()) return;
  const std::optional<int64_t> bytes = text == "unlimited" ? std::nullopt : parse_size(text);
  const rlim_t limit = bytes ? static_cast<rlim_t>(*bytes) : RLIM_INFINITY;
  const rlimit wanted{limit, limit};
  if (setrlimit(RLIMIT_MEMLOCK, &wanted) != 0) compiler.debug(fmt::format("lockmem: {}", std::strerror(errno)));
}

/// Says of what went wrong; true if nothing did.
bool done(const Result<Unit> &result) {
  if (!result) report(result.error().text());
  return static_cast<bool>(result);
}

bool add_programs(tracer::Compiler &compiler, const CommandLine &line) {
  const bool parse_only = line.stop_after == "parse";
  for (const tracer::ProgramText &program : line.programs)
    if (const std::optional<tracer::Rejection> rejection =
            compiler.add_program(program, {line.argv0, line.operands}, parse_only)) {
      const size_t number = static_cast<size_t>(&program - line.programs.data()) + 1;
      report_rejection(*rejection, program, {number, line.programs.size()}, compiler.front_end().sources(),
                       compiler.options(), line.dump);
      return false;
    }
  compiler.close();
  return true;
}

/// From programs that are correct to the end.
int generate_and_trace(tracer::Compiler &compiler, const CommandLine &line, ExporterProcess &exporter, Outputs &outputs,
                       Terminal &terminal, LiveTerminal *live, Recording *recording) {
  const Options &options = compiler.options();
  const bool lists = line.list_intermediate || options.flag(Opt::verbose);
  const auto finished = [&] { return finish(outputs.first(), line.output.value_or("<stdout>")); };
  if (line.compile_only && !lists) return finished();
  if (const std::string reason = line.compile_only ? "" : compiler.reason_not_to_run(); !reason.empty())
    return fail(reason);
  const unsigned listing = lists ? static_cast<unsigned>(options.number(Opt::disasm)) : 0;
  const auto show = [lists](const std::string &text) {
    if (lists) complain(text);
  };
  if (line.compile_only) {
    const Result<codegen::CompiledObject> object = compiler.generate(listing);
    if (!object) return fail(fmt::format("could not enable tracing: {}", object.error().text()));
    show(object->listing);
    return finished();
  }
  Result<tracer::Enabled> enabled = tracer::enable(compiler, listing, show);
  if (!enabled) return fail(enabled.error().text());
  return trace(compiler, *enabled, line, exporter, outputs, terminal, live, recording);
}

int run(tracer::Compiler &compiler, const CommandLine &line, ExporterProcess &exporter, Terminal &terminal,
        LiveTerminal *live) {
  raise_memory_limit(compiler);
  const bool lists = line.mode == CommandLine::Mode::kList;
  if (!done(compiler.open(lists))) return kFatal;
  if (!done(compiler.take_processes(line.processes, line.programs, environ))) return kFatal;
  if (!add_programs(compiler, line)) return kFatal;
  dump_trees(compiler);
  if (!line.stop_after.empty()) return dump_phase(compiler, line);

  if (lists) return write_listing(line, "-l", [&] { return list_probes(compiler, line.verbose > 0); });
  std::optional<Recording> recording;
  if (line.record) {
    recording.emplace(*line.record);
    if (!recording->take_programs(compiler, line)) return kFatal;
  }
  Result<Outputs> outputs = Outputs::plan(line, compiler.options());
  if (!outputs) return fail(outputs.error().text());
  compiler.record({.time = recording || outputs->want_time(),
                   .thread = recording || outputs->want_thread(),
                   .in_order = outputs->want_thread()});
  if (!done(outputs->open(report))) return kFatal;
  const bool records = recording && !line.compile_only && compiler.reason_not_to_run().empty();
  if (records && !done(recording->open(compiler.options()))) return kFatal;
  if (!line.compile_only) report_matches(compiler);
  if (line.verbose > 0) {
    const std::string text = stability_report(compiler, line.compile_only);
    if (runtime::Output *const output = outputs->for_text()) {
      output->text() += text;
      (void)output->flush();
    } else {
      complain(text);
    }
  }
  return generate_and_trace(compiler, line, exporter, *outputs, terminal, live, recording ? &*recording : nullptr);
}

/// -n, -s, -l and their like. Exit status, or kReaderGone.
int compile_and_run(const CommandLine &line) {
  if (line.programs.empty() && !line.operands.empty()) return fail(missing_option(line.operands.front()));
  if (line.data_model == 32 && !line.programs.empty())
    return fail("-32: D programs are compiled for this kernel, which has 64 bits; -32 is for -h and -G");
  Options options;
  if (!done(apply_settings(line, options))) return kFatal;
  for (const std::string &word : line.outputs)
    if (const Result<OutputSpec> spec = parse_output(word); !spec) {
      report(spec.error().text());
      return kUsage;
    }
  if (options.is_set(Opt::redact) && !line.record)
    return fail("option redact works with --record only: it changes a recording, and no other output");
  if (line.replay) return replay(line, std::move(options));
  std::optional<LiveTerminal> live;
  if (line.live) {
    Result<Screen> screen = Screen::of_standard_output();
    if (!screen) return fail(screen.error().text());
    live.emplace(std::move(*screen));
    // Before any process is started that would write to the terminal.
    if (!done(live->kept.begin())) return kFatal;
  }
  Terminal terminal;
  tracer::Compiler compiler(std::move(options), terminal);
  ExporterProcess exporter;
  if (!done(exporter.start(line.serve, line.otlp, compiler.options().list(Opt::servehost)))) return kFatal;
  const int status = run(compiler, line, exporter, terminal, live ? &*live : nullptr);
  if (compiler.options().flag(Opt::core)) std::abort();  // for the core file
  return status;
}

/// --merge and --diff. Exit status.
int merge(const CommandLine &line) {
  const bool is_difference = line.mode == CommandLine::Mode::kDiff;
  Options options;
  if (!line.programs.empty())
    return fail(fmt::format("{} takes files, not programs", is_difference ? "--diff" : "--merge"));
  if (!done(apply_settings(line, options))) return kFatal;
  Result<Outputs> outputs = Outputs::plan(line, options);
  if (!outputs) return fail(outputs.error().text());
  if (!done(outputs->open(report))) return kFatal;
  return is_difference ? compare_runs(line, options, *outputs) : merge_runs(line, options, *outputs);
}

/// -V: the version of the language, as in other DTraces. -Vv: also this dtrace's version, and the kernel's features,
/// which need the privilege to trace.
std::string version_text(const CommandLine &line) {
  std::string text = fmt::format("dtrace: D {}.{}.{}\n", kLanguageMajor, kLanguageMinor, kLanguageMicro);
  text += fmt::format("DTrace for Linux {}\n", DTRACE_VERSION);
  if (line.verbose == 0) return text;
  // Scripts look for this line of other DTraces.
  text += fmt::format("This is DTrace {}.{}.{}\n", kLanguageMajor, kLanguageMinor, kLanguageMicro);
  const std::optional<runtime::Denial> denial = runtime::denial();
  if (!denial) return text + runtime::KernelFeatures().text();
  return text + fmt::format("What this kernel supports cannot be asked: {}.\n", denial->reason);
}

BuildRequest build_request(const CommandLine &line) {
  BuildRequest request;
  for (const tracer::ProgramText &program : line.programs)
    if (program.kind == tracer::ProgramText::Kind::kScript)
      request.scripts.push_back(program.text);
    else
      request.has_clauses = true;
  request.objects = line.operands;
  request.output = line.output;
  if (line.data_model_given) request.data_model = line.data_model;
  request.settings = line.settings;
  request.report = report;
  return request;
}

int main_of(int argc, char **argv) {
  heed_ignored_signals();
  occupy_standard_streams();
  raise_file_limit();
  const CommandLine line = parse_command_line(argc, argv);
  const bool may_trace = line.mode == CommandLine::Mode::kExec || line.mode == CommandLine::Mode::kList;
  if (!may_trace) ignore_signals_again();
  if (line.failed) {
    if (!line.usage_error.empty()) report(line.usage_error);
    if (!line.usage_note.empty()) complain(line.usage_note + "\n");
    if (line.show_usage) complain(usage_text(line.program));
    return kUsage;
  }
  switch (line.mode) {
    case CommandLine::Mode::kHelp:
      return say(help_text(line.program));
    case CommandLine::Mode::kVersion:
      return say(version_text(line));
    case CommandLine::Mode::kAnonymous:
      report("anonymous tracing is not supported on Linux");
      return kFatal;
    case CommandLine::Mode::kHeader:
      return make_header(build_request(line));
    case CommandLine::Mode::kLink:
      return make_object(build_request(line));
    case CommandLine::Mode::kMerge:
    case CommandLine::Mode::kDiff:
      return merge(line);
    case CommandLine::Mode::kExec:
    case CommandLine::Mode::kList:
      break;
  }
  if (line.stop_after.empty() && !line.compile_only && !line.replay)
    if (const std::optional<runtime::Denial> denial = runtime::denial()) {
      report(fmt::format("{}: {}", runtime::kDenied, denial->reason));
      if (!denial->advice.empty()) report(denial->advice);
      return kUsage;
    }
  const int status = compile_and_run(line);
  if (status != kReaderGone) return status;
  std::signal(SIGPIPE, SIG_DFL);
  std::raise(SIGPIPE);
  return kFatal;
}

}  // namespace
}  // namespace dtrace::command

int main(int argc, char **argv) {
  try {
    return dtrace::command::main_of(argc, argv);
  } catch (const std::bad_alloc &) {
    dtrace::command::complain("dtrace: out of memory\n");
    return dtrace::command::kFatal;
  }
}
