// SPDX-License-Identifier: Apache-2.0
// One invocation: the command line's options and programs, and all that compiling them needs. The phases are methods in
// the order they run; main.cpp reads like the picture in doc/architecture.md.
#pragma once

#include <chrono>
#include <functional>
#include <map>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "base/options.h"
#include "base/result.h"
#include "codegen/compile.h"
#include "frontend/check/check.h"
#include "frontend/check/library.h"
#include "frontend/syntax/parser.h"
#include "frontend/syntax/preprocess.h"
#include "frontend/text/diag.h"
#include "frontend/tree/tree.h"
#include "main/command_line.h"
#include "runtime/kernel/kernel_info.h"
#include "runtime/kernel/symbol_source.h"
#include "runtime/probes/catalog.h"
#include "runtime/process/target_set.h"
#include "runtime/symbols/symbolizer_impl.h"

namespace dtrace {

/// "dtrace: TEXT" on standard error.
void report(std::string_view text);
/// Text for standard error as it is.
void complain(std::string_view text);

class Session {
 public:
  explicit Session(const CommandLine &line);
  ~Session();

  /// Environment and command-line options, in that order. False: reported.
  bool apply_options();
  /// Option debug: a step was done, and how long after the start.
  void debug(std::string_view step) const;
  /// Creates (held) and grabs the processes of -c and -p. False: reported.
  bool take_processes();
  /// Parses and checks every program of the command line, in order. False: reported.
  bool check_programs();
  /// Generates code for all of them.
  Result<CompiledObject> generate();

  const CommandLine &line;
  Options options;
  Sources sources;
  KernelInfo &kernel() { return *kernel_; }
  TypeTable &types() { return *types_; }
  Catalog &catalog() { return *catalog_; }
  SystemSymbolizer &symbolizer() { return *symbolizer_; }
  TargetSet &targets() { return targets_; }
  const tree::Unit &unit() const { return unit_; }
  /// Texts as parsed, for --stop-after=parse.
  const std::vector<std::unique_ptr<ast::Ast>> &asts() const { return asts_; }
  size_t matched() const;
  bool list_mode() const { return line.mode == CommandLine::Mode::kList; }

 private:
  void raise_memory_limit() const;
  /// #pragma D option evaltime of the programs, which must be known before they are compiled.
  void look_for_evaltime();
  /// "invalid probe specifier X: ..." or "failed to compile script X: ...".
  void report_failure(const ProgramSpec &spec, const Diagnostics &diags);
  bool check_program(const ProgramSpec &spec);
  /// What commands of -c are started with.
  std::vector<std::string> command_environment() const;
  /// Values of options that repeat, in the order of the command line; those of the environment come first.
  void each_setting(std::span<const Opt> wanted,
                    const std::function<void(Opt option, const std::string &value)> &take) const;
  PreprocessOptions preprocess_options(const std::string &script) const;
  bool load_library_index();
  bool check_library_file(uint32_t file);
  /// Remembers that two D libraries define `name`, which a program asks for, differently.
  void note_conflict(std::string_view name);
  Result<ProbeOrigins> check_definition(const std::string &name, std::string_view text);
  std::unique_ptr<ast::Ast> parse_text(uint32_t source, ProbeField field, bool command_line, Macros &macros,
                                       Diagnostics &diags);
  std::string set_option_from_pragma(std::string_view name, std::string_view value, bool has_value);

  std::unique_ptr<KernelInfo> kernel_;
  std::unique_ptr<TypeTable> types_;
  std::unique_ptr<Catalog> catalog_;
  std::unique_ptr<SystemSymbolizer> symbolizer_;
  std::unique_ptr<KernelSymbolSource> symbol_source_;
  std::unique_ptr<LibraryIndex> libraries_;
  std::string library_conflict_;
  std::vector<std::string> library_failures_;               // reported if a program does not compile
  std::map<uint32_t, std::string> library_check_failures_;  // by file
  tree::Unit unit_;
  std::unique_ptr<Checker> checker_;
  std::vector<std::unique_ptr<ast::Ast>> asts_;
  TargetSet targets_;
  std::chrono::steady_clock::time_point start_ = std::chrono::steady_clock::now();
};

}  // namespace dtrace
