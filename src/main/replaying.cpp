// SPDX-License-Identifier: Apache-2.0
#include "main/replaying.h"

#include <fmt/format.h>
#include <unistd.h>

#include <memory>

#include "base/cgroup_options.h"
#include "main/list_output.h"
#include "main/outputs.h"
#include "main/rejection.h"
#include "main/terminal.h"
#include "main/tracing.h"
#include "replay/replay.h"
#include "replay/replay_compiler.h"
#include "replay/summary.h"
#include "tracer/listing.h"

namespace dtrace::command {
namespace {

constexpr int kFatal = 1;

int fail(const std::string &text) {
  report(text);
  return kFatal;
}

Result<std::unique_ptr<recording::Reader>> open(const std::string &path) {
  Result<std::unique_ptr<recording::Bytes>> bytes = recording::open_file(path);
  if (!bytes) return std::move(bytes.error());
  Result<std::unique_ptr<recording::Reader>> reader = recording::Reader::open(std::move(*bytes));
  if (!reader) return std::move(reader.error()).during(path);
  return reader;
}

bool add_programs(replay::ReplayCompiler &compiler, const CommandLine &line) {
  for (const tracer::ProgramText &program : line.programs)
    if (const std::optional<tracer::Rejection> rejection = compiler.add_program(program, {line.argv0, line.operands})) {
      const size_t number = static_cast<size_t>(&program - line.programs.data()) + 1;
      report_rejection(*rejection, program, {number, line.programs.size()}, compiler.front_end().sources(),
                       compiler.options(), line.dump);
      return false;
    }
  return true;
}

/// -v: what it says of the programs, before what they print.
void report_stability(replay::ReplayCompiler &compiler, const CommandLine &line, const Outputs &outputs) {
  const std::string text = stability_report(compiler.listed(), line.compile_only);
  if (runtime::Output *const output = outputs.for_text()) {
    output->text() += text;
    (void)output->flush();
  } else {
    complain(text);
  }
}

/// Names the machine whose addresses are shown, for SinkParts.
std::string boot_of(const recording::Reader &recording) {
  const std::string *host = recording.fact("host");
  return fmt::format("recording of {}", host == nullptr ? "an unknown machine" : *host);
}

int run(replay::ReplayCompiler &compiler, const CommandLine &line, Outputs &outputs, Terminal &terminal) {
  Result<codegen::Layout> layout = compiler.make_layout(outputs.want_time(), outputs.want_thread());
  if (!layout) return fail(fmt::format("could not enable tracing: {}", layout.error().text()));
  recording::Reader &recording = compiler.recording();
  if (!recording.cut().empty()) report(fmt::format("warning: {}: {}", *line.replay, recording.cut()));
  const Interrupts &interrupts = terminal.watch_signals(outputs.can_reopen());
  outputs.set_patience([&](std::chrono::nanoseconds waiting) { return interrupts.give_up(waiting); });
  // Without the target's number: the process of that number is another one here.
  replay::FileTime time(recording);
  runtime::SinkParts parts{outputs.first(),
                           compiler.symbolizer(),
                           compiler.types(),
                           layout->plan,
                           0,
                           line.plain,
                           line.buffered,
                           report,
                           boot_of(recording),
                           line.typed,
                           scripts_of(compiler.front_end().sources())};
  parts.recorded_time = &time;
  const std::unique_ptr<runtime::Sink> sink = outputs.make_sink(parts);
  if (outputs.have_faults()) terminal.mute_notes();
  if (line.verbose > 0 || isatty(STDERR_FILENO) != 0) terminal.want_positions();
  replay::Replay replay(
      {.recording = recording,
       .layout = *layout,
       .unit = compiler.unit(),
       .types = compiler.types(),
       .options = compiler.options(),
       .catalog = compiler.catalog(),
       .symbolizer = compiler.symbolizer(),
       .shared_address = [&](runtime::UserImage image,
                             uint64_t address) { return compiler.symbolizer().shared_address(image, address); },
       .sink = *sink,
       .client = terminal,
       .time = time,
       .position_of =
           [&](uint32_t clause) { return terminal.wants_positions() ? compiler.position_of(clause) : std::string(); },
       .text_of = [&](const tree::Expr &expr) { return compiler.text_of(expr); }});
  const int status = replay.run();
  const Result<Unit> committed = outputs.commit();
  outputs.set_patience({});
  return outcome({replay.failure(), false, replay.nr_abandoned(), status}, outputs, committed, interrupts);
}

}  // namespace

int replay(const CommandLine &line, Options options) {
  if (wants_some_cgroups(options))
    return fail("--replay: options select processes by their cgroups, which recordings do not have: write a predicate");
  Result<std::unique_ptr<recording::Reader>> reader = open(*line.replay);
  if (!reader) return fail(fmt::format("--replay {}", reader.error().text()));
  if (line.summary) return write_listing(line, "--summary", [&] { return replay::summary_of(**reader); });
  Terminal terminal;
  replay::ReplayCompiler compiler(**reader, std::move(options), terminal);
  const bool lists = line.mode == CommandLine::Mode::kList;
  if (const Result<Unit> opened = compiler.open(lists); !opened) return fail(opened.error().text());
  if (!add_programs(compiler, line)) return kFatal;
  if (lists) return write_listing(line, "-l", [&] { return tracer::list_probes(compiler.listed(), line.verbose > 0); });
  if (line.stop_after == "check") {
    if (line.dump) fmt::print("{}", tree::dump(compiler.unit(), compiler.types()));
    return 0;
  }
  Result<Outputs> outputs = Outputs::plan(line, compiler.options());
  if (!outputs) return fail(outputs.error().text());
  if (const Result<Unit> opened = outputs->open(report); !opened) return fail(opened.error().text());
  if (!line.compile_only && !compiler.options().flag(Opt::quiet)) report_matched(compiler.unit());
  if (line.verbose > 0) report_stability(compiler, line, *outputs);
  if (line.compile_only) return 0;
  if (const std::string reason = compiler.reason_not_to_run(); !reason.empty()) return fail(reason);
  return run(compiler, line, *outputs, terminal);
}

}  // namespace dtrace::command
