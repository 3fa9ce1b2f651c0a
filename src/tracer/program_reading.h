// SPDX-License-Identifier: Apache-2.0
// From the texts of programs to checked programs: what live runs and replays do alike.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/options.h"
#include "base/result.h"
#include "frontend/check/front_end.h"
#include "tracer/client.h"
#include "tracer/program_text.h"

namespace dtrace::tracer {

/// Why a program was not added.
struct Rejection {
  std::string message;                    ///< empty: the diagnostics say it
  Diagnostics diagnostics;                ///< ok: none
  std::vector<std::string> of_libraries;  ///< what is wrong with D libraries: most likely the reason
};

/// The processes that macro variables mean.
struct MacroProcesses {
  std::optional<pid_t> self;                 ///< $pid; nothing: this process
  std::optional<pid_t> target;               ///< $target; nothing: there is none
  std::vector<int64_t> targets_in_probes{};  ///< Macros::targets
};

bool is_script(const ProgramText &program);

/// The program as the parser reads it: preprocessed, if option cpp is set. Errors: in a sentence.
Result<std::string> text_of(const ProgramText &program, const Options &options, const Client &client);
Macros macros_of(const ProgramText &program, const MacroArguments &arguments, const Options &options,
                 const MacroProcesses &processes);
/// The program's tree; null: `rejection` says why.
const ast::Ast *parse_program(FrontEnd &front_end, const ProgramText &program, std::string text, Macros macros,
                              Rejection &rejection);
/// The program, with its name. Nothing: `rejection` says why. `ast`: null if it was not parsed. `library_problem`: what
/// libraries lack on this system, if they fail; empty: nothing.
std::optional<tree::Program> check_program(FrontEnd &front_end, const ProgramText &program, const ast::Ast *ast,
                                           std::string_view library_problem, Rejection &rejection);
/// Reports the warnings of a program that was not rejected.
void report_warnings(const FrontEnd &front_end, const Diagnostics &diagnostics, const Options &options, Client &client);

/// Where a clause, counted through all programs, is in its text: "line 9 of tcp.d", of a program without a file "line
/// 1, column 20"; empty: there is no such clause.
std::string position_of(const FrontEnd &front_end, size_t clause);
/// Probes that the programs name, each as often as it is named.
size_t nr_matched(const tree::Unit &unit);
/// "no probes matched", if so and that is an error; else empty.
std::string no_probes(const tree::Unit &unit, const Options &options);

}  // namespace dtrace::tracer
