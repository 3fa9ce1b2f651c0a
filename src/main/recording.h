// SPDX-License-Identifier: Apache-2.0
// --record: the files, and what is in them beside rows. Rotation and SIGHUP begin another file; each is a whole
// recording.
#pragma once

#include <memory>
#include <optional>
#include <string>

#include "base/options.h"
#include "base/owned.h"
#include "base/result.h"
#include "command_line/command_line.h"
#include "recorder/record_leaves.h"
#include "recorder/recording_sink.h"
#include "recorder/redaction.h"
#include "recording/writer.h"
#include "runtime/events/sink.h"
#include "runtime/print/rotation.h"
#include "tracer/compiler.h"

namespace dtrace::command {

class Recording {
 public:
  explicit Recording(std::string path) : path_(std::move(path)) {}

  /// Replaces the compiler's programs by what records their leaves. False: some cannot be recorded, as was reported.
  bool take_programs(tracer::Compiler &compiler, const CommandLine &line);
  /// Makes the file, readable by its owner only. A file of that name is replaced. Errors: the system's; it is there and
  /// no regular file; options that are wrong.
  Result<Unit> open(const Options &options);
  /// After open(), which it needs as long as it is there. `shown`: for what the programs print.
  std::unique_ptr<runtime::Sink> make_sink(tracer::Compiler &compiler, const Plan &plan,
                                           std::unique_ptr<runtime::Sink> shown);
  /// SIGHUP: if the file has been renamed or removed, the next one begins. Between two rows.
  void reopen();
  /// The end of the file. Errors: the first failure to write.
  Result<Unit> finish();

 private:
  Result<Fd> make_file() const;
  Result<Unit> write(std::string_view bytes);
  /// The head, and what is known of the machine.
  void begin_file();
  void define_facts();
  void after_row();
  /// Ends the file that is open, and goes on in `file`.
  void continue_in(Fd file);

  std::string path_;
  Fd file_;
  std::optional<runtime::NextRotation> rotation_;
  uint64_t head_bytes_ = 0;  // of the file, before rows
  std::optional<recorder::Redaction> redaction_;
  recorder::RecordedLeaves leaves_;
  std::optional<recording::PackedBlob> types_;  // the kernel's
  std::optional<recording::Writer> writer_;
  tracer::Compiler *compiler_ = nullptr;     // make_sink()'s
  recorder::RecordingSink *sink_ = nullptr;  // likewise
};

}  // namespace dtrace::command
