// SPDX-License-Identifier: Apache-2.0
#include "tracer/program_reading.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>
#include <utility>

#include "base/printable.h"
#include "base/read_file.h"
#include "frontend/syntax/preprocess.h"
#include "runtime/process/macros.h"
#include "runtime/process/preprocess_run.h"

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

/// What comes before a clause.
std::string description_of(const std::string &text) { return text.substr(0, text.find_first_of("{/;")); }

PreprocessOptions preprocess_options(const std::string &script, const Options &options, const Client &client) {
  PreprocessOptions cpp;
  cpp.cpp = options.string(Opt::cpppath);
  for (const std::string &extra : options.list(Opt::cppargs)) cpp.extra += (cpp.extra.empty() ? "" : " ") + extra;
  for (const auto &[option, value] : options.in_order())
    if (option == Opt::define || option == Opt::undef || option == Opt::incdir)
      cpp.arguments.emplace_back(option == Opt::define ? 'D' : option == Opt::undef ? 'U' : 'I', value);
  cpp.list_headers = options.flag(Opt::cpphdrs);
  cpp.ends_by_signals = client.lends_signals();
  cpp.conformance = options.string(Opt::stdc).front();
  cpp.version = kLanguageVersion;
  cpp.script = script;
  runtime::ask_uname(cpp);
  return cpp;
}

}  // namespace

bool is_script(const ProgramText &program) { return program.kind == ProgramText::Kind::kScript; }

Result<std::string> text_of(const ProgramText &program, const Options &options, const Client &client) {
  if (program.kind == ProgramText::Kind::kId && !is_probe_id(program.text))
    return Error(fmt::format("invalid probe specifier {}: invalid probe description \"{}\": Unknown probe identifier",
                             program.text, description_of(program.text)));
  if (!is_script(program)) return program.text;
  Result<std::string> read = program.contents ? Result<std::string>(*program.contents) : read_file(program.text);
  if (!read) return Error(fmt::format("failed to open {}", read.error().text()));
  if (read->starts_with(kByteOrderMark)) read->erase(0, kByteOrderMark.size());
  if (!options.flag(Opt::cpp)) return read;
  Result<std::string> processed = runtime::preprocess(preprocess_options(program.text, options, client), *read);
  if (!processed) return Error(fmt::format("failed to compile script {}: {}", program.text, processed.error().text()));
  return processed;
}

Macros macros_of(const ProgramText &program, const MacroArguments &arguments, const Options &options,
                 const MacroProcesses &processes) {
  Macros macros;
  macros.arguments.push_back(is_script(program) ? program.text : arguments.argv0);
  macros.arguments.insert(macros.arguments.end(), arguments.rest.begin(), arguments.rest.end());
  for (const std::string_view name : kMacroNames) {
    if (name == "target" && !processes.target && !options.flag(Opt::defaultargs)) continue;
    std::optional<int64_t> value = runtime::macro_value(name, processes.target.value_or(0));
    if (name == "pid" && processes.self) value = *processes.self;
    if (value) macros.variables.emplace_back(name, *value);
  }
  macros.targets = processes.targets_in_probes;
  return macros;
}

const ast::Ast *parse_program(FrontEnd &front_end, const ProgramText &program, std::string text, Macros macros,
                              Rejection &rejection) {
  const SourceKind kind = is_script(program) ? SourceKind::kScript : SourceKind::kString;
  return front_end.parse({program.text, std::move(text), kind, field_of(program.kind)}, std::move(macros),
                         rejection.diagnostics);
}

std::optional<tree::Program> check_program(FrontEnd &front_end, const ProgramText &program, const ast::Ast *ast,
                                           std::string_view library_problem, Rejection &rejection) {
  std::optional<tree::Program> checked;
  if (ast != nullptr) checked = front_end.check(*ast, rejection.diagnostics);
  if (!checked) {
    if (const std::string &conflict = front_end.library_conflict(); !conflict.empty())
      rejection.of_libraries.push_back(conflict);
    // Libraries are written in the kernel's types.
    if (!front_end.library_failures().empty() && !library_problem.empty())
      rejection.of_libraries.emplace_back(library_problem);
    rejection.of_libraries.insert(rejection.of_libraries.end(), front_end.library_failures().begin(),
                                  front_end.library_failures().end());
    return std::nullopt;
  }
  if (const std::string &conflict = front_end.library_conflict(); !conflict.empty()) {
    rejection.message = conflict;
    return std::nullopt;
  }
  checked->name = is_script(program) ? program.text : description_of(program.text);
  checked->is_script = is_script(program);
  return checked;
}

void report_warnings(const FrontEnd &front_end, const Diagnostics &diagnostics, const Options &options,
                     Client &client) {
  for (const Diagnostic &warning : diagnostics.warnings())
    client.report(
        fmt::format("warning: {}", render(warning, front_end.sources(), {options.flag(Opt::errtags), false})));
}

std::string position_of(const FrontEnd &front_end, size_t clause) {
  const std::vector<tree::Program> &programs = front_end.unit().programs;
  for (const tree::Program &program : programs) {
    if (clause >= program.clauses.size()) {
      clause -= program.clauses.size();
      continue;
    }
    const Span span = program.clauses[clause].desc_span;
    const Sources &sources = front_end.sources();
    const Position position = sources.position(span);
    if (sources[span.source].kind == SourceKind::kString)
      return fmt::format("line {}, column {}", position.line, position.column) +
             (programs.size() == 1 ? "" : fmt::format(" of program {}", &program - programs.data() + 1));
    return fmt::format("line {} of {}", position.line,
                       printable(std::string_view(position.file).substr(position.file.rfind('/') + 1)));
  }
  return {};
}

size_t nr_matched(const tree::Unit &unit) {
  size_t sum = 0;
  for (const tree::Program &program : unit.programs) sum += program.matched;
  return sum;
}

std::string no_probes(const tree::Unit &unit, const Options &options) {
  if (nr_matched(unit) != 0 || options.flag(Opt::zdefs)) return {};
  return unit.programs.empty() ? "no probes specified" : "no probes matched";
}

}  // namespace dtrace::tracer
