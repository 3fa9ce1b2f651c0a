// SPDX-License-Identifier: Apache-2.0
// D text -> ast::Ast. Hand-written, context-dependent lexer and recursive descent with recovery at
// `;` and `}`: several errors are collected, the first is the one DTrace would print.
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "frontend/syntax/ast.h"
#include "frontend/text/diag.h"

namespace dtrace {

/// What the last field of the first probe description means: -P, -m, -f, -n.
enum class ProbeField : uint8_t { kProvider, kModule, kFunction, kName };

/// Values of $name and $N.
struct Macros {
  std::vector<std::string> arguments;                      ///< [0] is $0, then $1 ...
  std::vector<std::pair<std::string, int64_t>> variables;  ///< pid, ppid, uid, target, ...
  std::vector<int64_t> targets;  ///< every process that $target stands for in a probe description; empty: the variable
  bool default_arguments = false;  ///< -xdefaultargs: missing $N is 0, $$N is ""
  bool allow_unused = false;       ///< -xargref
};

/// Names the parser must know to tell a type from an identifier.
struct NameOracle {
  std::function<bool(std::string_view)> is_type;    ///< an ordinary type name (D, C, kernel), declared before this text
  std::function<bool(std::string_view)> is_global;  ///< a D variable, inline or built-in of that name: hides the type
};

struct ParseInput {
  uint32_t source = 0;  ///< in `sources`
  ProbeField field = ProbeField::kName;
  bool command_line = false;           ///< -n and its like: specifiers without {} allowed, `pspec` lexing
  bool pspec = false;                  ///< -xpspec
  bool allow_empty = false;            ///< -xempty
  bool foreign_control_lines = false;  ///< -h, -G: control lines that are not ours (#ifdef, ...) are comments
  const Macros *macros = nullptr;
  NameOracle oracle;
  /// Called for each `#pragma D option name[=value]` as it is met; returns an error text, empty if set.
  std::function<std::string(std::string_view name, std::string_view value, bool has_value)> set_option;
};

/// In:     the source's text; names declared earlier through the oracle.
/// Out:    the tree; with errors in `diags` what could be parsed.
/// Errors: D_SYNTAX, D_EMPTY, D_MACRO_*, D_INT_*, D_STR_NL, D_CHR_*, D_PDESC_INVAL, D_PRAG*.
std::unique_ptr<ast::Ast> parse(const ParseInput &input, Sources &sources, Diagnostics &diags);

}  // namespace dtrace
