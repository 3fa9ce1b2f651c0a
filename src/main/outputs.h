// SPDX-License-Identifier: Apache-2.0
// Where a run's output goes: to standard output, or to the files of -o; each has a format.
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "base/options.h"
#include "base/result.h"
#include "command_line/command_line.h"
#include "runtime/output/formats.h"
#include "runtime/print/output.h"

namespace dtrace::command {

/// A word of -o: FILE, or FILE:FORMAT.
struct OutputSpec {
  std::string file;                            ///< empty: standard output
  const runtime::FormatRow *format = nullptr;  ///< null: that of option format
};
/// Errors: what is behind the last colon looks like a format, and there is no such.
Result<OutputSpec> parse_output(std::string_view word);

class Outputs {
 public:
  /// Resolves formats and what they need; opens nothing. Errors: in a sentence, of what cannot be combined.
  static Result<Outputs> plan(const CommandLine &line, const Options &options);

  /// Do records need more than programs record?
  bool want_time() const;
  bool want_thread() const;

  /// Errors: a file cannot be written.
  Result<Unit> open(const std::function<void(std::string_view)> &report);
  /// After open(). `parts`: for the output that they name, any.
  std::unique_ptr<runtime::Sink> make_sink(runtime::SinkParts parts) const;
  /// Writes to each what `text` makes in its format. Errors: the format has none.
  Result<Unit> write_each(const std::function<Result<std::string>(const runtime::FormatRow &)> &text);
  /// Do all have lines of their own for faults, so that none is on standard error?
  bool have_faults() const;
  void set_patience(const runtime::FdOutput::Patience &patience);

  /// Text beside what is traced (-v): to the first output, if that is text.
  runtime::Output *for_text() const;
  /// SIGHUP. Is there a file that can be opened again?
  bool can_reopen() const;
  void reopen(const std::function<void(std::string_view)> &report);

  /// Renames files that are written as a whole to their final names.
  Result<Unit> commit();
  /// The first that failed: its name and why.
  struct Failure {
    std::string name;
    Error error;
  };
  std::optional<Failure> failure() const;
  runtime::Output &first() const { return outputs_.front().output(); }

 private:
  struct Target {
    OutputSpec spec;
    std::unique_ptr<runtime::FdOutput> rows;
    std::unique_ptr<runtime::WholeFileOutput> whole;
    runtime::Output &output() const {
      return rows ? static_cast<runtime::Output &>(*rows) : static_cast<runtime::Output &>(*whole);
    }
    std::string name() const { return spec.file.empty() ? "<stdout>" : spec.file; }
  };
  std::vector<Target> outputs_;
  runtime::Rotation rotation_;
  bool is_kept_ = false;  // --live: standard output is shown when the screen has gone
};

}  // namespace dtrace::command
