// SPDX-License-Identifier: Apache-2.0
#include "command_line/flags.h"

#include <fmt/format.h>

#include "command_line/command_line.h"

namespace dtrace::command {
namespace {

using Section = Flag::Section;
using Mode = CommandLine::Mode;
using Kind = tracer::ProgramText::Kind;

template <Kind kKind>
void add_program(CommandLine &line, const Flag &, std::string value) {
  line.programs.push_back({kKind, std::move(value)});
}

template <Mode kMode>
void set_mode(CommandLine &line, const Flag &, std::string) {
  line.mode = kMode;
}

/// Modes that are as old as dtrace name each other when two of them are given.
template <Mode kMode>
void set_exclusive_mode(CommandLine &line, const Flag &, std::string) {
  if (line.mode != Mode::kExec && line.mode != kMode) {
    line.usage_error = "only one of the [-AGhlV] options can be specified at a time";
    line.show_usage = false;
  }
  line.mode = kMode;
}

template <bool kIsCommand>
void add_process(CommandLine &line, const Flag &, std::string value) {
  line.processes.push_back({kIsCommand, std::move(value)});
}

void set_option(CommandLine &line, const Flag &flag, std::string value) {
  const bool has_value = !flag.value.empty();
  line.settings.emplace_back(flag.option, has_value ? std::optional(std::move(value)) : std::nullopt);
}

/// -x NAME[=VALUE]
void set_any_option(CommandLine &line, const Flag &, std::string text) {
  const size_t equals = text.find('=');
  if (equals == std::string::npos)
    line.settings.emplace_back(std::move(text), std::nullopt);
  else
    line.settings.emplace_back(text.substr(0, equals), text.substr(equals + 1));
}

/// -32 and -64 are flags -3 and -6 with the rest as their value.
void set_data_model(CommandLine &line, const Flag &flag, std::string rest) {
  const bool is_32 = flag.name == "3";
  if (rest != (is_32 ? "2" : "4")) line.usage_error = fmt::format("illegal option -- {}{}", flag.name, rest);
  line.data_model = is_32 ? 32 : 64;
  line.data_model_given = true;
}

template <auto kMember>
void set_true(CommandLine &line, const Flag &, std::string) {
  line.*kMember = true;
}

template <auto kMember>
void set_text(CommandLine &line, const Flag &, std::string value) {
  line.*kMember = std::move(value);
}

void add_output(CommandLine &line, const Flag &, std::string value) {
  line.output = value;
  line.outputs.push_back(std::move(value));
}

void be_more_verbose(CommandLine &line, const Flag &, std::string) { ++line.verbose; }

void ignore(CommandLine &, const Flag &, std::string) {}

constexpr Flag kFlags[] = {
    {"n", "TEXT", Section::kPrograms, "enable or list by probe name", add_program<Kind::kName>},
    {"f", "TEXT", Section::kPrograms, "by function", add_program<Kind::kFunction>},
    {"m", "TEXT", Section::kPrograms, "by module", add_program<Kind::kModule>},
    {"P", "TEXT", Section::kPrograms, "by provider", add_program<Kind::kProvider>},
    {"i", "TEXT", Section::kPrograms, "by probe id", add_program<Kind::kId>},
    {"s", "FILE", Section::kPrograms, "compile a script file", add_program<Kind::kScript>},

    {"l", "", Section::kModes, "list matching probes; with -v their stability and argument types",
     set_exclusive_mode<Mode::kList>},
    {"e", "", Section::kModes, "compile and stop", set_true<&CommandLine::compile_only>},
    {"V", "", Section::kModes, "print the version", set_exclusive_mode<Mode::kVersion>},
    {"version", "", Section::kModes, "", set_exclusive_mode<Mode::kVersion>},
    {"help", "", Section::kModes, "", set_mode<Mode::kHelp>},
    {"h", "", Section::kModes, "make a C header of probes", set_exclusive_mode<Mode::kHeader>},
    {"G", "", Section::kModes, "make an object of probes", set_exclusive_mode<Mode::kLink>},
    {"A", "", Section::kModes, "", set_exclusive_mode<Mode::kAnonymous>},
    {"merge", "", Section::kModes, "show as one what runs with -x format=json have saved in the files named",
     set_mode<Mode::kMerge>},
    {"diff", "", Section::kModes, "compare the stacks of two such files, in format flame or folded",
     set_mode<Mode::kDiff>},
    {"replay", "FILE", Section::kModes, "run the programs on a recording, without a kernel; with -l list its probes",
     set_text<&CommandLine::replay>},
    {"summary", "", Section::kModes, "with --replay: what the recording has", set_true<&CommandLine::summary>},

    {"c", "COMMAND", Section::kTracing, "run a command and trace until it ends; its pid is $target", add_process<true>},
    {"p", "PID", Section::kTracing, "trace until this process ends; its pid is $target", add_process<false>},
    {"q", "", Section::kTracing, "quiet: only what the program prints", set_option, "quiet"},
    {"F", "", Section::kTracing, "indent by function entry and return", set_option, "flowindent"},
    {"w", "", Section::kTracing, "allow destructive actions", set_option, "destructive"},
    {"Z", "", Section::kTracing, "allow descriptions that match nothing", set_option, "zdefs"},
    {"o", "FILE", Section::kTracing, "append output to a file; FILE:FORMAT: in that format; may be repeated",
     add_output},
    {"record", "FILE", Section::kTracing, "record in a file what the programs read, for --replay",
     set_text<&CommandLine::record>},
    {"T", "TIME", Section::kTracing, "trace for so long, as in 10s or 5m; a number counts seconds", set_option,
     "duration"},
    {"b", "SIZE", Section::kTracing, "buffer size per CPU, as in 4m", set_option, "bufsize"},
    {"B", "", Section::kTracing, "say of each piece of text where it comes from", set_true<&CommandLine::buffered>},
    {"live", "", Section::kTracing, "show the aggregations on a screen as they change; ? lists its keys",
     set_true<&CommandLine::live>},
    {"color", "auto|always|never", Section::kTracing, "colours in text; auto: on a terminal", set_option, "color",
     "always"},
    {"v", "", Section::kTracing, "report stability", be_more_verbose},
    {"S", "", Section::kTracing, "show the generated code", set_true<&CommandLine::list_intermediate>},
    {"x", "OPTION[=VALUE]", Section::kTracing, "set an option (below)", set_any_option},
    {"a", "", Section::kTracing, "", set_option, "grabanon"},
    {"3", "2", Section::kTracing, "", set_data_model},
    {"6", "4", Section::kTracing, "", set_data_model},

    {"serve", "[ADDR:]PORT", Section::kMetrics, "serve the aggregations to Prometheus; port 0: any",
     set_text<&CommandLine::serve>},
    {"otlp", "URL", Section::kMetrics, "push them to an OpenTelemetry collector", set_text<&CommandLine::otlp>},

    {"container", "NAME|ID", Section::kProcesses, "those in a container", set_option, "container"},
    {"pod", "NAMESPACE/NAME", Section::kProcesses, "in a pod", set_option, "pod"},
    {"unit", "NAME", Section::kProcesses, "in a unit of systemd", set_option, "unit"},
    {"cgroup", "PATH", Section::kProcesses, "in a cgroup or below it", set_option, "cgroup"},

    {"C", "", Section::kPreprocessor, "run cpp first", set_option, "cpp"},
    {"D", "NAME[=TEXT]", Section::kPreprocessor, "define a macro", set_option, "define"},
    {"U", "NAME", Section::kPreprocessor, "undefine one", set_option, "undef"},
    {"I", "FOLDER", Section::kPreprocessor, "a folder of headers", set_option, "incdir"},
    {"H", "", Section::kPreprocessor, "show the headers that are read", set_option, "cpphdrs"},
    {"X", "a|c|s|t", Section::kPreprocessor, "how far to hold to ISO C", set_option, "stdc"},
    {"L", "FOLDER", Section::kPreprocessor, "a folder of D libraries", set_option, "libdir"},

    {"k", "", Section::kBuildSystems, "", ignore},  // keep temporary files
    {"no-pyparsing", "", Section::kBuildSystems, "", ignore},
    {"types", "", Section::kBuildSystems, "", ignore},

    {"stop-after", "PHASE", Section::kHidden, "", set_text<&CommandLine::stop_after>},
    {"dump", "", Section::kHidden, "", set_true<&CommandLine::dump>},
};

}  // namespace

std::span<const Flag> flags() { return kFlags; }

}  // namespace dtrace::command
