// SPDX-License-Identifier: Apache-2.0
// From programs to what a replay runs: the front end over the probes and types of a recording. Nothing of the running
// kernel is read. The phases are methods in the order they run.
#pragma once

#include <deque>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/options.h"
#include "base/result.h"
#include "codegen/planning/layout.h"
#include "frontend/check/front_end.h"
#include "frontend/lang/symbols.h"
#include "frontend/types/btf.h"
#include "recording/reader.h"
#include "replay/file_catalog.h"
#include "replay/file_symbolizer.h"
#include "replay/file_symbols.h"
#include "replay/leaf_check.h"
#include "runtime/kernel/kernel_info.h"
#include "runtime/probes/catalog.h"
#include "tracer/client.h"
#include "tracer/listing.h"
#include "tracer/program_reading.h"

namespace dtrace::replay {

class ReplayCompiler {
 public:
  /// `recording` and `client` outlive the compiler.
  ReplayCompiler(recording::Reader &recording, Options options, tracer::Client &client);
  ReplayCompiler(const ReplayCompiler &) = delete;
  ReplayCompiler &operator=(const ReplayCompiler &) = delete;

  /// Reads types and D libraries. `lists`: probes are matched to be listed. Errors: D libraries cannot be used.
  Result<Unit> open(bool lists = false);
  /// Checks a program and adds it to the unit. Nothing: done.
  std::optional<tracer::Rejection> add_program(const tracer::ProgramText &program,
                                               const tracer::MacroArguments &arguments);
  /// Why the programs cannot run though they are correct, in a sentence; empty: they can.
  std::string reason_not_to_run() const;
  /// After the last program. `time`, `thread`: records have them. Errors: a limit that a program exceeds.
  Result<codegen::Layout> make_layout(bool time, bool thread);

  const Options &options() const { return options_; }
  recording::Reader &recording() { return recording_; }
  TypeTable &types() { return types_; }
  FileCatalog &catalog() { return catalog_; }
  FileSymbolizer &symbolizer() { return symbolizer_; }
  FrontEnd &front_end() { return *front_end_; }
  const tree::Unit &unit() const { return front_end_->unit(); }
  tracer::Listed listed() { return {*front_end_, catalog_, catalog_, types_, client_}; }
  /// The process that the recording was about; 0: none.
  pid_t target_pid() const;
  /// Texts of an expression and of a clause's position, for messages.
  std::string text_of(const tree::Expr &expr) const;
  std::string position_of(size_t clause) const { return tracer::position_of(*front_end_, clause); }

 private:
  void read_types();
  Result<Unit> open_libraries();
  const BtfIndex *module_btf(std::string_view name) const;
  ProviderAttributes attributes_of(std::string_view provider);
  std::optional<pid_t> pid_fact(std::string_view name) const;

  recording::Reader &recording_;
  tracer::Client &client_;
  Options options_;
  TypeTable types_;
  std::vector<std::unique_ptr<BtfIndex>> btf_;  // the kernel's, then those of modules
  std::vector<std::string> modules_;            // their names
  std::string types_problem_;
  runtime::KernelInfo no_kernel_{"none"};
  std::unique_ptr<runtime::Catalog> providers_;  // asked for attributes only, which they all know without a kernel
  FileCatalog catalog_;
  FileSymbolizer symbolizer_;
  FileSymbols symbols_;
  std::unique_ptr<FrontEnd> front_end_;
  std::unique_ptr<LeafCheck> leaves_;
};

}  // namespace dtrace::replay
