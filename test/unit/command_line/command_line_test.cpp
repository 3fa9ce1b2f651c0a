// SPDX-License-Identifier: Apache-2.0
// Command lines as shells give them, and what of them reaches the program.
#include "command_line/command_line.h"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <catch2/catch.hpp>

namespace dtrace::command {
namespace {

using Words = std::vector<std::string>;
using Kind = tracer::ProgramText::Kind;

CommandLine parsed(Words words) {
  words.insert(words.begin(), "/usr/sbin/dtrace");
  std::vector<char *> argv;
  for (std::string &word : words) argv.push_back(word.data());
  argv.push_back(nullptr);
  return parse_command_line(static_cast<int>(words.size()), argv.data());
}

/// Settings as one text: `quiet bufsize=4m`.
std::string settings_of(const Words &words) {
  Words shown;
  for (const auto &[name, value] : parsed(words).settings) shown.push_back(value ? name + "=" + *value : name);
  return fmt::format("{}", fmt::join(shown, " "));
}

/// Programs: the letter of each option, and its text.
std::string programs_of(const Words &words) {
  Words shown;
  for (const tracer::ProgramText &program : parsed(words).programs)
    shown.push_back(fmt::format("{}:{}", "Pmfnis"[static_cast<int>(program.kind)], program.text));
  return fmt::format("{}", fmt::join(shown, " "));
}

std::string processes_of(const Words &words) {
  Words shown;
  for (const tracer::ProcessText &process : parsed(words).processes)
    shown.push_back((process.is_command ? "c:" : "p:") + process.text);
  return fmt::format("{}", fmt::join(shown, " "));
}

TEST_CASE("values are attached or words of their own, and letters stand together", "[command_line]") {
  REQUIRE(programs_of({"-n", "BEGIN"}) == "n:BEGIN");
  REQUIRE(programs_of({"-nBEGIN"}) == "n:BEGIN");
  REQUIRE(programs_of({"-qn", "BEGIN"}) == "n:BEGIN");
  REQUIRE(programs_of({"-qwnBEGIN"}) == "n:BEGIN");
  REQUIRE(settings_of({"-qwnBEGIN"}) == "quiet destructive");
  REQUIRE(settings_of({"-xquiet", "-x", "bufsize=4m", "-b8m", "-x", "a=b=c", "-x", "empty="}) ==
          "quiet bufsize=4m bufsize=8m a=b=c empty=");
  REQUIRE(programs_of({"-P", "io", "-m", "a:b", "-f", "c", "-n", "d", "-i", "7", "-s", "e.d"}) ==
          "P:io m:a:b f:c n:d i:7 s:e.d");
}

TEST_CASE("a value is what stands there, whatever it begins with", "[command_line]") {
  REQUIRE(programs_of({"-n", "-q"}) == "n:-q");
  REQUIRE(programs_of({"-n", "--", "-n", "[x]"}) == "n:-- n:[x]");
  REQUIRE(programs_of({"-n", ""}) == "n:");
  REQUIRE(settings_of({"-x", "-1", "-D", "A=1,2", "-D", "{}"}) == "-1 define=A=1,2 define={}");
  REQUIRE(processes_of({"-c", "sh -c 'exit 3'", "-p", "1,2"}) == "c:sh -c 'exit 3' p:1,2");
}

TEST_CASE("settings keep the order of the command line", "[command_line]") {
  REQUIRE(settings_of({"-q", "-x", "quiet=no", "-q", "-F", "-T", "5s", "-Z", "-a"}) ==
          "quiet quiet=no quiet flowindent duration=5s zdefs grabanon");
  REQUIRE(settings_of({"-C", "-D", "A", "-U", "B", "-I", "/i", "-H", "-X", "c", "-L", "/l"}) ==
          "cpp define=A undef=B incdir=/i cpphdrs stdc=c libdir=/l");
}

TEST_CASE("long options set the option of their name", "[command_line]") {
  REQUIRE(settings_of({"--cgroup", "/a", "--cgroup=/b", "--container", "x", "--pod", "n/p", "--unit=u"}) ==
          "cgroup=/a cgroup=/b container=x pod=n/p unit=u");
  REQUIRE(settings_of({"--color", "--color=never"}) == "color=always color=never");
  // The word behind --color is an operand.
  REQUIRE(parsed({"--color", "never"}).operands == Words{"never"});
}

TEST_CASE("operands stand anywhere", "[command_line]") {
  REQUIRE(parsed({"one", "-n", "BEGIN", "two", "-q", "-", ""}).operands == Words{"one", "two", "-", ""});
  REQUIRE(parsed({"-s", "x.d", "--", "-3"}).operands == Words{"-3"});
  REQUIRE(parsed({"--", "sleep", "1"}).operands == Words{"sleep", "1"});
}

TEST_CASE("what follows -- is a command", "[command_line]") {
  REQUIRE(processes_of({"-n", "BEGIN", "--", "sh", "-c", "it's"}) == "c:'sh' '-c' 'it'\\''s'");
  REQUIRE(processes_of({"-n", "BEGIN", "one", "--", "ls", "--", "-q"}) == "c:'ls' '--' '-q'");
  REQUIRE(parsed({"-n", "BEGIN", "one", "--", "ls", "-q"}).operands == Words{"one"});
  REQUIRE(settings_of({"-n", "BEGIN", "--", "ls", "-q"}).empty());
}

TEST_CASE("modes", "[command_line]") {
  using Mode = CommandLine::Mode;
  REQUIRE(parsed({"-n", "BEGIN"}).mode == Mode::kExec);
  REQUIRE(parsed({"-l"}).mode == Mode::kList);
  REQUIRE(parsed({"-ln", "BEGIN"}).mode == Mode::kList);
  REQUIRE(parsed({"-V"}).mode == Mode::kVersion);
  REQUIRE(parsed({"--version"}).mode == Mode::kVersion);
  REQUIRE(parsed({"--help"}).mode == Mode::kHelp);
  REQUIRE(parsed({"-A"}).mode == Mode::kAnonymous);
  REQUIRE(parsed({"--merge", "a", "b"}).mode == Mode::kMerge);
  REQUIRE(parsed({"--diff", "a", "b"}).operands == Words{"a", "b"});
  REQUIRE(parsed({"--replay", "a", "-l"}).replay == "a");
  REQUIRE(parsed({"--replay", "a", "-n", "BEGIN"}).mode == Mode::kExec);
  REQUIRE(parsed({"--replay", "a", "--summary"}).summary);
  REQUIRE(parsed({"-h", "-s", "x.d"}).mode == Mode::kHeader);
  REQUIRE(parsed({"-G", "-s", "x.d", "a.o", "--", "b.o"}).operands == Words{"a.o", "b.o"});
  REQUIRE(parsed({"-l", "-V"}).usage_error == "only one of the [-AGhlV] options can be specified at a time");
  REQUIRE_FALSE(parsed({"-l", "-V"}).show_usage);
  REQUIRE_FALSE(parsed({"-l", "-l"}).failed);
}

TEST_CASE("what build systems pass to other makers of headers is accepted with -h and -G only", "[command_line]") {
  REQUIRE_FALSE(parsed({"-k", "-G", "-s", "x.d"}).failed);
  REQUIRE_FALSE(parsed({"--types", "--no-pyparsing", "-h", "-s", "x.d"}).failed);
  REQUIRE(parsed({"-k", "-n", "BEGIN"}).failed);
  REQUIRE(parsed({"--types", "-n", "BEGIN"}).failed);
}

TEST_CASE("flags and values", "[command_line]") {
  const CommandLine line =
      parsed({"-32", "-evvS", "-o", "a", "-o", "b:csv", "--serve", "9", "--otlp=http://x", "--live"});
  REQUIRE(line.data_model == 32);
  REQUIRE(line.data_model_given);
  REQUIRE(line.compile_only);
  REQUIRE(line.verbose == 2);
  REQUIRE(line.list_intermediate);
  REQUIRE(line.output == "b:csv");
  REQUIRE(line.outputs == Words{"a", "b:csv"});
  REQUIRE(line.serve == "9");
  REQUIRE(line.otlp == "http://x");
  REQUIRE(line.live);
  REQUIRE(parsed({"-64", "-n", "BEGIN"}).data_model == 64);
  REQUIRE(parsed({"--stop-after=check", "--dump"}).stop_after == "check");
  REQUIRE(parsed({"--stop-after", "check", "--dump"}).dump);
  REQUIRE(parsed({"-n", "BEGIN"}).typed == "/usr/sbin/dtrace -n BEGIN");
  REQUIRE(parsed({"-n", "a b"}).typed == "/usr/sbin/dtrace -n 'a b'");
  REQUIRE(parsed({"-V"}).program == "dtrace");
  REQUIRE(parsed({"-V"}).argv0 == "/usr/sbin/dtrace");
}

TEST_CASE("flags that do not exist", "[command_line]") {
  REQUIRE(parsed({"-y"}).usage_error == "invalid option -- 'y'");
  REQUIRE(parsed({"-qy", "-n", "BEGIN"}).usage_error == "invalid option -- 'y'");
  REQUIRE(parsed({"-5", "-n", "BEGIN"}).usage_error == "invalid option -- '5'");
  REQUIRE(parsed({"-q5", "-n", "BEGIN"}).usage_error == "invalid option -- '5'");
  REQUIRE(parsed({"one", "--nosuch=3", "-n", "BEGIN"}).usage_error == "unrecognized option '--nosuch=3'");
  REQUIRE(parsed({"-k", "-n", "BEGIN"}).usage_error == "invalid option -- 'k'");
  REQUIRE(parsed({"--types", "-n", "BEGIN"}).usage_error == "unrecognized option '--types'");
  REQUIRE(parsed({"-n", "BEGIN", "--", "ls", "--nosuch"}).usage_error.empty());
  REQUIRE(parsed({"-y"}).show_usage);
  const CommandLine line = parsed({"--flame", "-n", "BEGIN"});
  REQUIRE(line.usage_note == "  note: did you mean -o cpu.html:flame?");
  REQUIRE_FALSE(line.show_usage);
}

TEST_CASE("values that are missing, or too many", "[command_line]") {
  REQUIRE(parsed({"-n"}).usage_error == "option requires an argument -- 'n'");
  REQUIRE(parsed({"-qn"}).usage_error == "option requires an argument -- 'n'");
  REQUIRE(parsed({"-n", "BEGIN", "--serve"}).usage_error == "option '--serve' requires an argument");
  REQUIRE(parsed({"--cgroup=", "-n", "BEGIN"}).usage_error == "option '--cgroup' requires an argument");
  REQUIRE(parsed({"-n", "BEGIN", "--", "ls", "--cgroup="}).usage_error.empty());
  REQUIRE(parsed({"--live=3", "-n", "BEGIN"}).usage_error == "option '--live' doesn't allow an argument");
}

TEST_CASE("--help shows the flags", "[command_line]") {
  const std::string text = help_text("dtrace");
  for (const char *row :
       {"\n\t-n TEXT               enable or list by probe name\n", "\n\t-x OPTION[=VALUE]     set an option (below)\n",
        "\n\t--color[=auto|always|never]  colours in text; auto: on a terminal\n",
        "\n\t--diff                compare the stacks"})
    REQUIRE(text.find(row) != std::string::npos);
  REQUIRE(text.find("--dump") == std::string::npos);
  REQUIRE(text.find("pyparsing") == std::string::npos);
}

TEST_CASE("what does not go together is a usage error", "[command_line]") {
  REQUIRE(parsed({"-33"}).usage_error == "illegal option -- 33");
  REQUIRE(parsed({"-B", "-l"}).usage_error == "-B works while tracing only, and not with -o");
  REQUIRE(parsed({"--serve", "1", "-l"}).usage_error == "--serve and --otlp work while tracing only");
  REQUIRE(parsed({"--live", "-B", "-n", "BEGIN"}).usage_error == "--live works while tracing only, and not with -B");
  REQUIRE(parsed({"--summary", "-n", "BEGIN"}).usage_error == "--summary works with --replay only");
  REQUIRE(parsed({"--replay", "a", "-V"}).usage_error == "--replay runs programs, or lists probes with -l");
  REQUIRE(parsed({"--replay", "a", "-n", "BEGIN", "-c", "ls"}).usage_error ==
          "--replay works without -c and -p: the processes of a recording have ended");
  REQUIRE(parsed({"--replay", "a", "-n", "BEGIN", "--live"}).usage_error ==
          "--replay does not work with --live, --serve and --otlp");
  REQUIRE(parsed({"--replay", "a", "-n", "BEGIN", "--record", "b"}).usage_error ==
          "--replay does not work with --record");
  REQUIRE(parsed({"--replay", "a", "-Sn", "BEGIN"}).usage_error ==
          "-S shows generated code, and a replay generates none");
  REQUIRE(parsed({}).failed);
  REQUIRE(parsed({}).usage_error.empty());
}

}  // namespace
}  // namespace dtrace::command
