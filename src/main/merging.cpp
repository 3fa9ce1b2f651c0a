// SPDX-License-Identifier: Apache-2.0
#include "main/merging.h"

#include <fmt/format.h>

#include <cerrno>
#include <cstring>
#include <fstream>
#include <iostream>
#include <memory>

#include "frontend/types/types.h"
#include "main/terminal.h"
#include "runtime/merge/merged_runs.h"
#include "runtime/merge/saved_run.h"

namespace dtrace::command {
namespace {

int fail(const std::string &text) {
  report(text);
  return 1;
}

/// Adds the runs of a file; "-" is standard input.
Result<Unit> add_file(const std::string &path, runtime::MergedRuns &merged) {
  std::ifstream file;
  const bool is_input = path == "-";
  if (!is_input) {
    file.open(path);
    if (!file) return Error::from_errno(path, errno);
  }
  const auto add = [&](runtime::SavedRun run) {
    for (const std::string &name : run.shown_by_printa)
      report(fmt::format("{}: @{} is left out: printa() showed it while tracing ran, and nothing was left at the end",
                         path, name == "_" ? "" : name));
    return merged.add(std::move(run));
  };
  Result<Unit> read = runtime::read_saved_runs(is_input ? std::cin : file, add);
  return read ? ok() : Result<Unit>(std::move(read.error()).during(path));
}

}  // namespace

int merge_runs(const CommandLine &line, const Options &options, Outputs &outputs) {
  if (outputs.want_thread())
    return fail("--merge: format perfetto shows when something was, which saved runs do not say");
  if (line.operands.empty()) return fail("--merge: no files: write dtrace --merge FILE...");
  runtime::MergedRuns merged;
  for (const std::string &path : line.operands)
    if (const Result<Unit> added = add_file(path, merged); !added) return fail(added.error().text());
  const std::vector<const runtime::AggregationView *> views = merged.views();
  const TypeTable types;
  const std::unique_ptr<runtime::Sink> sink =
      outputs.make_sink({outputs.first(), merged.symbolizer(), types, merged.plan(), 0, line.plain, false, report,
                         merged.boot(), line.typed});
  sink->refresh(options);
  sink->lost(merged.losses());
  sink->remaining(views);
  sink->ended(merged.status(), merged.losses());
  sink->flush();
  const Result<Unit> committed = outputs.commit();
  if (const std::optional<Outputs::Failure> failure = outputs.failure())
    return fail(fmt::format("failed to write to {}: {}", failure->name, failure->error.text()));
  if (!committed) return fail(committed.error().text());
  return 0;
}

}  // namespace dtrace::command
