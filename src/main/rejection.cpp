// SPDX-License-Identifier: Apache-2.0
#include "main/rejection.h"

#include <fmt/format.h>

#include <algorithm>

#include "main/terminal.h"

namespace dtrace::command {

void report_rejection(const tracer::Rejection &rejection, const tracer::ProgramText &program, ProgramPlace place,
                      const Sources &sources, const Options &options, bool dump) {
  if (!rejection.message.empty()) return report(rejection.message);
  for (const std::string &text : rejection.of_libraries) report(text);
  RenderOptions render_options;
  render_options.tags = options.flag(Opt::errtags);
  render_options.human = !render_options.tags;
  const Diagnostics &diags = rejection.diagnostics;
  if (dump && !diags.ok()) fmt::print("{}\n", render(diags.list().front(), sources, {.tags = true, .human = true}));
  const bool is_script = program.kind == tracer::ProgramText::Kind::kScript;
  std::string what = is_script ? "failed to compile script " : "invalid probe specifier ";
  const bool is_short = is_script || program.text.find_first_of("{/;\n") == std::string::npos;
  if (is_short || render_options.tags)
    what += program.text;
  else
    what.pop_back();  // the source line below shows the program
  if (!is_short && !render_options.tags && place.count > 1)
    what += fmt::format(" (program {} of {})", place.number, place.count);
  if (diags.ok()) return report(what + ": internal error");
  const std::vector<const Diagnostic *> errors = diags.independent();
  const size_t shown = render_options.tags ? 1 : std::min(errors.size(), Diagnostics::kMaxShown);
  for (size_t i = 0; i < shown; ++i) report(fmt::format("{}: {}", what, render(*errors[i], sources, render_options)));
  const size_t left = errors.size() - shown;
  if (left > 0 && !render_options.tags) report(fmt::format("{} more error{}", left, left == 1 ? "" : "s"));
}

void report_matched(const tree::Unit &unit) {
  for (const tree::Program &program : unit.programs)
    report(fmt::format("{} '{}' matched {} probe{}", program.is_script ? "script" : "description", program.name,
                       program.matched, program.matched == 1 ? "" : "s"));
}

}  // namespace dtrace::command
