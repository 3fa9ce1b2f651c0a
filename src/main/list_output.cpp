// SPDX-License-Identifier: Apache-2.0
#include "main/list_output.h"

#include <fmt/format.h>
#include <unistd.h>

#include <cstring>

#include "main/outputs.h"
#include "main/terminal.h"

namespace dtrace::command {
namespace {

int fail(const std::string &text) {
  report(text);
  return 1;
}

}  // namespace

int write_listing(const CommandLine &line, std::string_view what, const std::function<std::string()> &make) {
  runtime::FdOutput standard_output(STDOUT_FILENO);
  runtime::FdOutput *output = &standard_output;
  std::unique_ptr<runtime::FdOutput> file;
  OutputSpec spec;
  if (line.outputs.size() > 1) return fail(fmt::format("{} has one output", what));
  if (!line.outputs.empty()) {
    spec = *parse_output(line.outputs.front());  // checked before
    if (spec.format != nullptr && spec.format->name != "text") return fail(fmt::format("{} prints text only", what));
    Result<std::unique_ptr<runtime::FdOutput>> opened = runtime::FdOutput::append_to(spec.file);
    if (!opened) return fail(opened.error().text());
    file = std::move(*opened);
    output = file.get();
  }
  output->text() += make();
  const Result<Unit> written = output->flush();
  if (written) return 0;
  return fail(fmt::format("failed to write to {}: {}", spec.file.empty() ? "<stdout>" : spec.file,
                          std::strerror(written.error().errno_value())));
}

}  // namespace dtrace::command
