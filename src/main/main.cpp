// SPDX-License-Identifier: Apache-2.0
// dtrace(8). Options in, then the phases in order: check, generate, trace.
#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>

#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <new>

#include "frontend/syntax/preprocess.h"
#include "main/build_tools.h"
#include "main/command_line.h"
#include "main/listing.h"
#include "main/privileges.h"
#include "main/session.h"
#include "main/tracing.h"
#include "plan/plan_dump.h"
#include "runtime/kernel/kernel_features.h"

namespace dtrace {
namespace {

constexpr int kFatal = 1;
constexpr int kUsage = 2;

/// If fd 0-2 is closed, open /dev/null in the wrong direction so that stray I/O fails, rather than reaching a map or a
/// file of ours that got the number.
void occupy_standard_streams() {
  for (int fd = STDIN_FILENO; fd <= STDERR_FILENO; ++fd)
    if (fcntl(fd, F_GETFD) < 0) (void)open("/dev/null", fd == STDIN_FILENO ? O_WRONLY : O_RDONLY);
}

/// Prints to standard output. Exit status.
int say(const std::string &text) {
  FdOutput output(STDOUT_FILENO);
  output.text() = text;
  Result<Unit> written = output.flush();
  if (!written) report(fmt::format("failed to write to <stdout>: {}", std::strerror(written.error().errno_value())));
  return written ? 0 : kFatal;
}

void report_matches(Session &session) {
  if (session.options.flag(Opt::quiet)) return;
  for (const tree::Program &program : session.unit().programs)
    report(fmt::format("{} '{}' matched {} probe{}", program.is_script ? "script" : "description", program.name,
                       program.matched, program.matched == 1 ? "" : "s"));
  for (const auto &[where_and_why, probes] : session.catalog().refusals()) {
    const size_t others = probes.size() - 1;
    const std::string and_others = others == 0 ? "" : fmt::format(" and {} other{}", others, others == 1 ? "" : "s");
    report(fmt::format("{}{} cannot be set{}", *probes.begin(), and_others, where_and_why));
  }
}

int dump_phase(Session &session) {
  const std::string &phase = session.line.stop_after;
  std::string text;
  if (phase == "parse") {
    for (const auto &ast : session.asts()) text += ast::dump(*ast, session.sources);
  } else if (phase == "check") {
    text = tree::dump(session.unit(), session.types());
  } else {
    CompileInput input{session.unit(),
                       session.sources,
                       session.types(),
                       session.options,
                       session.catalog(),
                       session.kernel().possible_cpus(),
                       0};
    text = dump(make_plan(input), session.types());
  }
  if (session.line.dump) fmt::print("{}", text);
  return 0;
}

/// What -l and -e print goes out in one piece at the end. Exit status.
int finish_output(const CommandLine &line, FdOutput &output) {
  Result<Unit> written = output.flush();
  if (!written)
    report(fmt::format("failed to write to {}: {}", line.output.value_or("<stdout>"),
                       std::strerror(written.error().errno_value())));
  return written ? 0 : kFatal;
}

/// Option tree: the trees on stderr, as they are after parsing (1) and after checking (2).
void dump_trees(Session &session) {
  const int64_t wanted = session.options.number(Opt::tree);
  if ((wanted & 1) != 0)
    for (const auto &ast : session.asts()) complain(ast::dump(*ast, session.sources));
  if ((wanted & 2) != 0) complain(tree::dump(session.unit(), session.types()));
}

/// No option takes the program, which stands there as an operand: which option is missing.
std::string missing_option(std::string_view operand) {
  const bool is_script = access(std::string(operand).c_str(), F_OK) == 0;
  const std::string_view first_line = operand.substr(0, operand.find('\n'));
  if (is_script) return fmt::format("no probes specified: to run the script {0}, write -s {0}", first_line);
  return fmt::format("no probes specified: write -n before '{}{}'", first_line,
                     first_line.size() < operand.size() ? "..." : "");
}

int run(Session &session) {
  const CommandLine &line = session.line;
  if (line.programs.empty() && !line.operands.empty()) {
    report(missing_option(line.operands.front()));
    return kFatal;
  }
  if (!session.apply_options()) return kFatal;
  if (!session.take_processes()) return kFatal;
  if (!session.check_programs()) return kFatal;
  dump_trees(session);
  if (!line.stop_after.empty()) return dump_phase(session);

  FdOutput standard_output(STDOUT_FILENO);
  FdOutput *output = &standard_output;
  std::unique_ptr<Output> file;
  if (line.output) {
    Result<std::unique_ptr<Output>> opened = FdOutput::append_to(*line.output);
    if (!opened) {
      report(opened.error().text());
      return kFatal;
    }
    file = std::move(*opened);
    output = static_cast<FdOutput *>(file.get());
  }

  if (session.list_mode()) {
    output->text() += list_probes(session);
    return finish_output(line, *output);
  }
  if (!line.compile_only) report_matches(session);
  if (line.verbose > 0) {
    output->text() += stability_report(session);
    (void)output->flush();
  }
  const bool list_intermediate = line.list_intermediate || session.options.flag(Opt::verbose);
  if (list_intermediate || !line.compile_only) {
    if (session.matched() == 0 && !line.compile_only) {
      if (line.programs.empty() && !session.options.flag(Opt::zdefs)) {
        report("no probes specified");
        return kFatal;
      }
      if (!session.options.flag(Opt::zdefs)) {
        report("no probes matched");
        return kFatal;
      }
    }
    for (const tree::Program &program : session.unit().programs)
      if (program.destructive && !session.options.flag(Opt::destructive) && !line.compile_only) {
        report("could not enable tracing: Destructive actions not allowed");
        return kFatal;
      }
    Result<CompiledObject> object = session.generate();
    if (!object) {
      report(fmt::format("could not enable tracing: {}", object.error().text()));
      return kFatal;
    }
    if (list_intermediate) complain(object->listing);
    if (line.compile_only) return finish_output(line, *output);
    // From here on the program is correct and generated: what fails is the system's refusal.
    return trace(session, *object, *output);
  }
  return finish_output(line, *output);
}

/// -V: the version of the language, as elsewhere. -Vv: also ours, and what the kernel can do, which it says only to
/// those who may trace.
std::string version_text(const CommandLine &line) {
  std::string text = fmt::format("dtrace: D {}.{}.{}\n", kLanguageMajor, kLanguageMinor, kLanguageMicro);
  if (line.verbose == 0) return text;
  text += fmt::format("DTrace for Linux {}\n", DTRACE_VERSION);
  const std::string missing = missing_privileges();
  if (missing.empty()) return text + KernelFeatures().text();
  return text + fmt::format("What this kernel can do is shown to root (missing: {}).\n", missing);
}

int main_of(int argc, char **argv) {
  occupy_standard_streams();
  const CommandLine line = parse_command_line(argc, argv);
  if (line.failed) {
    if (!line.usage_error.empty()) report(line.usage_error);
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
      return make_header(line);
    case CommandLine::Mode::kLink:
      return make_object(line);
    case CommandLine::Mode::kExec:
    case CommandLine::Mode::kList:
      break;
  }
  const std::string missing = missing_privileges();
  if (!missing.empty() && line.stop_after.empty() && !line.compile_only) {
    report(fmt::format("run as root for tracing and listing probes (missing: {})", missing));
    return kUsage;
  }
  int status = 0;
  {
    Session session(line);
    status = run(session);
    if (session.options.flag(Opt::core)) std::abort();  // for the core file
  }
  if (status != kReaderGone) return status;
  std::signal(SIGPIPE, SIG_DFL);
  std::raise(SIGPIPE);
  return kFatal;
}

}  // namespace
}  // namespace dtrace

int main(int argc, char **argv) {
  try {
    return dtrace::main_of(argc, argv);
  } catch (const std::bad_alloc &) {
    dtrace::complain("dtrace: out of memory\n");
    return dtrace::kFatal;
  }
}
