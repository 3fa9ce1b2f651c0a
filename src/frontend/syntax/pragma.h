// SPDX-License-Identifier: Apache-2.0
// Control lines: `#pragma`, `#line` and cpp's markers, `#error`, `#ident`. They act while the text is lexed, so an
// option pragma is in force for all text after it.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "frontend/syntax/ast.h"
#include "frontend/syntax/parser.h"
#include "frontend/text/diag.h"

namespace dtrace {

class ControlLines {
 public:
  ControlLines(const ParseInput &input, Sources &sources, Diagnostics &diags, ast::Ast &ast)
      : input_(input), sources_(sources), diags_(diags), ast_(ast) {}

  /// In:      `line` is the span from `#` to the end of the line, without its newline.
  /// Out:     options are set, markers are added to the source, other D pragmas are added to the tree.
  /// Errors:  D_PRAGERR, D_PRAGCTL_INVAL, D_PRAGMA_INVAL, D_PRAGMA_MALFORM, D_PRAGMA_OPTSET.
  void handle(Span line);

  /// Are we inside a file that a cpp marker entered?
  bool in_include() const { return include_depth_ > 0; }
  /// Did the last marker say that the text comes from a system header?
  bool in_system_header() const { return in_system_header_; }

 private:
  struct Word {
    std::string_view text;  ///< without the quotes
    Span span;
    bool quoted = false;
  };
  std::vector<Word> words(Span line) const;
  void pragma(Span line, const std::vector<Word> &words, size_t at);
  void d_pragma(Span line, const std::vector<Word> &words, size_t at);
  void option(Span line, const std::vector<Word> &words, size_t at);
  void marker(Span line, const std::vector<Word> &words, size_t at);
  void error(const std::vector<Word> &words, size_t at);

  const ParseInput &input_;
  Sources &sources_;
  Diagnostics &diags_;
  ast::Ast &ast_;
  int include_depth_ = 0;
  bool in_system_header_ = false;
  std::string file_;
};

}  // namespace dtrace
