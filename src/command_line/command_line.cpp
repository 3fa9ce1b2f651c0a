// SPDX-License-Identifier: Apache-2.0
#include "command_line/command_line.h"

#include <fmt/format.h>
#include <getopt.h>

#include <algorithm>
#include <cctype>
#include <cstdlib>
#include <cstring>
#include <iterator>

namespace dtrace::command {
namespace {

// '-' makes getopt report operands where they stand, as kOperand: what follows "--" is a command.
constexpr int kOperand = 1;
constexpr const char *kShortOptions = "-3:6:aAb:Bc:CD:ef:FGhHi:I:lL:m:n:o:p:P:qs:ST:U:vVwx:X:Z";

/// Build systems pass what other makers of probe headers took: -k kept temporary files.
constexpr const char *kBuildShortOptions = "3:6:aAb:Bc:CD:ef:FGhHi:I:klL:m:n:o:p:P:qs:SU:vVwx:X:Z";

enum LongOption : int { kHelp = 256, kStopAfter, kDump, kIgnored, kServe, kOtlp, kMerge, kDiff, kLive, kFilter };
constexpr option kLongOptions[] = {
    {"help", no_argument, nullptr, kHelp},
    {"stop-after", required_argument, nullptr, kStopAfter},
    {"dump", no_argument, nullptr, kDump},
    {"serve", required_argument, nullptr, kServe},
    {"otlp", required_argument, nullptr, kOtlp},
    {"merge", no_argument, nullptr, kMerge},
    {"diff", no_argument, nullptr, kDiff},
    {"live", no_argument, nullptr, kLive},
    {"version", no_argument, nullptr, 'V'},
    // These set the D option of the same name.
    {"color", optional_argument, nullptr, kFilter},
    {"cgroup", required_argument, nullptr, kFilter},
    {"container", required_argument, nullptr, kFilter},
    {"pod", required_argument, nullptr, kFilter},
    {"unit", required_argument, nullptr, kFilter},
    {nullptr, 0, nullptr, 0},
};
constexpr option kBuildLongOptions[] = {
    {"help", no_argument, nullptr, kHelp},
    {"no-pyparsing", no_argument, nullptr, kIgnored},
    {"types", no_argument, nullptr, kIgnored},
    {nullptr, 0, nullptr, 0},
};

/// Long options that other programs have, and what to write.
struct ForeignOption {
  std::string_view name, ours;
};
constexpr ForeignOption kForeignOptions[] = {
    {"--flame", "-o cpu.html:flame"},
    {"--flamegraph", "-o cpu.html:flame"},
    {"--heatmap", "-o heat.html:heatmap"},
    {"--svg", "-o cpu.svg:svg"},
    {"--folded", "-x format=folded"},
    {"--json", "-x format=json"},
    {"--csv", "-x format=csv"},
    {"--format", "-x format=json"},
    {"--pprof", "-o cpu.pb.gz:pprof"},
    {"--pid", "-p PID"},
    {"--output", "-o FILE"},
    {"--script", "-s FILE"},
    {"--quiet", "-q"},
    {"--verbose", "-v"},
    {"--list", "-l"},
    {"--duration", "-T 10s"},
};

/// What stands for the option that getopt refused; empty: nothing is known of it.
std::string_view hint_for_option(std::string_view word) {
  const auto *found = std::ranges::find(kForeignOptions, word.substr(0, word.find('=')), &ForeignOption::name);
  return found == std::end(kForeignOptions) ? std::string_view() : found->ours;
}

/// Flags that are only another way to write an option.
struct Shorthand {
  int flag;
  const char *option;
  bool takes_value;
};
constexpr Shorthand kShorthands[] = {
    {'b', "bufsize", true},  {'C', "cpp", false},   {'D', "define", true},       {'F', "flowindent", false},
    {'H', "cpphdrs", false}, {'I', "incdir", true}, {'L', "libdir", true},       {'q', "quiet", false},
    {'T', "duration", true}, {'U', "undef", true},  {'w', "destructive", false}, {'X', "stdc", true},
    {'Z', "zdefs", false},
};

struct SpecFlag {
  int flag;
  tracer::ProgramText::Kind kind;
};
constexpr SpecFlag kSpecFlags[] = {
    {'P', tracer::ProgramText::Kind::kProvider}, {'m', tracer::ProgramText::Kind::kModule},
    {'f', tracer::ProgramText::Kind::kFunction}, {'n', tracer::ProgramText::Kind::kName},
    {'i', tracer::ProgramText::Kind::kId},       {'s', tracer::ProgramText::Kind::kScript},
};

struct ModeFlag {
  int flag;
  CommandLine::Mode mode;
};
constexpr ModeFlag kModeFlags[] = {
    {'A', CommandLine::Mode::kAnonymous}, {'G', CommandLine::Mode::kLink},    {'h', CommandLine::Mode::kHeader},
    {'l', CommandLine::Mode::kList},      {'V', CommandLine::Mode::kVersion},
};

bool take_mode(CommandLine &line, int flag) {
  for (const ModeFlag &row : kModeFlags) {
    if (row.flag != flag) continue;
    if (line.mode != CommandLine::Mode::kExec && line.mode != row.mode) {
      line.usage_error = "only one of the [-AGhlV] options can be specified at a time";
      line.show_usage = false;
    }
    line.mode = row.mode;
    return true;
  }
  return false;
}

bool take_shorthand(CommandLine &line, int flag, const char *value) {
  for (const Shorthand &row : kShorthands) {
    if (row.flag != flag) continue;
    line.settings.emplace_back(row.option, row.takes_value ? std::optional<std::string>(value) : std::nullopt);
    return true;
  }
  return false;
}

bool take_program(CommandLine &line, int flag, const char *value) {
  for (const SpecFlag &row : kSpecFlags) {
    if (row.flag != flag) continue;
    line.programs.push_back({row.kind, value});
    return true;
  }
  return false;
}

void take_setting(CommandLine &line, const char *text) {
  const char *equals = std::strchr(text, '=');
  if (equals == nullptr)
    line.settings.emplace_back(text, std::nullopt);
  else
    line.settings.emplace_back(std::string(text, equals), std::string(equals + 1));
}

/// Text that split_command() takes apart into these words.
std::string quoted(char **begin, char **end) {
  std::string text;
  for (char **word = begin; word != end; ++word) {
    text += text.empty() ? "'" : " '";
    for (const char *c = *word; *c != '\0'; ++c) text += *c == '\'' ? "'\\''" : std::string(1, *c);
    text += '\'';
  }
  return text;
}

/// The same for people: words that no shell minds stand as they are.
std::string typed_text(char **begin, char **end) {
  std::string text;
  for (char **word = begin; word != end; ++word) {
    const std::string_view plain = *word;
    const bool is_plain = !plain.empty() && std::ranges::all_of(plain, [](unsigned char c) {
      return std::isalnum(c) != 0 ||
             std::string_view("_-./:,=@%+").find(static_cast<char>(c)) != std::string_view::npos;
    });
    if (!text.empty()) text += ' ';
    text += is_plain ? std::string(plain) : quoted(word, word + 1);
  }
  return text;
}

/// Is there a -h or -G? Looked for before anything is reported, because these modes accept more.
bool is_build_mode(int argc, char **argv) {
  std::vector<char *> words(argv, argv + argc + 1);  // getopt moves operands to the end
  bool found = false;
  opterr = 0;
  for (int flag = 0; (flag = getopt_long(argc, words.data(), kBuildShortOptions, kBuildLongOptions, nullptr)) != -1;)
    found |= flag == 'h' || flag == 'G';
  optind = 0;  // begin anew
  return found;
}

}  // namespace

CommandLine parse_command_line(int argc, char **argv) {
  CommandLine line;
  line.typed = typed_text(argv, argv + argc);
  line.argv0 = argv[0];
  line.program = line.argv0.substr(line.argv0.rfind('/') + 1);
  line.plain = std::getenv("_DTRACE_TESTING") != nullptr;
  argv[0] = line.program.data();  // getopt begins its messages with it
  const bool build_mode = is_build_mode(argc, argv);
  const char *short_options = build_mode ? kBuildShortOptions : kShortOptions;
  const option *long_options = build_mode ? kBuildLongOptions : kLongOptions;
  opterr = 1;
  int long_index = 0;
  for (int flag = 0; (flag = getopt_long(argc, argv, short_options, long_options, &long_index)) != -1;) {
    if (take_mode(line, flag) || take_shorthand(line, flag, optarg) || take_program(line, flag, optarg)) continue;
    switch (flag) {
      case '3':
      case '6':
        if (std::strcmp(optarg, flag == '3' ? "2" : "4") != 0)
          line.usage_error = fmt::format("illegal option -- {}{}", static_cast<char>(flag), optarg);
        line.data_model = flag == '3' ? 32 : 64;
        line.data_model_given = true;
        break;
      case 'a':
        line.settings.emplace_back("grabanon", std::nullopt);
        break;
      case 'B':
        line.buffered = true;
        break;
      case 'c':
        line.processes.push_back({true, optarg});
        break;
      case 'p':
        line.processes.push_back({false, optarg});
        break;
      case 'e':
        line.compile_only = true;
        break;
      case 'o':
        line.output = optarg;
        line.outputs.emplace_back(optarg);
        break;
      case 'k':
      case kIgnored:
        break;
      case kOperand:
        line.operands.emplace_back(optarg);
        break;
      case 'S':
        line.list_intermediate = true;
        break;
      case 'v':
        ++line.verbose;
        break;
      case 'x':
        take_setting(line, optarg);
        break;
      case kHelp:
        line.mode = CommandLine::Mode::kHelp;
        break;
      case kStopAfter:
        line.stop_after = optarg;
        break;
      case kDump:
        line.dump = true;
        break;
      case kMerge:
        line.mode = CommandLine::Mode::kMerge;
        break;
      case kFilter:
        line.settings.emplace_back(long_options[long_index].name, optarg == nullptr ? "always" : optarg);
        break;
      case kDiff:
        line.mode = CommandLine::Mode::kDiff;
        break;
      case kLive:
        line.live = true;
        break;
      case kServe:
        line.serve = optarg;
        break;
      case kOtlp:
        line.otlp = optarg;
        break;
      default:
        line.failed = true;
        if (const std::string_view ours = hint_for_option(argv[optind - 1]); !ours.empty()) {
          line.usage_note = fmt::format("  note: did you mean {}?", ours);
          line.show_usage = false;
        }
        break;
    }
  }
  argv[0] = line.argv0.data();
  // What follows "--" is a command, unless it begins as none does: `-- -3` is the operand -3. Without a program there
  // is nothing to trace it with, and what stands there may be one.
  if (build_mode || line.programs.empty() || (optind < argc && argv[optind][0] == '-')) {
    for (int i = optind; i < argc; ++i) line.operands.emplace_back(argv[i]);
  } else if (optind < argc) {
    line.processes.push_back({true, quoted(argv + optind, argv + argc)});
  }
  if (argc == 1) line.failed = true;
  if (line.buffered && line.usage_error.empty() && (line.mode != CommandLine::Mode::kExec || line.output)) {
    line.usage_error = "-B works while tracing only, and not with -o";
    line.show_usage = false;
  }
  const bool traces = line.mode == CommandLine::Mode::kExec && !line.compile_only && line.stop_after.empty();
  if ((line.serve || line.otlp) && line.usage_error.empty() && !traces) {
    line.usage_error = "--serve and --otlp work while tracing only";
    line.show_usage = false;
  }
  if (line.live && line.usage_error.empty() && (!traces || line.buffered)) {
    line.usage_error = "--live works while tracing only, and not with -B";
    line.show_usage = false;
  }
  if (!line.usage_error.empty()) line.failed = true;
  return line;
}

}  // namespace dtrace::command
