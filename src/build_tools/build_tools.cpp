// SPDX-License-Identifier: Apache-2.0
#include "build_tools/build_tools.h"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <iterator>
#include <optional>
#include <set>
#include <vector>

#include "base/read_file.h"
#include "runtime/kernel/kernel_info.h"
#include "runtime/process/preprocess_run.h"
#include "usdt/definition_file.h"
#include "usdt/header.h"
#include "usdt/note_dtrace.h"
#include "usdt/object.h"
#include "usdt/object_scan.h"
#include "usdt/output_file.h"

namespace dtrace::command {
namespace {

constexpr int kFatal = 1;
constexpr int kUsage = 2;

bool is_set(const BuildRequest &request, std::string_view option) {
  return std::ranges::any_of(request.settings, [&](const auto &setting) { return setting.first == option; });
}

/// The last value given, or empty.
std::string value_of(const BuildRequest &request, std::string_view option) {
  std::string value;
  for (const auto &[name, given] : request.settings)
    if (name == option && given) value = *given;
  return value;
}

std::string environment(const char *name) {
  const char *value = std::getenv(name);
  return value != nullptr ? value : "";
}

std::string base_name(const std::string &path) { return path.substr(path.rfind('/') + 1); }

/// "x.h" for "dir/x.d" and ".h". Nothing: not a name in .d.
std::optional<std::string> default_output(const std::string &script, std::string_view extension) {
  const std::string name = base_name(script);
  if (name.size() <= 2 || !name.ends_with(".d")) return std::nullopt;
  return name.substr(0, name.size() - 2).append(extension);
}

/// -xcpppath, $CPP, cpp, cc -E: the first that there is. Each reads standard input.
std::vector<std::string> preprocessors(const BuildRequest &request) {
  for (const std::string &chosen : {value_of(request, "cpppath"), environment("CPP")})
    if (chosen.find_first_not_of(' ') != std::string::npos) return {chosen};
  return {"cpp", "cc -E"};
}

PreprocessOptions preprocess_options(const BuildRequest &request, const std::string &script, std::string_view program) {
  PreprocessOptions cpp;
  program.remove_prefix(std::min(program.find_first_not_of(' '), program.size()));
  const size_t blank = std::min(program.find(' '), program.size());
  cpp.cpp = program.substr(0, blank);
  cpp.extra = program.substr(blank);
  for (const auto &[name, value] : request.settings) {
    if (!value) continue;
    if (name == "define") cpp.arguments.emplace_back('D', *value);
    if (name == "undef") cpp.arguments.emplace_back('U', *value);
    if (name == "incdir") cpp.arguments.emplace_back('I', *value);
    if (name == "cppargs") cpp.extra += ' ' + *value;
  }
  cpp.extra += " -x c -";
  cpp.list_headers = is_set(request, "cpphdrs");
  if (const std::string stdc = value_of(request, "stdc"); !stdc.empty()) cpp.conformance = stdc.front();
  cpp.ends_by_signals = true;
  cpp.model_32 = request.data_model == 32;
  cpp.version = kLanguageVersion;
  cpp.script = script;
  runtime::ask_uname(cpp);
  return cpp;
}

Result<std::string> run_preprocessor(const BuildRequest &request, const std::string &script, const std::string &text) {
  Result<std::string> result = Error("no preprocessor");
  for (const std::string &program : preprocessors(request)) {
    result = runtime::preprocess(preprocess_options(request, script, program), text);
    if (result || result.error().errno_value() != ENOENT) break;
  }
  return result;
}

Result<std::string> read_script(const std::string &path) { return read_file(path == "-" ? "/dev/stdin" : path); }

/// Several scripts may define one provider. False: both define one probe, which is reported.
bool merge(const BuildRequest &request, const std::string &script, usdt::Provider provider,
           std::vector<usdt::Provider> &providers) {
  const auto same = std::ranges::find(providers, provider.name, &usdt::Provider::name);
  if (same == providers.end()) {
    providers.push_back(std::move(provider));
    return true;
  }
  for (usdt::Probe &probe : provider.probes) {
    if (std::ranges::find(same->probes, probe.name, &usdt::Probe::name) != same->probes.end()) {
      request.report(
          fmt::format("failed to compile script {}: probe redeclared: {}:{}", script, provider.name, probe.name));
      return false;
    }
    same->probes.push_back(std::move(probe));
  }
  std::ranges::move(provider.definitions, std::back_inserter(same->definitions));
  return true;
}

/// Reads the definition file into `providers`, those of one name together. False: the error is reported.
bool read_definitions(const BuildRequest &request, const std::string &script, std::vector<usdt::Provider> &providers) {
  Result<std::string> text = read_script(script);
  if (!text) {
    request.report(fmt::format("failed to open {}", text.error().text()));
    return false;
  }
  if (is_set(request, "cpp")) {
    text = run_preprocessor(request, script, *text);
    if (!text) {
      request.report(fmt::format("failed to compile script {}: {}", script, text.error().text()));
      return false;
    }
  }
  Sources sources;
  Diagnostics diags;
  const uint32_t source = sources.add(script, std::move(*text), SourceKind::kScript);
  usdt::DefinitionFile file = usdt::read_definition_file(source, sources, diags);
  RenderOptions options;
  options.tags = is_set(request, "errtags");
  options.human = !options.tags;
  if (!diags.ok()) {
    const std::vector<const Diagnostic *> errors = diags.independent();
    const size_t shown = options.tags ? 1 : std::min(errors.size(), Diagnostics::kMaxShown);
    for (size_t i = 0; i < shown; ++i)
      request.report(fmt::format("failed to compile script {}: {}", script, render(*errors[i], sources, options)));
    return false;
  }
  for (const Diagnostic &warning : file.warnings)
    request.report(fmt::format("warning: {}: {}", script, render(warning, sources, options)));
  for (usdt::Provider &provider : file.providers) {
    if (const std::string_view probe = usdt::first_oversized_probe(provider); !probe.empty()) {
      request.report(fmt::format("failed to compile script {}: the types of probe {} are too long", script, probe));
      return false;
    }
    if (!merge(request, script, std::move(provider), providers)) return false;
  }
  return true;
}

int write_output(const BuildRequest &request, const std::string &path, std::string_view content) {
  Result<Unit> written = ok();
  if (path == "-") {
    if (std::fwrite(content.data(), 1, content.size(), stdout) != content.size() || std::fflush(stdout) != 0)
      written = Error::from_errno("<stdout>", errno);
  } else {
    written = usdt::replace_file(path, content);
  }
  if (!written) request.report(fmt::format("failed to write to {}", written.error().text()));
  return written ? 0 : kFatal;
}

int usage_error(const BuildRequest &request, std::string_view text) {
  request.report(text);
  return kUsage;
}

/// -h and -G make something of files; clauses of the command line define no provider.
int no_scripts(const BuildRequest &request, std::string_view flag) {
  return usage_error(request, !request.has_clauses
                                  ? fmt::format("{} requires one or more scripts or enabling options", flag)
                                  : fmt::format("{} takes its providers from scripts (-s)", flag));
}

// ------------------------------------------------------------------------------------------------------------- -G

/// What the operands say about the object to be made.
struct Objects {
  std::optional<usdt::Target> target;
  std::set<std::string, std::less<>> calls;
};

/// False: the error is reported.
bool scan_objects(const BuildRequest &request, const std::vector<usdt::Provider> &providers,
                  const std::vector<usdt::StubName> &names, Objects &objects) {
  for (const std::string &path : request.objects) {
    Result<std::string> bytes = read_file(path);
    if (!bytes) {
      request.report(fmt::format("failed to open {}", bytes.error().text()));
      return false;
    }
    usdt::ObjectFacts facts = usdt::scan_object(*bytes, names);
    if (!facts.unknown.empty()) {
      request.report(
          fmt::format("failed to link script: {} calls {}, which no provider defines", path, *facts.unknown.begin()));
      return false;
    }
    for (const usdt::SiteFact &site : facts.sites) {
      const std::string wrong = usdt::contradiction(site, providers);
      if (wrong.empty()) continue;
      request.report(
          fmt::format("failed to link script: {} {}: compile it again with the header of this script", path, wrong));
      return false;
    }
    if (facts.target && !objects.target) objects.target = facts.target;
    if (facts.mixes_classes || (facts.target && facts.target->is_64 != objects.target->is_64)) {
      request.report("failed to link script: can't mix 32-bit and 64-bit object files");
      return false;
    }
    if (facts.target && facts.target->machine != objects.target->machine) {
      request.report(fmt::format("failed to link script: {} is for another machine than the objects before it", path));
      return false;
    }
    objects.calls.merge(facts.calls);
  }
  return true;
}

/// Nothing: the error is reported.
std::optional<usdt::Target> choose_target(const BuildRequest &request, const Objects &objects) {
  if (!objects.target) {
    const usdt::Target named = usdt::target_of_compiler(environment("CC"), environment("CFLAGS"), usdt::host_target());
    return request.data_model ? usdt::with_class(named, *request.data_model == 64) : named;
  }
  if (request.data_model && objects.target->is_64 != (*request.data_model == 64)) {
    request.report(fmt::format("failed to link script: -{} given, but the objects are of {} bits", *request.data_model,
                               objects.target->is_64 ? 64 : 32));
    return std::nullopt;
  }
  return objects.target;
}

int link_one(const BuildRequest &request, const std::vector<std::string> &paths, const std::string &output) {
  std::vector<usdt::Provider> providers;
  for (const std::string &path : paths)
    if (!read_definitions(request, path, providers)) return kFatal;
  const std::vector<usdt::StubName> names = usdt::stub_names(providers);
  Objects objects;
  if (!scan_objects(request, providers, names, objects)) return kFatal;
  const std::optional<usdt::Target> target = choose_target(request, objects);
  if (!target) return kFatal;
  Result<std::string> file = usdt::object_file({&providers, *target, &names, std::move(objects.calls)});
  if (!file) {
    request.report(fmt::format("failed to link script {}: {}", paths.front(), file.error().text()));
    return kFatal;
  }
  return write_output(request, output, *file);
}

}  // namespace

int make_header(const BuildRequest &request) {
  const std::vector<std::string> &paths = request.scripts;
  if (paths.empty()) return no_scripts(request, "-h");
  if (paths.size() > 1 && !request.output)
    return usage_error(request, "-h requires an output file if multiple scripts are specified");
  const std::optional<std::string> by_default = default_output(paths.front(), ".h");
  if (!request.output && !by_default)
    return usage_error(request,
                       fmt::format("-h requires an output file: the name {} does not end in .d", paths.front()));

  std::vector<usdt::Provider> providers;
  for (const std::string &path : paths)
    if (!read_definitions(request, path, providers)) return kFatal;
  const std::string output = request.output.value_or(by_default.value_or(""));
  const std::string guard_name = output != "-" ? output : by_default.value_or(base_name(paths.front()) + ".h");
  return write_output(request, output, usdt::header_text(providers, guard_name));
}

int make_object(const BuildRequest &request) {
  const std::vector<std::string> &paths = request.scripts;
  if (paths.empty()) return no_scripts(request, "-G");
  if (request.output) return link_one(request, paths, *request.output);
  int status = 0;
  for (size_t i = 0; i < paths.size() && status == 0; ++i) {
    const std::string otherwise = paths.size() > 1 ? fmt::format("d.out.{}", i) : "d.out";
    status = link_one(request, {paths[i]}, default_output(paths[i], ".o").value_or(otherwise));
  }
  return status;
}

}  // namespace dtrace::command
