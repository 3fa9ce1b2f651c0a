// SPDX-License-Identifier: Apache-2.0
#include "main/tracing.h"

#include <fmt/format.h>
#include <unistd.h>

#include <cerrno>
#include <cstdlib>
#include <optional>

#include "runtime/load/scheduling.h"
#include "tracer/trace_loop.h"

namespace dtrace::command {
namespace {

int fail(const std::string &text) {
  report(text);
  return 1;
}

/// With -v, and for a person at a terminal: what can be done now has an effect.
void report_beginning(const tracer::Compiler &compiler, const runtime::Enabling &enabling, const CommandLine &line) {
  const bool for_person = isatty(STDERR_FILENO) != 0 && !line.live && !compiler.options().flag(Opt::quiet);
  if (enabling.exited() || (line.verbose == 0 && !for_person)) return;
  const size_t count = compiler.nr_probes();
  report(fmt::format("tracing has begun: {} probe{} set", count, count == 1 ? " is" : "s are"));
}

}  // namespace

int outcome(const RunEnd &end, const Outputs &outputs, const Result<Unit> &committed, const Interrupts &interrupts) {
  if (end.failure) return fail(fmt::format("processing aborted: {}", end.failure->text()));
  if (const std::optional<Outputs::Failure> failure = outputs.failure()) {
    // Nobody reads our output any more. SIGPIPE ends a program then, without a word.
    if (failure->error.errno_value() == EPIPE && interrupts.dies_of_pipe()) return kReaderGone;
    return fail(fmt::format("failed to write to {}: {}", failure->name, failure->error.text()));
  }
  if (!committed) return fail(committed.error().text());
  if (end.is_out_of_memory) return fail("out of memory: tracing ended, and this is what there was until then");
  if (end.nr_abandoned != 0) return fail("output abandoned at a second interrupt");
  return end.status;
}

std::string scripts_of(const Sources &sources) {
  std::string text;
  for (uint32_t id = 0; id < sources.size(); ++id)
    if (sources[id].kind == SourceKind::kScript) text += sources[id].text;
  return text;
}

int trace(tracer::Compiler &compiler, tracer::Enabled &enabled, const CommandLine &line, ExporterProcess &exporter,
          Outputs &outputs, Terminal &terminal, LiveTerminal *live_terminal, Recording *recording) {
  runtime::Enabling &enabling = *enabled.enabling;
  // Before signals are caught: one that comes meanwhile ends us.
  if (exporter.is_running())
    if (const Result<Unit> ready = exporter.wait_until_ready(); !ready) return fail(ready.error().text());
  const Interrupts &interrupts = terminal.watch_signals(outputs.can_reopen() || recording != nullptr);
  outputs.set_patience([&](std::chrono::nanoseconds waiting) { return interrupts.give_up(waiting); });
  const runtime::SinkParts parts{outputs.first(),
                                 compiler.symbolizer(),
                                 compiler.types(),
                                 enabling.plan(),
                                 compiler.targets().first_pid(),
                                 line.plain,
                                 line.buffered,
                                 report,
                                 "",
                                 line.typed,
                                 scripts_of(compiler.front_end().sources())};
  std::unique_ptr<runtime::Sink> sink = outputs.make_sink(parts);
  if (recording != nullptr) sink = recording->make_sink(compiler, enabling.plan(), std::move(sink));
  if (outputs.have_faults()) terminal.mute_notes();
  if (line.verbose > 0 || isatty(STDERR_FILENO) != 0) terminal.want_positions();
  runtime::run_promptly();
  tracer::TraceLoop loop(compiler, enabling, *sink, terminal, {!line.plain, line.verbose > 0});
  if (exporter.is_running()) {
    tracer::MetricsTarget target;
    target.exporter = &exporter;
    target.pushes = line.otlp.has_value();
    const char *const name = std::getenv("OTEL_SERVICE_NAME");
    target.service_name = name != nullptr ? name : "dtrace";
    target.version = DTRACE_VERSION;
    loop.export_metrics(std::move(target));
  }
  if (const Result<Unit> started = loop.start(); !started) {
    outputs.set_patience({});
    return fail(started.error().text());
  }
  report_beginning(compiler, enabling, line);
  // What is asked for before waits until here.
  if (!exporter.address().empty()) report(fmt::format("serving metrics at http://{}/metrics", exporter.address()));
  std::optional<Live> live;
  if (live_terminal != nullptr) {
    live.emplace(*live_terminal, parts, compiler.options());
    if (const Result<Unit> begun = live->begin(); !begun) {
      outputs.set_patience({});
      return fail(begun.error().text());
    }
  }
  while (loop.step(live ? std::optional(Live::kStep) : std::nullopt)) {
    if (interrupts.take_reopen()) {
      outputs.reopen(report);
      if (recording != nullptr) recording->reopen();
    }
    if (live) live->turn(loop);
  }
  if (live)
    if (const Result<Unit> ended = live->end(); !ended) report(ended.error().text());
  loop.finish();
  Result<Unit> committed = outputs.commit();
  if (recording != nullptr)
    if (Result<Unit> finished = recording->finish(); !finished) committed = std::move(finished);
  const std::string &ledger = compiler.options().string(Opt::ledger);
  if (ledger == "text") complain(loop.ledger().text());
  if (ledger == "json") complain(loop.ledger().json() + "\n");
  outputs.set_patience({});
  return outcome({loop.failure(), loop.is_out_of_memory(), loop.nr_abandoned(), loop.status()}, outputs, committed,
                 interrupts);
}

}  // namespace dtrace::command
