// SPDX-License-Identifier: Apache-2.0
// From programs to what the kernel loads: the system that programs are compiled for, the processes that they are about,
// and the front end over both. The phases are methods in the order they run.
#pragma once

#include <chrono>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/options.h"
#include "base/result.h"
#include "codegen/compile.h"
#include "frontend/check/front_end.h"
#include "runtime/cgroups/cgroup_names.h"
#include "runtime/foreign/debug_fetch.h"
#include "runtime/kernel/kernel_info.h"
#include "runtime/kernel/symbol_source.h"
#include "runtime/probes/catalog.h"
#include "runtime/process/target_set.h"
#include "runtime/store/object_files.h"
#include "runtime/symbols/symbolizer_impl.h"
#include "tracer/client.h"
#include "tracer/program_reading.h"
#include "tracer/program_text.h"

namespace dtrace::tracer {

/// What records have beside what programs record.
struct RecordNeeds {
  bool time = false, thread = false;
  bool in_order = false;  ///< those of all CPUs are merged by time
};

class Compiler {
 public:
  /// Messages go to `client`, which outlives the compiler.
  Compiler(Options options, Client &client);
  ~Compiler();
  Compiler(const Compiler &) = delete;
  Compiler &operator=(const Compiler &) = delete;

  /// Looks at the system. `lists`: probes are matched to be listed. Errors: option btfpath names no BTF, D libraries
  /// cannot be used.
  Result<Unit> open(bool lists = false);
  /// Creates (held) and grabs processes; `programs` may say by option evaltime how far commands are to come first.
  Result<Unit> take_processes(std::span<const ProcessText> processes, std::span<const ProgramText> programs,
                              const char *const *environment);
  /// Parses a program, and checks it and adds it to the unit unless `parse_only`. Nothing: done.
  std::optional<Rejection> add_program(const ProgramText &program, const MacroArguments &arguments,
                                       bool parse_only = false);
  /// The same in two steps. Parses and checks a program; `checked` is what enable() adds to the unit, now or later.
  std::optional<Rejection> check_program(const ProgramText &program, const MacroArguments &arguments,
                                         std::optional<tree::Program> &checked, bool parse_only = false);
  void enable(tree::Program program);
  /// Before the code is generated.
  void record(RecordNeeds needs) { records_ = needs; }
  /// After the last program. From here on compile options are what they are.
  void close();
  /// Generates code. `listing`: CompileInput's. `planned`: codegen::compile()'s.
  Result<codegen::CompiledObject> generate(unsigned listing = 0, const codegen::Planned &planned = {});

  /// As users and programs have set them.
  const Options &options() const { return options_; }
  /// For clients that set options between programs, as pragmas do.
  Options &options() { return options_; }
  runtime::KernelInfo &kernel() { return *kernel_; }
  /// How many frames of its own stacks the kernel records; nothing: it does not say. After open().
  std::optional<uint64_t> max_kernel_frames() const { return max_kernel_frames_; }
  TypeTable &types() { return *types_; }
  runtime::Catalog &catalog() { return *catalog_; }
  runtime::SystemSymbolizer &symbolizer() { return *symbolizer_; }
  MemoryBudget &budget() { return budget_; }
  runtime::TargetSet &targets() { return targets_; }
  /// Null: option follow is not set, or there are no targets.
  runtime::FollowedProcesses *followed() { return followed_.get(); }
  runtime::CgroupNames &cgroups() { return cgroups_; }
  FrontEnd &front_end() { return *front_end_; }
  const tree::Unit &unit() const { return front_end_->unit(); }
  codegen::CompileInput compile_input(unsigned listing = 0);
  /// Probes that the programs name, each as often as it is named.
  size_t matched() const;
  /// Probes that the programs enable, each once.
  size_t nr_probes() const;
  /// Why the programs cannot run though they are correct, in a sentence; empty: they can.
  std::string reason_not_to_run() const;

  /// Where a clause, counted through all programs, is in its text: "line 9 of tcp.d", of a program without a file "line
  /// 1, column 20"; empty: there is no such clause.
  std::string position_of(size_t clause) const;

  Client &client() { return client_; }
  /// Tells the client of a step, under option debug.
  void debug(std::string_view step) const;

 private:
  Result<Unit> open_libraries();
  /// Option follow: lets providers know the targets whose children are followed.
  Result<Unit> follow_targets();
  /// Options debuginfod and cache. Errors: no server is named.
  Result<Unit> use_debug_sources();
  /// Keeps decompressed debug information between runs; null: this run does not.
  ObjectStore *debug_images();
  /// Those of one -p.
  Result<Unit> grab_processes(const std::string &text);
  /// #pragma D option evaltime of the programs, which must be known before they are compiled.
  void look_for_evaltime(std::span<const ProgramText> programs);
  std::vector<std::string> command_environment(const char *const *inherited) const;
  MacroProcesses macro_processes() const;
  /// Option cache.
  StoreUse store_use(unsigned listing);

  Client &client_;
  Options options_;
  std::unique_ptr<runtime::KernelInfo> kernel_;
  std::unique_ptr<TypeTable> types_;
  std::unique_ptr<runtime::DebugFetch> fetch_;          // before catalog_, which asks it
  std::unique_ptr<runtime::ObjectFiles> debug_images_;  // before catalog_, too
  bool has_opened_debug_images_ = false;
  std::unique_ptr<runtime::Catalog> catalog_;
  MemoryBudget budget_;  // before what asks it
  std::unique_ptr<runtime::SystemSymbolizer> symbolizer_;
  std::unique_ptr<runtime::KernelSymbolSource> symbol_source_;
  std::unique_ptr<FrontEnd> front_end_;
  runtime::TargetSet targets_;
  std::unique_ptr<runtime::FollowedProcesses> followed_;
  runtime::CgroupNames cgroups_;
  std::vector<pid_t>
      inside_;  // processes that the options container, pod, unit and cgroup mean, if no targets are named
  std::unique_ptr<runtime::ObjectFiles> store_;
  RecordNeeds records_;
  std::optional<uint64_t> max_kernel_frames_;
  std::chrono::steady_clock::time_point start_ = std::chrono::steady_clock::now();
};

}  // namespace dtrace::tracer
