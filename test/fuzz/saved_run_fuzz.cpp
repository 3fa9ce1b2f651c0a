// SPDX-License-Identifier: Apache-2.0
// Files that dtrace --merge reads: any bytes are an error or a run that can be shown.
#include <cstddef>
#include <cstdint>
#include <sstream>
#include <string>

#include "frontend/types/types.h"
#include "runtime/merge/merged_runs.h"
#include "runtime/output/formats.h"
#include "runtime/print/output.h"

namespace {

class Nowhere final : public dtrace::runtime::Output {
 protected:
  dtrace::Result<dtrace::Unit> write(std::string_view text, size_t &written) override {
    written = text.size();
    return dtrace::ok();
  }
  void cut_target(size_t) override {}
  dtrace::Result<dtrace::Unit> open_target(const std::string &) override { return dtrace::ok(); }
  void restore_target() override {}
  void truncate_target() override {}
};

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  std::istringstream in(std::string(reinterpret_cast<const char *>(data), size));
  dtrace::runtime::MergedRuns merged;
  (void)dtrace::runtime::read_saved_runs(in, [&](dtrace::runtime::SavedRun run) { return merged.add(std::move(run)); });
  const auto views = merged.views();
  const dtrace::TypeTable types;
  Nowhere output;
  const auto sink = dtrace::runtime::make_text_sink(
      {output, merged.symbolizer(), types, merged.plan(), 0, true, false, [](std::string_view) {}});
  sink->refresh(dtrace::Options());
  sink->remaining(views);
  return 0;
}
