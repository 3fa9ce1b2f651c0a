// SPDX-License-Identifier: Apache-2.0
#include "main/merging.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstring>
#include <fstream>
#include <functional>
#include <iostream>
#include <iterator>
#include <map>
#include <memory>
#include <set>
#include <sstream>
#include <vector>

#include "frontend/types/types.h"
#include "main/terminal.h"
#include "runtime/merge/comparable.h"
#include "runtime/merge/merged_runs.h"
#include "runtime/merge/saved_run.h"
#include "runtime/output/page.h"

namespace dtrace::command {
namespace {

int fail(const std::string &text) {
  report(text);
  return 1;
}

/// Reads the runs of a file; "-" is standard input.
Result<Unit> read_file(const std::string &path, const std::function<Result<Unit>(runtime::SavedRun)> &take) {
  std::ifstream file;
  const bool is_input = path == "-";
  if (!is_input) {
    file.open(path);
    if (!file) return Error::from_errno(path, errno);
  }
  const auto take_run = [&](runtime::SavedRun run) {
    for (const std::string &name : run.shown_by_printa)
      report(fmt::format("{}: @{} is left out: printa() printed it while tracing ran, and it was empty at the end",
                         path, name == "_" ? "" : name));
    return take(std::move(run));
  };
  Result<runtime::ForeignLines> read = runtime::read_saved_runs(is_input ? std::cin : file, take_run);
  if (!read) return std::move(read.error()).during(path);
  if (read->count != 0)
    report(
        fmt::format("{}: {} line{} not from dtrace, the first is line {}: left out. With -o FILE:json, what the "
                    "traced program prints goes elsewhere",
                    path, read->count, read->count == 1 ? "" : "s", read->first));
  return ok();
}

/// Adds the runs of a file.
Result<Unit> add_file(const std::string &path, runtime::MergedRuns &merged) {
  return read_file(path, [&](runtime::SavedRun run) { return merged.add(std::move(run)); });
}

/// Files get their names. Exit status.
int committed(Outputs &outputs) {
  const Result<Unit> committed = outputs.commit();
  if (const std::optional<Outputs::Failure> failure = outputs.failure())
    return fail(fmt::format("failed to write to {}: {}", failure->name, failure->error.text()));
  if (!committed) return fail(committed.error().text());
  return 0;
}

// ---------------------------------------------------------------- --diff

class TextOutput final : public runtime::Output {
 public:
  const std::string &written() const { return written_; }

 protected:
  Result<Unit> write(std::string_view text, size_t &written) override {
    written_ += text;
    written = text.size();
    return ok();
  }
  void cut_target(size_t) override {}
  Result<Unit> open_target(const std::string &) override { return ok(); }
  void restore_target() override {}
  void truncate_target() override {}

