// SPDX-License-Identifier: Apache-2.0
#include "command_line/command_line.h"

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <cstdlib>
#include <span>

#include "command_line/flags.h"
#include "command_line/foreign_flags.h"
#include "command_line/quoted_words.h"

namespace dtrace::command {
namespace {

void refuse(CommandLine &line, std::string error, bool show_usage = false) {
  if (!line.usage_error.empty()) return;
  line.usage_error = std::move(error);
  line.show_usage = show_usage;
}

void refuse_unknown(CommandLine &line, std::string_view word) {
  const bool is_long = word.starts_with("--");
  const std::string_view ours = ours_for(word);
  if (!ours.empty()) line.usage_note = fmt::format("  note: did you mean {}?", ours);
  refuse(line, is_long ? fmt::format("unrecognized option '{}'", word) : fmt::format("invalid option -- '{}'", word[1]),
         ours.empty());
}

/// `word` ends the command line with a flag whose value is missing.
void refuse_without_value(CommandLine &line, std::string_view word) {
  refuse(line,
         word.starts_with("--") ? fmt::format("option '{}' requires an argument", word)
                                : fmt::format("option requires an argument -- '{}'", word.back()),
         true);
}

/// The value to act on. CLI11 gives "true" for one that was left out.
std::string value_of(const Flag &flag, const CLI::results_t &results, CommandLine &line) {
  const std::string &value = results.front();  // behind a value of "{}" CLI11 adds another
  if (flag.wants_value()) return value;
  if (value.empty() || value == "true") return std::string(flag.otherwise);
  if (flag.value.empty()) refuse(line, fmt::format("option '{}' doesn't allow an argument", flag.written()), true);
  return value;
}

/// Flags act where they stand: settings, programs and processes keep their order.
void add_flag(CLI::App &app, const Flag &flag, CommandLine &line, const Flag *&of_build_systems) {
  CLI::Option *const option = app.add_option(flag.written(), [&](const CLI::results_t &results) {
    if (flag.section == Flag::Section::kBuildSystems && of_build_systems == nullptr) of_build_systems = &flag;
    flag.set(line, flag, value_of(flag, results, line));
    return true;
  });
  option->trigger_on_parse()->multi_option_policy(CLI::MultiOptionPolicy::TakeLast);
  if (!flag.wants_value()) option->expected(0);
}

/// What is neither a flag nor the value of one, in its order, and "--" with what follows it.
std::vector<std::string> take_flags(CommandLine &line, int argc, char **argv) {
  CLI::App app;
  app.set_help_flag();
  app.allow_extras();
  const Flag *of_build_systems = nullptr;
  for (const Flag &flag : flags()) add_flag(app, flag, line, of_build_systems);
  try {
    app.parse(argc, argv);
  } catch (const CLI::ParseError &) {
    refuse_without_value(line, argv[argc - 1]);  // it is the one mistake that is left
    return {};
  }
  if (of_build_systems != nullptr && !line.builds()) refuse_unknown(line, of_build_systems->written());
  return app.remaining();
}

/// An empty value, as of --cgroup=$UNSET, would make the next word the value.
void refuse_empty_values(CommandLine &line, std::span<char *const> words) {
  for (const std::string_view word : words) {
    if (word == "--") return;
    for (const Flag &flag : flags())
      if (flag.name.size() > 1 && flag.wants_value() && word == flag.written() + "=")
        refuse_without_value(line, flag.written());
  }
}

/// What follows "--" is a command, unless it begins as none does: `-- -3` is the operand -3. Without a program there is
/// nothing to trace it with, and what stands there may be one.
void take_rest(CommandLine &line, std::vector<std::string> rest) {
  const auto mark = std::ranges::find(rest, "--");
  for (auto word = rest.begin(); word != mark; ++word) {
    if (word->size() > 1 && word->front() == '-') return refuse_unknown(line, *word);
    line.operands.push_back(*word);
  }
  if (mark == rest.end() || mark + 1 == rest.end()) return;
  const auto first = mark + 1;
  if (line.builds() || line.programs.empty() || first->starts_with('-')) {
    line.operands.insert(line.operands.end(), first, rest.end());
    return;
  }
  std::vector<char *> words;
  for (auto word = first; word != rest.end(); ++word) words.push_back(word->data());
  line.processes.push_back({true, quoted(words)});
}

void refuse_what_replays_lack(CommandLine &line) {
  const bool lists = line.mode == CommandLine::Mode::kList;
  if (line.mode != CommandLine::Mode::kExec && !lists) refuse(line, "--replay runs programs, or lists probes with -l");
  if (!line.processes.empty())
    refuse(line, "--replay works without -c and -p: the processes of a recording have ended");
  if (line.serve || line.otlp || line.live) refuse(line, "--replay does not work with --live, --serve and --otlp");
  if (line.record) refuse(line, "--replay does not work with --record");
  if (line.list_intermediate) refuse(line, "-S shows generated code, and a replay generates none");
}

void refuse_what_does_not_fit(CommandLine &line) {
  const bool executes = line.mode == CommandLine::Mode::kExec;
  const bool traces = executes && !line.compile_only && line.stop_after.empty();
  if (line.buffered && (!executes || line.output)) refuse(line, "-B works while tracing only, and not with -o");
  if ((line.serve || line.otlp) && !traces) refuse(line, "--serve and --otlp work while tracing only");
  if (line.summary && !line.replay) refuse(line, "--summary works with --replay only");
  if (line.replay) refuse_what_replays_lack(line);
  if (line.record && line.mode != CommandLine::Mode::kExec) refuse(line, "--record runs programs");
  if (line.live && (!traces || line.buffered)) refuse(line, "--live works while tracing only, and not with -B");
}

}  // namespace

CommandLine parse_command_line(int argc, char **argv) {
  CommandLine line;
  const std::span<char *const> words(argv, static_cast<size_t>(argc));
  line.typed = typed_text(words);
  line.argv0 = argv[0];
  line.program = line.argv0.substr(line.argv0.rfind('/') + 1);
  line.plain = std::getenv("_DTRACE_TESTING") != nullptr;
  refuse_empty_values(line, words);
  take_rest(line, take_flags(line, argc, argv));
  refuse_what_does_not_fit(line);
  line.failed = argc == 1 || !line.usage_error.empty();
  return line;
}

}  // namespace dtrace::command
