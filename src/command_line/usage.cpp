// SPDX-License-Identifier: Apache-2.0
// The texts of usage errors and --help.
#include <fmt/format.h>

#include <string_view>

#include "base/options.h"
#include "command_line/command_line.h"
#include "command_line/flags.h"

namespace dtrace::command {

std::string usage_text(const std::string &program) {
  return "Usage: " + program + R"( [-32|-64] [-CeFGhHlqSvVwZ] [-b bufsz] [-c cmd] [-p pid]
	[-D name[=def]] [-U name] [-I path] [-L path] [-o output] [-s script]
	[-T time] [-x opt[=val]] [-X a|c|s|t]
	[-P provider [[predicate] action]]
	[-m [provider:] module [[predicate] action]]
	[-f [[provider:] module:] func [[predicate] action]]
	[-n [[[provider:] module:] func:] name [[predicate] action]]
	[-i probe-id [[predicate] action]] [args ...] [-- cmd [arg ...]]

	predicate -> '/' D-expression '/'
	   action -> '{' D-statements '}'
)";
}

namespace {

struct Heading {
  Flag::Section section;
  std::string_view text;
};
constexpr Heading kHeadings[] = {
    {Flag::Section::kPrograms, "Programs, in order of appearance"},
    {Flag::Section::kModes, "Modes (default: trace until exit() or an interrupt)"},
    {Flag::Section::kTracing, "Tracing"},
    {Flag::Section::kMetrics, "Metrics"},
    {Flag::Section::kProcesses,
     "Only some processes (of several options each must be met; one that is repeated names alternatives)"},
    {Flag::Section::kPreprocessor, "Preprocessor and libraries"},
};

constexpr int kFlagColumns = 20;

/// "-n TEXT", "--color[=auto|always|never]".
std::string synopsis_of(const Flag &flag) {
  if (flag.value.empty()) return flag.written();
  if (!flag.otherwise.empty()) return fmt::format("{}[={}]", flag.written(), flag.value);
  return fmt::format("{} {}", flag.written(), flag.value);
}

std::string flags_text() {
  std::string text;
  for (const Heading &heading : kHeadings) {
    text += fmt::format("{}:\n", heading.text);
    for (const Flag &flag : flags())
      if (flag.section == heading.section && !flag.help.empty())
        text += fmt::format("\t{:{}}  {}\n", synopsis_of(flag), kFlagColumns, flag.help);
    if (heading.section == Flag::Section::kTracing)
      text += fmt::format("\t{:{}}  {}\n", "-- COMMAND WORD...", kFlagColumns,
                          "as -c, for a command that is given as words of its own");
    text += "\n";
  }
  return text;
}

constexpr std::string_view kExamples[] = {
    R"(-n 'syscall:::entry { @[execname] = count(); }')",
    R"(-n 'syscall::read:return /execname == "cat"/ { @ = quantize(arg0); }' -c 'cat /etc/passwd')",
    R"(-n 'profile-997 { @[stack()] = count(); } tick-10s { exit(0); }')",
    R"(-ln 'sdt:sched::')",
    R"(-s script.d arg1 arg2)",
};

/// Names of options, in lines that a terminal has room for.
std::string options_text() {
  constexpr size_t kWidth = 78;
  std::string text;
  std::string row = "\t";
  for (size_t i = 0; i < static_cast<size_t>(Opt::kCount); ++i) {
    const std::string_view name = option_name(static_cast<Opt>(i));
    if (row.size() + name.size() + 1 > kWidth) {
      text += row + "\n";
      row = "\t";
    }
    row.append(name).append(" ");
  }
  return text + row + "\n";
}

}  // namespace

std::string help_text(const std::string &program) {
  std::string text = usage_text(program) + "\n" + flags_text() + "Examples:\n";
  for (const std::string_view example : kExamples) text += fmt::format("\t{} {}\n", program, example);
  return text +
         "\nExit status: 0 success, 1 fatal error, 2 usage error, n by exit(n).\n\nOptions for -x, #pragma D option "
         "and setopt():\n" +
         options_text() + "See dtrace(8) for what each means.\n";
}

}  // namespace dtrace::command
