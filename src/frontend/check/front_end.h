// SPDX-License-Identifier: Apache-2.0
// The front end as a whole: D texts in, one typed unit out. Texts are parsed and checked one after another and share
// what they define; D libraries are checked when a text needs what they declare.
#pragma once

#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/options.h"
#include "base/result.h"
#include "frontend/check/check.h"
#include "frontend/check/defined_probes.h"
#include "frontend/check/library.h"
#include "frontend/lang/probe.h"
#include "frontend/lang/symbols.h"
#include "frontend/syntax/parser.h"
#include "frontend/text/diag.h"
#include "frontend/text/source.h"
#include "frontend/tree/tree.h"
#include "frontend/types/types.h"

namespace dtrace {

class FrontEnd {
 public:
  /// The arguments must outlive the front end. Pragmas in texts change `options`.
  FrontEnd(Options &options, TypeTable &types, ProbeCatalog &probes, SymbolSource &symbols);
  ~FrontEnd();
  FrontEnd(const FrontEnd &) = delete;
  FrontEnd &operator=(const FrontEnd &) = delete;

  /// How many registers uregs[] has on this machine; unknown if not called.
  void set_registers(uint64_t number) { nr_registers_ = number; }
  /// How many frames of its own stacks the kernel records; no limit if not called.
  void set_max_kernel_frames(uint64_t number) { max_kernel_frames_ = number; }

  /// D libraries, directories in search order; before the first text. Errors: LibraryIndex's; in files
  /// that the user asked for, syntax.
  Result<Unit> use_libraries(std::vector<std::vector<LibraryFile>> directories, const LibraryEnvironment &environment);
  /// The file that defines provider `name`; null: none.
  const LibraryFile *file_of_provider(std::string_view name) const;

  /// A D text and how it is meant.
  struct Text {
    std::string name;  ///< a path, or the text itself
    std::string text;
    SourceKind kind = SourceKind::kScript;
    ProbeField field = ProbeField::kName;
  };
  /// Out: its tree, which lives as long as the front end; null with errors. `macros`: values of $1 and $name.
  /// What its pragmas set holds from here on, also when there are errors, as they say how these are shown.
  const ast::Ast *parse(Text text, Macros macros, Diagnostics &diags);
  /// Adds nothing to the unit's programs; see Checker::check().
  std::optional<tree::Program> check(const ast::Ast &ast, Diagnostics &diags);
  /// Checks the text of a library now. False: it has an error. Programs that do not use the wrong declaration still
  /// compile.
  bool check_library(std::string name, std::string text);
  /// Is `name` a D variable, inline or built-in?
  bool is_global(std::string_view name) const { return checker_.is_global(name); }
  /// The catalog, with probes that are defined in D checked when they are asked for.
  DefinedProbes &probes() { return probes_; }
  tree::Unit &unit() { return unit_; }
  const tree::Unit &unit() const { return unit_; }
  const Sources &sources() const { return sources_; }
  /// Texts as parsed, libraries too.
  const std::vector<std::unique_ptr<ast::Ast>> &trees() const { return trees_; }
  /// Two D libraries define differently what some text asked for; empty: none do.
  const std::string &library_conflict() const { return library_conflict_; }
  /// What was wrong with libraries that texts asked for: if one of these does not compile, most likely the reason.
  const std::vector<std::string> &library_failures() const { return library_failures_; }
  unsigned nr_libraries_checked() const { return nr_libraries_checked_; }

 private:
  std::unique_ptr<ast::Ast> parse_source(uint32_t source, ProbeField field, SourceKind kind, Macros &macros,
                                         Diagnostics &diags);
  /// Errors of the parser in `syntax`, of the checker in `names`. False: there is nothing to check.
  bool check_library_source(uint32_t source, Diagnostics &syntax, Diagnostics &names);
  /// Checks the text of a probe that a provider defines in D. What the user asks of programs is not asked of it.
  /// Errors: the first diagnostic, or derive()'s.
  Result<std::vector<ProbeOrigin>> check_definition(const std::string &name, std::string_view text);
  Result<Unit> check_asked_libraries();
  bool load(std::string_view name);
  bool load_file(uint32_t file);
  /// Remembers that two D libraries define `name`, which a text asks for, differently.
  void note_conflict(std::string_view name);
  std::string failure_text(uint32_t file, const Diagnostics &diags) const;

  Options &options_;
  TypeTable &types_;
  DefinedProbes probes_;
  SymbolSource &symbols_;
  Sources sources_;
  tree::Unit unit_;
  Checker checker_;
  std::vector<std::unique_ptr<ast::Ast>> trees_;  // typed trees and inlines keep views into them
  std::unique_ptr<LibraryIndex> libraries_;
  std::string library_conflict_;
  std::vector<std::string> library_failures_;
  std::map<uint32_t, std::string> library_check_failures_;  // by file
  unsigned nr_libraries_checked_ = 0;
  uint64_t nr_registers_ = UINT64_MAX;
  uint64_t max_kernel_frames_ = UINT64_MAX;
};

}  // namespace dtrace
