// SPDX-License-Identifier: Apache-2.0
// The command line as given: modes, programs, processes, options, in order. Letters stand together (-qn), values may be
// attached
// (-xquiet), and operands stand anywhere, as DTrace users know it. The flags are rows of flags.cpp.
#pragma once

#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "tracer/program_text.h"

namespace dtrace::command {

struct CommandLine {
  enum class Mode : uint8_t { kExec, kList, kHeader, kLink, kVersion, kHelp, kAnonymous, kMerge, kDiff };
  Mode mode = Mode::kExec;
  bool compile_only = false;       ///< -e
  int verbose = 0;                 ///< -v
  bool list_intermediate = false;  ///< -S
  bool buffered = false;           ///< -B
  bool plain = false;              ///< _DTRACE_TESTING is set: nothing that differs from run to run
  int data_model = 64;             ///< -32, -64
  bool data_model_given = false;
  std::vector<tracer::ProgramText> programs;  ///< in order of appearance
  std::vector<tracer::ProcessText> processes;
  /// Option settings left to right: name, value.
  std::vector<std::pair<std::string, std::optional<std::string>>> settings;
  std::optional<std::string> output;  ///< -o: the last
  std::vector<std::string> outputs;   ///< all of them, as given: FILE or FILE:FORMAT
  std::optional<std::string> record;  ///< --record (own)
  std::optional<std::string> replay;  ///< --replay (own)
  bool summary = false;               ///< --summary (own)
  std::optional<std::string> serve;   ///< --serve (own)
  std::optional<std::string> otlp;    ///< --otlp (own)
  bool live = false;                  ///< --live (own)
  std::string stop_after;             ///< --stop-after=parse|check|plan (own)
  bool dump = false;                  ///< --dump (own)
  std::vector<std::string> operands;
  std::string typed;    ///< all of it, as a shell would take it
  std::string argv0;    ///< as typed: $0
  std::string program;  ///< its last component: what messages call us

  bool builds() const { return mode == Mode::kHeader || mode == Mode::kLink; }

  /// A usage error: what to say, if anything.
  std::string usage_error;
  std::string usage_note;  ///< what may have been meant, in a line of its own
  bool failed = false;
  bool show_usage = true;  ///< the synopsis follows
};

CommandLine parse_command_line(int argc, char **argv);

/// The synopsis for usage errors, and the long help of --help.
std::string usage_text(const std::string &program);
std::string help_text(const std::string &program);

}  // namespace dtrace::command
