// SPDX-License-Identifier: Apache-2.0
// The sink of a recording: rows of leaves go to a file, with whatever is needed to understand them elsewhere.
#pragma once

#include <functional>
#include <memory>

#include "frontend/lang/probe.h"
#include "recorder/record_leaves.h"
#include "recorder/redaction.h"
#include "recording/writer.h"
#include "runtime/cgroups/cgroup_texts.h"
#include "runtime/events/sink.h"
#include "runtime/symbols/symbolizer.h"

namespace dtrace::recorder {

struct RecordingParts {
  recording::Writer &writer;
  const RecordedLeaves &leaves;
  TypeTable &types;
  ProbeCatalog &probes;  ///< as the checker sees them
  const Plan &plan;
  runtime::Symbolizer &symbolizer;
  runtime::CgroupTexts *cgroups = nullptr;
  /// The function of a probe as it is shown.
  std::function<std::string(ProbeId)> shown_function;
  std::function<void()> after_row = {};               ///< of the recording; may begin a file
  Redaction *redaction = nullptr;                     ///< null: nothing is redacted
  std::function<void(std::string_view)> report = {};  ///< for warnings; may be empty
};

class RecordingSink : public runtime::Sink {
 public:
  /// `writer` is another one, with nothing in it: all that rows need is defined there. Between two rows.
  virtual void begin_file() = 0;
  /// Nothing follows in the file that `writer` writes: what is known at its end is defined. Between two rows.
  virtual void end_file() = 0;
};

/// `parts` outlives the sink. Leaves, their sets and the probes that there are now are defined at once. What is no row
/// of the recording goes on to `shown`.
std::unique_ptr<RecordingSink> make_recording_sink(const RecordingParts &parts, std::unique_ptr<runtime::Sink> shown);

}  // namespace dtrace::recorder
