// SPDX-License-Identifier: Apache-2.0
#include "usdt/definition_lexer.h"

#include <algorithm>
#include <charconv>
#include <iterator>

#include "frontend/text/lexer_literal.h"

namespace dtrace::usdt {
namespace {

/// Directives whose line may go on: by a backslash at its end, or by a comment that spans lines. Any other line that
/// begins with `#` is a comment in the shell's manner, where "src/*.c" opens nothing.
constexpr std::string_view kDirectives[] = {"define", "elif",  "else",   "endif", "error",
                                            "if",     "ifdef", "ifndef", "ident", "include",
                                            "import", "line",  "pragma", "undef", "warning"};
/// After `#pragma D`.
constexpr std::string_view kPragmas[] = {"attributes", "binding", "depends_on", "option"};

class Reader {
 public:
  Reader(uint32_t source, Sources &sources, Diagnostics &diags)
      : source_(source), sources_(sources), diags_(diags), text_(sources[source].text) {}

  Tokens run() {
    if (text_.substr(0, 2) == "#!") at_ = end_of_line(0);
    while (skip_blanks_and_comments() && at_ < text_.size()) {
      if (text_[at_] == '#' && first_on_line(at_)) {
        control_line();
      } else {
        token();
      }
    }
    tokens_.list.push_back({Token::Kind::kEnd, span(text_.size(), text_.size()), {}});
    return std::move(tokens_);
  }

 private:
  Span span(size_t begin, size_t end) const {
    return {source_, static_cast<uint32_t>(begin), static_cast<uint32_t>(end)};
  }
  size_t end_of_line(size_t at) const { return std::min(text_.find('\n', at), text_.size()); }
  bool starts(size_t at, std::string_view with) const { return text_.substr(at, with.size()) == with; }

  bool first_on_line(size_t at) const {
    while (at > 0 && is_blank(text_[at - 1])) --at;
    return at == 0 || text_[at - 1] == '\n';
  }

  /// False after a comment without end.
  bool skip_blanks_and_comments() {
    while (at_ < text_.size()) {
      if (is_blank(text_[at_]) || text_[at_] == '\n') {
        ++at_;
      } else if (starts(at_, "//")) {
        at_ = end_of_line(at_);
      } else if (starts(at_, "/*")) {
        const size_t close = text_.find("*/", at_ + 2);
        if (close == std::string_view::npos) {
          diags_.report(Tag::D_SYNTAX, span(at_, at_ + 2), "end-of-file encountered before matching */");
          at_ = text_.size();
          return false;
        }
        at_ = close + 2;
      } else {
        break;
      }
    }
    return true;
  }

  /// End of a control line: continuation lines and comments that span lines belong to it.
  size_t end_of_directive(size_t at) const {
    while (at < text_.size() && text_[at] != '\n') {
      if (text_[at] == '\\') {
        ++at;
        if (at < text_.size() && text_[at] == '\r') ++at;
        if (at < text_.size()) ++at;
      } else if (starts(at, "/*")) {
        const size_t close = text_.find("*/", at + 2);
        if (close == std::string_view::npos) return end_of_line(at);
        at = close + 2;
      } else {
        ++at;
      }
    }
    return at;
  }

  static std::vector<std::string_view> words(std::string_view line) {
    std::vector<std::string_view> result;
    for (size_t at = 0; at < line.size();) {
      if (is_blank(line[at])) {
        ++at;
        continue;
      }
      if (line.substr(at, 2) == "/*" || line.substr(at, 2) == "//") break;
      size_t end = at + 1;
      if (line[at] == '"') {
        end = std::min(line.find('"', end), line.size() - 1) + 1;
      } else {
        while (end < line.size() && !is_blank(line[end])) ++end;
      }
      result.push_back(line.substr(at, end - at));
      at = end;
    }
    return result;
  }

  void control_line() {
    const size_t begin = at_;
    size_t end = end_of_line(begin);
    std::vector<std::string_view> line = words(text_.substr(begin + 1, end - begin - 1));
    if (!line.empty() && std::ranges::find(kDirectives, line[0]) != std::end(kDirectives)) {
      end = end_of_directive(begin);
    }
    at_ = end;
    if (line.empty()) return;
    if (line[0] == "line") line.erase(line.begin());
    uint32_t number = 0;
    if (!line.empty()) {
      const auto [rest, error] = std::from_chars(line[0].data(), line[0].data() + line[0].size(), number);
      const bool is_marker = error == std::errc() && rest == line[0].data() + line[0].size();
      if (is_marker && (line.size() == 1 || line[1].front() == '"')) return marker(number, line, end);
    }
    if (line.size() >= 3 && line[0] == "pragma" && line[1] == "D") pragma(line, span(begin, end));
  }

  void marker(uint32_t number, const std::vector<std::string_view> &line, size_t end) {
    std::string_view file = line.size() > 1 ? line[1].substr(1) : std::string_view();
    if (!file.empty() && file.back() == '"') file.remove_suffix(1);
    const bool is_pseudo = file.empty() || file == "-" || file.front() == '<';
    Source::LineMarker marker;
    marker.offset = static_cast<uint32_t>(std::min(end + 1, text_.size()));
    marker.line = number;
    marker.file = is_pseudo ? sources_[source_].name : std::string(file);
    marker.include_depth = 0;
    sources_.add_marker(source_, std::move(marker));
  }

  void pragma(const std::vector<std::string_view> &line, Span where) {
    if (std::ranges::find(kPragmas, line[2]) == std::end(kPragmas)) {
      diags_.report(Tag::D_PRAGMA_INVAL, where, "invalid directive: #pragma D {}", line[2]);
    } else if (line[2] == "attributes") {
      tokens_.attributes.push_back({where, {line.begin() + 3, line.end()}});
    }
  }

  void token() {
    const size_t begin = at_;
    Token::Kind kind = Token::Kind::kPunct;
    const char c = text_[at_];
    if (is_word_start(c)) {
      kind = Token::Kind::kWord;
      while (at_ < text_.size() && is_word(text_[at_])) ++at_;
    } else if (is_digit(c)) {
      kind = Token::Kind::kNumber;
      while (at_ < text_.size() && (is_word(text_[at_]) || text_[at_] == '.')) ++at_;
    } else if (c == '"' || c == '\'') {
      kind = Token::Kind::kText;
      for (++at_; at_ < text_.size() && text_[at_] != c && text_[at_] != '\n'; ++at_) at_ += text_[at_] == '\\';
      at_ = std::min(at_, text_.size());
      if (at_ < text_.size() && text_[at_] == c) ++at_;
    } else {
      at_ += starts(at_, "...") ? 3 : 1;
    }
    tokens_.list.push_back({kind, span(begin, at_), text_.substr(begin, at_ - begin)});
  }

  uint32_t source_;
  Sources &sources_;
  Diagnostics &diags_;
  std::string_view text_;
  size_t at_ = 0;
  Tokens tokens_;
};

}  // namespace

Tokens read_tokens(uint32_t source, Sources &sources, Diagnostics &diags) {
  return Reader(source, sources, diags).run();
}

}  // namespace dtrace::usdt