 private:
  std::string written_;
};

std::string names_of(runtime::MergedRuns &runs) {
  std::set<std::string> names;
  for (const runtime::AggregationView *view : runs.views())
    names.insert(view->name == "_" ? "@" : fmt::format("@{}", view->name));
  return fmt::format("{}", fmt::join(names, ", "));
}

/// A run in a format. `compared`: that of SinkParts.
std::string shown(const runtime::FormatRow &format, const CommandLine &line, const Options &options,
                  runtime::MergedRuns &run, const std::string &compared_name = {}, const std::string &compared = {}) {
  TextOutput output;
  const TypeTable types;
  const std::vector<const runtime::AggregationView *> views = run.views();
  runtime::SinkParts parts{output, run.symbolizer(), types,      run.plan(), 0, line.plain,
                           false,  report,           run.boot(), line.typed};
  parts.compared_name = compared_name;
  parts.compared = compared;
  const std::unique_ptr<runtime::Sink> sink = format.make(parts);
  sink->refresh(options);
  sink->lost(run.losses());
  sink->remaining(views);
  sink->ended(run.status(), run.losses());
  sink->flush();
  return output.written();
}

/// The page of the run after, with the data of the one before in it.
Result<std::string> difference_of_pages(const runtime::FormatRow &format, const CommandLine &line,
                                        const Options &options, runtime::MergedRuns &before,
                                        runtime::MergedRuns &after) {
  return shown(format, line, options, after, line.operands[0], runtime::data_of(shown(format, line, options, before)));
}

/// Lines "frame;frame;... BEFORE AFTER", as the tools for difference graphs read them.
Result<std::string> difference_of_lines(const runtime::FormatRow &format, const CommandLine &line,
                                        const Options &options, runtime::MergedRuns &before,
                                        runtime::MergedRuns &after) {
  std::map<std::string, std::array<std::string, 2>> values;
  const std::string texts[] = {shown(format, line, options, before), shown(format, line, options, after)};
  for (size_t run = 0; run < std::size(texts); ++run) {
    std::istringstream lines(texts[run]);
    for (std::string stack; std::getline(lines, stack);) {
      const size_t blank = stack.rfind(' ');
      std::array<std::string, 2> &both =
          values.try_emplace(stack.substr(0, blank), std::array<std::string, 2>{"0", "0"}).first->second;
      both[run] = stack.substr(blank + 1);
    }
  }
  std::string text;
  for (const auto &[stack, both] : values) text += fmt::format("{} {} {}\n", stack, both[0], both[1]);
  return text;
}

/// Formats that show a difference.
struct DifferenceRow {
  std::string_view format;
  Result<std::string> (*text)(const runtime::FormatRow &, const CommandLine &, const Options &,
                              runtime::MergedRuns &before, runtime::MergedRuns &after);
};
constexpr DifferenceRow kDifferences[] = {{"flame", difference_of_pages}, {"folded", difference_of_lines}};

}  // namespace

int merge_runs(const CommandLine &line, const Options &options, Outputs &outputs) {
  if (outputs.want_thread()) return fail("--merge: format perfetto shows times, which saved runs do not have");
  if (line.operands.empty()) return fail("--merge: no files: write dtrace --merge FILE...");
  runtime::MergedRuns merged;
  for (const std::string &path : line.operands)
    if (const Result<Unit> added = add_file(path, merged); !added) return fail(added.error().text());
  const std::vector<const runtime::AggregationView *> views = merged.views();
  const TypeTable types;
  runtime::SinkParts parts{outputs.first(), merged.symbolizer(), types,     merged.plan(), 0, line.plain, false,
                           report,          merged.boot(),       line.typed};
  parts.program = merged.program();
  const std::unique_ptr<runtime::Sink> sink = outputs.make_sink(parts);
  sink->refresh(options);
  sink->lost(merged.losses());
  sink->remaining(views);
  sink->ended(merged.status(), merged.losses());
  sink->flush();
  return committed(outputs);
}

int compare_runs(const CommandLine &line, const Options &options, Outputs &outputs) {
  if (line.operands.size() != 2)
    return fail(fmt::format("--diff takes two files, BEFORE and AFTER, and was given {}", line.operands.size()));
  if (line.operands[0] == "-" && line.operands[1] == "-")
    return fail("--diff: only one of the files can be standard input");
  std::array<std::vector<runtime::SavedRun>, 2> runs;
  for (size_t i = 0; i < runs.size(); ++i) {
    const auto take = [&](runtime::SavedRun run) {
      runs[i].push_back(std::move(run));
      return ok();
    };
    if (const Result<Unit> read = read_file(line.operands[i], take); !read) return fail(read.error().text());
  }
  runtime::make_comparable(runs[0], runs[1]);
  if (!runtime::share_stacks(runs[0], runs[1])) {
    const auto has_program = [](const std::vector<runtime::SavedRun> &of) {
      return std::ranges::all_of(of, [](const runtime::SavedRun &run) { return !run.program.empty(); });
    };
    const bool are_known = has_program(runs[0]) && has_program(runs[1]);
    report(fmt::format("--diff: no stack of a program is in both runs{}",
                       are_known ? "" : ": if its file has another name in each, record both with -c or -p"));
  }
  runtime::MergedRuns before, after;
  for (size_t i = 0; i < runs.size(); ++i)
    for (runtime::SavedRun &run : runs[i])
      if (const Result<Unit> added = (i == 0 ? before : after).add(std::move(run)); !added)
        return fail(Error(added.error()).during(line.operands[i]).text());
  if (const std::string names = names_of(before), others = names_of(after); names != others)
    return fail(fmt::format("--diff: {} has {}, and {} has {}: compare runs of the same program", line.operands[0],
                            names.empty() ? "no aggregations" : names, line.operands[1],
                            others.empty() ? "no aggregations" : others));
  const Result<Unit> written = outputs.write_each([&](const runtime::FormatRow &format) -> Result<std::string> {
    const auto *const row = std::ranges::find(kDifferences, format.name, &DifferenceRow::format);
    if (row == std::end(kDifferences))
      return Error(
          fmt::format("--diff has no format {}: write -o FILE:flame for a browser, -o FILE:folded for lines with both "
                      "numbers",
                      format.name));
    return row->text(format, line, options, before, after);
  });
  if (!written) return fail(written.error().text());
  return committed(outputs);
}

}  // namespace dtrace::command
