// SPDX-License-Identifier: Apache-2.0
// Text of diagnostics. The first line is DTrace's own and scripts match it; the underlined source line comes after it,
// never in it. The form is that of other DTraces.
#include "frontend/text/diag.h"

#include <algorithm>
#include <iterator>
#include <set>
#include <utility>

#include "base/printable.h"
#include "base/utf8.h"

namespace dtrace {
namespace {

constexpr std::string_view kTagNames[] = {
#define DIAG(name) #name,
#include "frontend/text/diag.def"
};

/// "line 4: ", "\"lib.d\", line 4: ", "in predicate: " or nothing.
std::string location(const Diagnostic &diagnostic, const Source &source, const Position &position) {
  const bool elsewhere = source.kind == SourceKind::kScript && position.file != source.name;  // as `#line` has it
  if (source.kind == SourceKind::kLibrary || position.in_include || elsewhere) {
    return fmt::format("\"{}\", line {}: ", position.file, position.line);
  }
  if (source.kind == SourceKind::kScript) return fmt::format("line {}: ", position.line);
  switch (diagnostic.region) {
    case Region::kPredicate:
      return "in predicate: ";
    case Region::kActions:
      return "in action list: ";
    case Region::kNone:
      break;
  }
  return {};
}

bool is_utf8_continuation(char c) { return (static_cast<unsigned char>(c) & 0xc0) == 0x80; }

/// The source line with '?' for each letter that a terminal would obey or not show.
std::string visible(std::string_view line) {
  std::string out;
  while (!line.empty()) {
    const std::string_view letter = line.substr(0, std::max<size_t>(utf8_length(line), 1));
    const bool is_shown = letter == "\t" || is_printable(letter);
    if (is_shown)
      out += letter;
    else if (!is_utf8_continuation(letter[0]))
      out += '?';
    line.remove_prefix(letter.size());
  }
  return out;
}

constexpr size_t kMaxShownBytes = 200;     // of a source line
constexpr size_t kShownBefore = 60;        // the part that is underlined, of a longer one
constexpr size_t kMaxMessageBytes = 8192;  // what is not a person's text may hold names of any length

/// "\n  4 |   trace(args[1]);\n    |         ^~~~~~~" for the part of `span` on its first line.
std::string underlined_line(const Span &span, const Position &position) {
  std::string_view line = position.line_text;
  size_t column = std::min<size_t>(position.column - 1, line.size());
  if (line.size() > kMaxShownBytes) {
    size_t begin = column - std::min(column, kShownBefore);
    // To where the letter begins, of four bytes at most, if these are letters.
    for (int i = 0; i < 3 && begin > 0 && begin < line.size() && is_utf8_continuation(line[begin]); i++) --begin;
    line = line.substr(begin, kMaxShownBytes);
    column -= begin;
  }
  const size_t span_bytes = span.end > span.begin ? span.end - span.begin : 0;
  const std::string_view marked = line.substr(column, span_bytes);

  std::string under;
  for (char c : line.substr(0, column)) {
    if (!is_utf8_continuation(c)) under += c == '\t' ? '\t' : ' ';
  }
  under += '^';
  const auto letters =
      static_cast<size_t>(std::count_if(marked.begin(), marked.end(), [](char c) { return !is_utf8_continuation(c); }));
  if (letters > 1) under.append(letters - 1, '~');

  const std::string number = fmt::format("{:3}", position.line);
  return fmt::format("\n{} | {}\n{:{}} | {}", number, visible(line), "", number.size(), under);
}

}  // namespace

std::string_view tag_name(Tag tag) { return kTagNames[static_cast<size_t>(tag)]; }

Tag tag_of(std::string_view name, Tag otherwise) {
  const auto *found = std::find(std::begin(kTagNames), std::end(kTagNames), name);
  return found == std::end(kTagNames) ? otherwise : static_cast<Tag>(found - std::begin(kTagNames));
}

std::vector<const Diagnostic *> Diagnostics::independent() const {
  std::vector<const Diagnostic *> result;
  std::set<std::pair<Tag, Span>> known;
  for (const Diagnostic &diagnostic : list_)
    if (known.emplace(diagnostic.tag, diagnostic.span).second) result.push_back(&diagnostic);
  return result;
}

std::string render(const Diagnostic &diagnostic, const Sources &sources, const RenderOptions &options) {
  const bool has_source = diagnostic.span.source < sources.size();
  const Position position = has_source ? sources.position(diagnostic.span) : Position{};

  std::string out;
  if (options.tags) fmt::format_to(std::back_inserter(out), "[{}] ", tag_name(diagnostic.tag));
  if (has_source) out += location(diagnostic, sources[diagnostic.span.source], position);
  out += std::string_view(diagnostic.message).substr(0, kMaxMessageBytes);
  if (diagnostic.message.size() > kMaxMessageBytes) out += "...";
  if (!options.human) return out;

  if (has_source) out += underlined_line(diagnostic.span, position);
  for (const Diagnostic::Note &note : diagnostic.notes) {
    if (note.span.source >= sources.size()) {
      fmt::format_to(std::back_inserter(out), "\n  note: {}", note.message);
      continue;
    }
    const Position where = sources.position(note.span);
    fmt::format_to(std::back_inserter(out), "\n  note: ");
    if (where.file != position.file)
      fmt::format_to(std::back_inserter(out), "\"{}\", line {}: ", where.file, where.line);
    out += note.message;
    out += underlined_line(note.span, where);
  }
  return out;
}

}  // namespace dtrace
