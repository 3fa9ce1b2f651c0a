// SPDX-License-Identifier: Apache-2.0
// Macro variables and arguments: $name, $N. One Expander lives as long as one program text, because "is the last
// argument used?" is asked per text. It reads the caller's Macros each time: an option pragma may change them while we
// parse.
#pragma once

#include <cstdint>
#include <optional>
#include <set>
#include <string>
#include <string_view>

#include "frontend/syntax/ast.h"
#include "frontend/syntax/parser.h"
#include "frontend/text/diag.h"

namespace dtrace {

/// What a macro stands for in an expression.
struct MacroValue {
  enum class Kind : uint8_t { kInteger, kIdentifier, kString } kind = Kind::kInteger;
  ast::IntLit number;
  bool negative = false;  ///< the value is -number
  std::string text;       ///< name or string, escapes done
};

/// The token a macro argument's text becomes. nullopt: an integer of more than 64 bits.
std::optional<MacroValue> classify_argument(std::string_view text);

class MacroExpander {
 public:
  explicit MacroExpander(const Macros *macros) : macros_(macros) {}

  /// In:      `macro` as written, from its `$`; the lexer has checked its form.
  /// Out:     its value, nullopt after an error.
  /// Errors:  D_MACRO_UNDEF, D_MACRO_OFLOW.
  std::optional<MacroValue> expand(std::string_view macro, Span span, Diagnostics &diags);

  /// Text of $N or of a variable in decimal for a probe description: nullopt if there is none. `name` is without `$`.
  std::optional<std::string> text_of(std::string_view name);

  /// How many processes $target stands for, and which of them text_of() gives.
  size_t nr_targets() const { return macros_ == nullptr ? 0 : macros_->targets.size(); }
  void choose_target(size_t index) { target_ = index; }

  /// Errors: D_MACRO_UNUSED at `end` if the last argument was never looked at.
  void check_used(Span end, Diagnostics &diags) const;

 private:
  const std::string *argument(std::string_view digits);
  std::optional<int64_t> variable(std::string_view name) const;

  const Macros *macros_;
  size_t target_ = 0;
  std::set<size_t> used_;
};

}  // namespace dtrace
