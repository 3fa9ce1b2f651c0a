// SPDX-License-Identifier: Apache-2.0
#include "main/outputs.h"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <set>

#include "runtime/output/several_sinks.h"

namespace dtrace::command {
namespace {

bool is_run(const OutputSpec &spec) { return spec.format->extent == runtime::Extent::kRun; }

/// What follows the last colon of "run-12:30" is a part of the name, not the name of a format.
bool looks_like_format(std::string_view word) {
  return !word.empty() && word.find_first_not_of("abcdefghijklmnopqrstuvwxyz") == std::string_view::npos;
}

/// Endings of names, and the formats of files that are called so.
struct Ending {
  std::string_view ending;
  std::initializer_list<std::string_view> formats;
};

/// The format that the file's name asks for; null: none. Errors: it could be one of several.
Result<const runtime::FormatRow *> format_of_name(std::string_view file) {
  static const Ending kEndings[] = {
      {".json", {"json"}},   {".csv", {"csv"}},          {".folded", {"folded"}},
      {".svg", {"svg"}},     {".pb", {"pprof"}},         {".pb.gz", {"pprof"}},
      {".pprof", {"pprof"}}, {".pftrace", {"perfetto"}}, {".html", {"flame", "heatmap"}},
  };
  for (const Ending &row : kEndings) {
    if (!file.ends_with(row.ending)) continue;
    if (row.formats.size() == 1) return runtime::find_format(*row.formats.begin());
    std::vector<std::string> words;
    for (const std::string_view name : row.formats) words.push_back(fmt::format("-o {}:{}", file, name));
    return Error(fmt::format("-o {0}: several formats are of that ending: write {1}, or -o {0}:text", file,
                             fmt::join(words, ", ")));
  }
  return static_cast<const runtime::FormatRow *>(nullptr);
}

}  // namespace

Result<OutputSpec> parse_output(std::string_view word) {
  const size_t colon = word.rfind(':');
  if (colon == std::string_view::npos || colon == 0) return OutputSpec{std::string(word), nullptr};
  const std::string_view name = word.substr(colon + 1);
  if (const runtime::FormatRow *format = runtime::find_format(name))
    return OutputSpec{std::string(word.substr(0, colon)), format};
  if (looks_like_format(name))
    return Error(
        fmt::format("-o {0}: there is no format '{1}': the formats are {2}. For a file of that name write -o {0}:text",
                    word, name, runtime::format_names()));
  return OutputSpec{std::string(word), nullptr};
}

Result<Outputs> Outputs::plan(const CommandLine &line, const Options &options) {
  Outputs outputs;
  const runtime::FormatRow *const usual = runtime::find_format(options.string(Opt::format));
  if (usual == nullptr) return Error(fmt::format("there is no format '{}'", options.string(Opt::format)));
  outputs.is_kept_ = line.live;
  std::vector<std::string> words = line.outputs;
  if (words.empty()) words.emplace_back();
  std::set<std::string> files;
  for (const std::string &word : words) {
    Result<OutputSpec> spec = parse_output(word);
    if (!spec) return std::move(spec.error());
    if (spec->format == nullptr && !options.is_set(Opt::format)) {
      const Result<const runtime::FormatRow *> named = format_of_name(spec->file);
      if (!named) return named.error();
      spec->format = *named;
    }
    if (spec->format == nullptr) spec->format = usual;
    if (!files.insert(spec->file).second) return Error(fmt::format("-o: '{}' is there twice", spec->file));
    outputs.outputs_.push_back({std::move(*spec), nullptr, nullptr});
  }
  // freopen() and what else is about one output is about text, if there is some.
  const auto is_text = [](const Target &target) { return target.spec.format->name == "text"; };
  if (const auto text = std::ranges::find_if(outputs.outputs_, is_text); text != outputs.outputs_.end())
    std::rotate(outputs.outputs_.begin(), text, text + 1);
  const auto other = std::ranges::find_if_not(outputs.outputs_, is_text);
  if (line.buffered && other != outputs.outputs_.end()) return Error("-B prints text only");

  Result<runtime::Rotation> rotation = runtime::rotation_of(options);
  if (!rotation) return std::move(rotation.error());
  outputs.rotation_ = *rotation;
  // With --record, the rows are in its file.
  if (!outputs.rotation_.is_wanted() || line.record) return outputs;
  for (const Target &target : outputs.outputs_) {
    if (target.spec.file.empty())
      return Error("rotatesize, rotatetime: standard output cannot be rotated: name a file with -o");
    if (is_run(target.spec))
      return Error(
          fmt::format("rotatesize, rotatetime: format {} is written as a whole at the end", target.spec.format->name));
  }
  return outputs;
}

bool Outputs::want_time() const {
  return std::ranges::any_of(outputs_, [](const Target &target) { return runtime::wants_time(*target.spec.format); });
}

bool Outputs::want_thread() const {
  return std::ranges::any_of(outputs_, [](const Target &target) { return runtime::wants_thread(*target.spec.format); });
}

Result<Unit> Outputs::open(const std::function<void(std::string_view)> &report) {
  for (Target &target : outputs_) {
    const OutputSpec &spec = target.spec;
    if (spec.file.empty()) {
      target.rows = std::make_unique<runtime::FdOutput>(STDOUT_FILENO);
      if (is_kept_) target.rows->keep_for_terminal();
      if (spec.format->content == runtime::Content::kBinary && target.rows->is_terminal())
        return Error(fmt::format("format {} cannot be written to a terminal: name a file with -o", spec.format->name));
    } else if (is_run(spec)) {
      Result<std::unique_ptr<runtime::WholeFileOutput>> file = runtime::WholeFileOutput::at(spec.file);
      if (!file) return std::move(file.error());
      target.whole = std::move(*file);
    } else {
      Result<std::unique_ptr<runtime::FdOutput>> file = runtime::FdOutput::append_to(spec.file);
      if (!file) return std::move(file.error());
      target.rows = std::move(*file);
      if (rotation_.is_wanted())
        if (Result<Unit> rotates = target.rows->rotate(rotation_, report); !rotates) return rotates;
    }
  }
  return ok();
}

std::unique_ptr<runtime::Sink> Outputs::make_sink(runtime::SinkParts parts) const {
  std::vector<std::unique_ptr<runtime::Sink>> sinks;
  for (const Target &target : outputs_) {
    runtime::SinkParts own{target.output(), parts.symbolizer,   parts.types,         parts.plan,     parts.target_pid,
                           parts.plain,     parts.buffered,     parts.report,        parts.boot,     parts.command,
                           parts.scripts,   parts.title,        parts.compared_name, parts.compared, parts.reports,
                           parts.program,   parts.recorded_time};
    sinks.push_back(target.spec.format->make(own));
    // JSON has them in its own lines; of others the first reports what all of them know.
    if (target.spec.format->name != "json") parts.reports = false;
  }
  return runtime::make_several_sinks(std::move(sinks));
}

Result<Unit> Outputs::write_each(const std::function<Result<std::string>(const runtime::FormatRow &)> &text) {
  for (const Target &target : outputs_) {
    Result<std::string> made = text(*target.spec.format);
    if (!made) return std::move(made.error());
    target.output().text() += *made;
    target.output().row_done();
    (void)target.output().flush();  // the output remembers a failure
  }
  return ok();
}

bool Outputs::have_faults() const {
  return std::ranges::all_of(outputs_, [](const Target &target) { return target.spec.format->name == "json"; });
}

void Outputs::set_patience(const runtime::FdOutput::Patience &patience) {
  for (const Target &target : outputs_)
    if (target.rows) target.rows->set_patience(patience);
}

runtime::Output *Outputs::for_text() const {
  const Target &first = outputs_.front();
  return first.spec.format->name == "text" ? &first.output() : nullptr;
}

bool Outputs::can_reopen() const {
  return std::ranges::any_of(outputs_, [](const Target &target) { return !target.spec.file.empty(); });
}

void Outputs::reopen(const std::function<void(std::string_view)> &report) {
  for (const Target &target : outputs_)
    if (target.rows)
      if (const Result<Unit> reopened = target.rows->reopen(); !reopened)
        report(reopened.error().text() + "; the file that is open goes on");
}

Result<Unit> Outputs::commit() {
  for (const Target &target : outputs_)
    if (target.whole && !target.whole->failed())
      if (Result<Unit> done = target.whole->commit(); !done) return std::move(done.error()).during(target.name());
  return ok();
}

std::optional<Outputs::Failure> Outputs::failure() const {
  for (const Target &target : outputs_)
    if (target.output().failed()) return Failure{target.name(), *target.output().error()};
  return std::nullopt;
}

}  // namespace dtrace::command
