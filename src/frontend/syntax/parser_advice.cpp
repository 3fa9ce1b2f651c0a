// SPDX-License-Identifier: Apache-2.0
// What to write instead, behind a syntax error. Texts of other languages are in frontend/text/hints.
#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <iterator>
#include <string>
#include <string_view>

#include "frontend/syntax/parser_impl.h"
#include "frontend/text/hints.h"

namespace dtrace {
namespace {

bool is_word(char c) { return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_'; }

std::string_view word_at(std::string_view source, size_t begin) {
  size_t end = begin;
  while (end < source.size() && is_word(source[end])) ++end;
  return source.substr(begin, end - begin);
}

/// The last word, or the last character if that is of none, before `end`.
std::string_view word_before(std::string_view source, size_t end) {
  size_t begin = end;
  while (begin > 0 && is_word(source[begin - 1])) --begin;
  if (begin == end && begin > 0) --begin;
  return source.substr(begin, end - begin);
}

/// An operator with two operands only.
bool is_operator(std::string_view text) {
  constexpr std::string_view kBinary[] = {"==", "!=", "<", "<=", ">", ">=", "&&", "||", "^^", "%", "|", "^", "=", "->"};
  return std::ranges::find(kBinary, text) != std::end(kBinary);
}

/// After it a value begins.
bool is_before_operand(std::string_view before) {
  return before.size() == 1 && std::string_view("/(,&|=<>").find(before) != std::string_view::npos;
}

/// Between clauses.
std::string_view hint_for_external(std::string_view text) {
  if (text == "(") return "write the actions of a clause in braces after the probe: BEGIN { trace(1); }";
  if (text == "{") return "a clause begins with its probe: BEGIN { trace(1); }";
  if (text == ";") return "there is no ; between clauses";
  return {};
}

}  // namespace

/// `text` is the token in hand.
void Parser::advise_syntax(std::string_view text) {
  const std::string_view source = sources_[tok_.span.source].text;
  if (!in_clause_) return diags_.advise(std::string(hint_for_external(text)));
  const std::string_view before = word_before(source, last_end_);
  // `/$execname == "cat"/` between double quotes. `=>` and `<>` are other mistakes.
  const bool is_apart = last_end_ < tok_.span.begin || before == "/" || before == "(";
  if (sources_[tok_.span.source].kind == SourceKind::kString && is_apart && is_operator(text) &&
      is_before_operand(before)) {
    diags_.advise(
        fmt::format("a value is missing before {}: between double quotes the shell replaces $NAME; write the "
                    "program in single quotes, and its variables without $",
                    text));
    return;
  }
  const std::string_view first = statement_ ? word_at(source, *statement_) : std::string_view();
  for (const std::string_view advice :
       {hint_for_syntax(before, text), hint_for_statement(text), hint_for_statement(first)})
    if (!advice.empty()) return diags_.advise(std::string(advice));
  if (first == "for" && text == ":") return diags_.advise("there is no loop over keys: printa() prints an aggregation");
  if (before == first && is(Tok::kString) && last_end_ == *statement_ + first.size())
    return diags_.advise(fmt::format("write the arguments of a function in parentheses: {}({})", first, text));
  if (wants_semicolon_) diags_.advise(fmt::format("a ; ends each statement: is one missing before {}?", text));
}

}  // namespace dtrace
