// SPDX-License-Identifier: Apache-2.0
// Control lines. A marker's line number is that of the *next* line; cpp's name for its standard input is the script's
// own.
#include "frontend/syntax/pragma.h"

#include <algorithm>
#include <charconv>
#include <optional>

#include "frontend/text/hints.h"
#include "frontend/text/lexer_literal.h"

namespace dtrace {

namespace {

/// D pragmas that go into the tree, and how many words may follow the keyword.
struct PragmaForm {
  std::string_view keyword;
  ast::Pragma::Kind kind;
  size_t few, many;
  std::string_view usage;
};
constexpr PragmaForm kForms[] = {
    {"attributes", ast::Pragma::Kind::kAttributes, 2, 4,
     "#pragma D attributes name/data/class identifier\n\t#pragma D attributes name/data/class provider name part"},
    {"binding", ast::Pragma::Kind::kBinding, 2, 2, "#pragma D binding \"version\" identifier"},
    {"depends_on", ast::Pragma::Kind::kDependsOn, 2, 2, "#pragma D depends_on module|provider|library name"},
};

std::optional<uint32_t> number(std::string_view text) {
  uint32_t value = 0;
  auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc() || end != text.data() + text.size()) return std::nullopt;
  return value;
}

/// Names that cpp gives to what is not a file: positions there belong to the script.
bool is_pseudo_file(std::string_view name) {
  return name.empty() || name == "-" || (name.front() == '<' && name.back() == '>');
}

}  // namespace

std::vector<ControlLines::Word> ControlLines::words(Span line) const {
  std::string_view text = sources_.text(line);
  std::vector<Word> result;
  size_t at = 1;  // the `#`
  while (at < text.size()) {
    if (is_blank(text[at])) {
      ++at;
      continue;
    }
    size_t begin = at;
    if (text[at] == '"') {
      size_t close = at + 1;
      while (close < text.size() && text[close] != '"') close += text[close] == '\\' ? 2 : 1;
      close = std::min(close, text.size());
      at = std::min(close + 1, text.size());
      result.push_back({text.substr(begin + 1, close - begin - 1), {}, true});
    } else {
      while (at < text.size() && !is_blank(text[at]) && text[at] != '"') ++at;
      result.push_back({text.substr(begin, at - begin), {}, false});
    }
    result.back().span =
        Span{line.source, line.begin + static_cast<uint32_t>(begin), line.begin + static_cast<uint32_t>(at)};
  }
  return result;
}

void ControlLines::handle(Span line) {
  std::vector<Word> all = words(line);
  if (all.empty()) return;
  const Word &first = all[0];
  if (!first.quoted && number(first.text)) {
    marker(line, all, 0);
  } else if (first.text == "line") {
    marker(line, all, 1);
  } else if (first.text == "pragma") {
    pragma(line, all, 1);
  } else if (first.text == "error" && !input_.foreign_control_lines) {
    error(all, 1);
  } else if (first.text != "ident" && !input_.foreign_control_lines) {
    diags_.report(Tag::D_PRAGCTL_INVAL, first.span, "invalid control directive: #{}", first.text);
  }
}

void ControlLines::error(const std::vector<Word> &words, size_t at) {
  std::string text;
  for (size_t i = at; i < words.size(); ++i) {
    if (i > at) text += ' ';
    text += words[i].text;
  }
  diags_.report(Tag::D_PRAGERR, join(words.front().span, words.back().span), "#error: {}", text);
}

