// SPDX-License-Identifier: Apache-2.0
// The texts of usage errors and --help.
#include "base/options.h"
#include "command_line/command_line.h"

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

std::string help_text(const std::string &program) {
  std::string text = usage_text(program) + R"(
Programs, in order of appearance:
	-n  enable or list by probe name      -f  by function      -m  by module
	-P  by provider                       -i  by probe id      -s  compile a script file

Modes (default: trace until exit() or an interrupt):
	-l  list matching probes; with -v their stability and argument types
	-e  compile and stop                  -V  print the version
	-h  make a C header of probes         -G  make an object of probes
	--merge FILE...  show as one what runs with -x format=json have saved
	--diff BEFORE AFTER  compare the stacks of two of them, in format flame or folded

Tracing:
	-c  run a command and trace until it ends; its pid is $target
	--  the same, for a command that is given as words of its own
	-p  trace until this process ends; its pid is $target
	-q  quiet: only what the program prints
	-F  indent by function entry and return
	-w  allow destructive actions         -Z  allow descriptions that match nothing
	-o  append output to a file; FILE:FORMAT: in that format; may be repeated
	-T  trace for so long, as in 10s or 5m; a number counts seconds
	-b  buffer size per CPU, as in 4m
	--live  show the aggregations on a screen as they change; ? lists its keys
	--color=auto|always|never  colours in text; auto: on a terminal
	-v  report stability                  -S  show the generated code
	-x  set an option (below)

Metrics:
	--serve [ADDR:]PORT  serve the aggregations to Prometheus; port 0: any
	--otlp URL           push them to an OpenTelemetry collector

Only some processes (of several options each must be met; one that is repeated names alternatives):
	--container NAME|ID  those in a container      --pod NAMESPACE/NAME  in a pod
	--unit NAME          in a unit of systemd      --cgroup PATH         in a cgroup or below it

Preprocessor: -C run cpp first; -D -U -I -H -X pass on to it.      Libraries: -L adds a directory.

Examples:
	)" + program +
                     R"( -n 'syscall:::entry { @[execname] = count(); }'
	)" + program +
                     R"( -n 'syscall::read:return /execname == "cat"/ { @ = quantize(arg0); }' -c 'cat /etc/passwd'
	)" + program +
                     R"( -n 'profile-997 { @[stack()] = count(); } tick-10s { exit(0); }'
	)" + program +
                     R"( -ln 'sdt:sched::'
	)" + program +
                     R"( -s script.d arg1 arg2

Exit status: 0 success, 1 fatal error, 2 usage error, n by exit(n).

Options for -x, #pragma D option and setopt():
)";
  constexpr size_t kWidth = 78;
  std::string row = "\t";
  for (size_t i = 0; i < static_cast<size_t>(Opt::kCount); ++i) {
    std::string_view name = option_name(static_cast<Opt>(i));
    if (row.size() + name.size() + 1 > kWidth) {
      text += row + "\n";
      row = "\t";
    }
    row.append(name).append(" ");
  }
  return text + row + "\nSee dtrace(8) for what each means.\n";
}

}  // namespace dtrace::command
