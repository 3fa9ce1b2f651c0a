// SPDX-License-Identifier: Apache-2.0
// A provider definition file -> tokens. Not the D lexer: build systems feed `dtrace -h` comment lines that begin with
// `#`, conditionals without -C, the output of any preprocessor, and whole C headers, where the D lexer must refuse.
#pragma once

#include <string_view>
#include <vector>

#include "frontend/text/diag.h"
#include "frontend/text/source.h"

namespace dtrace::usdt {

struct Token {
  enum class Kind : uint8_t {
    kEnd,
    kWord,
    kNumber,
    kText,   ///< a string or character literal, quotes included
    kPunct,  ///< one character, or "..."
  };
  Kind kind = Kind::kEnd;
  Span span;
  std::string_view text;

  bool is(std::string_view spelling) const { return text == spelling && kind != Kind::kText; }
  bool is_word() const { return kind == Kind::kWord; }
};

/// `#pragma D attributes ...`: the words after "attributes".
struct AttributesPragma {
  Span span;
  std::vector<std::string_view> words;
};

struct Tokens {
  std::vector<Token> list;  ///< the last one is kEnd
  std::vector<AttributesPragma> attributes;
};

/// In:      the text of `source`; views in the result point into it.
/// Out:     tokens, and line markers added to the source. Control lines other than markers and `#pragma D attributes`
///          are comments.
/// Errors:  D_SYNTAX (comment without end), D_PRAGMA_INVAL (no such `#pragma D`).
Tokens read_tokens(uint32_t source, Sources &sources, Diagnostics &diags);

}  // namespace dtrace::usdt