void ControlLines::marker(Span line, const std::vector<Word> &words, size_t at) {
  std::optional<uint32_t> first_line = at < words.size() ? number(words[at].text) : std::nullopt;
  bool has_file = at + 1 < words.size();
  if (!first_line || (has_file && !words[at + 1].quoted)) {
    diags_.report(Tag::D_PRAGMA_MALFORM, line, "malformed line directive\n\tusage: #line number [\"file\" [flag]]");
    return;
  }
  const std::string &script = sources_[line.source].name;
  if (has_file) file_ = is_pseudo_file(words[at + 1].text) ? script : unescape(words[at + 1].text);
  in_system_header_ = false;
  for (size_t i = at + 2; i < words.size(); ++i) {
    if (words[i].text == "1") ++include_depth_;
    if (words[i].text == "2") include_depth_ = std::max(0, include_depth_ - 1);
    if (words[i].text == "3") in_system_header_ = include_depth_ > 0;
  }
  Source::LineMarker marker;
  marker.offset = std::min<uint32_t>(line.end + 1, static_cast<uint32_t>(sources_[line.source].text.size()));
  marker.line = *first_line;
  marker.file = file_.empty() ? script : file_;
  marker.include_depth = include_depth_;
  sources_.add_marker(line.source, std::move(marker));
}

void ControlLines::pragma(Span line, const std::vector<Word> &words, size_t at) {
  if (at == words.size()) {
    diags_.report(Tag::D_PRAGMA_MALFORM, line, "malformed #pragma: a directive is expected");
  } else if (words[at].text == "D") {
    d_pragma(line, words, at + 1);
  } else if (words[at].text == "error") {
    error(words, at + 1);
  }
}

void ControlLines::d_pragma(Span line, const std::vector<Word> &words, size_t at) {
  if (at == words.size()) {
    diags_.report(Tag::D_PRAGMA_MALFORM, line, "malformed #pragma D: a keyword is expected");
    return;
  }
  const Word &keyword = words[at];
  if (keyword.text == "option") return option(line, words, at + 1);
  if (keyword.text == "error") return error(words, at + 1);
  const auto *form =
      std::find_if(std::begin(kForms), std::end(kForms), [&](const auto &f) { return f.keyword == keyword.text; });
  if (form == std::end(kForms)) {
    diags_.report(Tag::D_PRAGMA_INVAL, keyword.span, "invalid directive: #pragma D {}", keyword.text);
    return;
  }
  size_t count = words.size() - at - 1;
  const bool wants_text = form->kind == ast::Pragma::Kind::kBinding;
  if ((count != form->few && count != form->many) || (wants_text && !words[at + 1].quoted)) {
    diags_.report(Tag::D_PRAGMA_MALFORM, line, "malformed #pragma D {}\n\tusage: {}", keyword.text, form->usage);
    return;
  }
  ast::Pragma pragma{line, form->kind, {}};
  for (size_t i = at + 1; i < words.size(); ++i) pragma.words.emplace_back(words[i].text);
  ast_.externals.emplace_back(std::move(pragma));
}

void ControlLines::option(Span line, const std::vector<Word> &words, size_t at) {
  if (at == words.size()) {
    diags_.report(Tag::D_PRAGMA_MALFORM, line, "malformed #pragma D option\n\tusage: #pragma D option name[=value]");
    return;
  }
  if (at + 1 < words.size()) {
    diags_.report(Tag::D_PRAGMA_MALFORM, join(words[at + 1].span, words.back().span),
                  "superfluous arguments to #pragma D option\n\tusage: #pragma D option name[=value]");
    return;
  }
  std::string_view text = words[at].text;
  size_t equals = text.find('=');
  bool has_value = equals != std::string_view::npos;
  std::string_view name = text.substr(0, equals);
  std::string_view value = has_value ? text.substr(equals + 1) : std::string_view();
  if (!input_.set_option) return;
  std::string reason = input_.set_option(name, value, has_value);
  if (reason.empty()) return;
  if (has_value) {
    diags_.report(Tag::D_PRAGMA_OPTSET, words[at].span, "failed to set option '{}' to '{}': {}", name, value, reason);
  } else {
    diags_.report(Tag::D_PRAGMA_OPTSET, words[at].span, "failed to set option '{}': {}", name, reason);
  }
  diags_.suggest(nearest_option(name));
}

}  // namespace dtrace
