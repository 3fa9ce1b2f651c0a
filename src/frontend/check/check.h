// SPDX-License-Identifier: Apache-2.0
// The checker: ast::Ast -> tree::Program. Names are bound, types given, conversions made explicit, prototypes checked,
// inlines and translators expanded, constants folded. One mistake gives one message: poison types keep later checks
// silent.
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "base/options.h"
#include "frontend/lang/probe.h"
#include "frontend/lang/symbols.h"
#include "frontend/syntax/ast.h"
#include "frontend/text/diag.h"
#include "frontend/tree/tree.h"

namespace dtrace {

struct CheckInput {
  const ast::Ast &ast;
  const Sources &sources;
  TypeTable &types;
  ProbeCatalog &probes;
  SymbolSource &symbols;
  const Options &options;
  uint64_t nr_registers = UINT64_MAX;       ///< that uregs[] has
  bool is_library = false;                  ///< D library file: declarations only, failures harm only their users
  uint64_t max_kernel_frames = UINT64_MAX;  ///< that the kernel records of a kernel stack
};

/// Everything defined so far by libraries and program texts: types are in the TypeTable; here are variables, inlines,
/// translators, providers. Survives from one program text to the next.
class Checker {
 public:
  explicit Checker(tree::Unit &unit);
  ~Checker();

  /// In:     a parsed text. The Ast and the TypeTable must outlive the Checker: inlines and translators are expanded
  /// from it. Out:    its Program, for the caller to append to the unit's; nothing if `diags` got an error. Variables,
  /// aggregations and
  ///         nodes are the unit's at once.
  ///         A library: an empty program, `diags` (it may hold the parser's errors) stays as it is, failures are kept
  ///         for the users of the names.
  /// Errors: every tag of diag.def that is not the parser's.
  /// After:  every Expr of the Program is typed, no poison, no unresolved name.
  /// May be called while it runs, by a fallback, with a library.
  std::optional<tree::Program> check(const CheckInput &input, Diagnostics &diags);

  /// Is `name` a D variable, inline or built-in? (the parser's oracle)
  bool is_global(std::string_view name) const;
  /// Called with a name the checker cannot resolve; may define it (a D library file checked on demand) and return true.
  void set_library_fallback(std::function<bool(std::string_view name)> fallback);
  /// Called for a translator pair that is not defined yet; type texts by TypeTable::name.
  /// Asked for translators of a class of a user program, by its full name; true: some were loaded.
  void set_class_fallback(std::function<bool(std::string_view class_name)> fallback);
  void set_translator_fallback(std::function<bool(std::string_view input_type, std::string_view output_type)> fallback);

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace dtrace
