// SPDX-License-Identifier: Apache-2.0
// Positions in D texts. Where lines begin is found once a text, when the first position is asked for: most texts are
// never asked, and code generation asks for every statement.
#include "frontend/text/source.h"

#include <algorithm>
#include <cassert>

namespace dtrace {
namespace {

/// Index of the line of byte `offset`, from 0.
uint32_t line_index(const Source &source, size_t offset) {
  std::vector<uint32_t> &begins = source.line_begins;
  if (begins.empty()) {
    begins.push_back(0);
    for (size_t at = source.text.find('\n'); at != std::string::npos; at = source.text.find('\n', at + 1))
      begins.push_back(static_cast<uint32_t>(at + 1));
  }
  return static_cast<uint32_t>(std::upper_bound(begins.begin(), begins.end(), offset) - begins.begin() - 1);
}

}  // namespace

uint32_t Sources::add(std::string name, std::string text, SourceKind kind) {
  sources_.push_back(Source{std::move(name), std::move(text), kind, {}, {}});
  return static_cast<uint32_t>(sources_.size() - 1);
}

std::string_view Sources::text(Span span) const {
  std::string_view whole = sources_[span.source].text;
  if (span.begin >= whole.size() || span.end <= span.begin) return {};
  return whole.substr(span.begin, span.end - span.begin);
}

void Sources::add_marker(uint32_t id, Source::LineMarker marker) {
  std::vector<Source::LineMarker> &markers = sources_[id].markers;
  auto at = std::lower_bound(markers.begin(), markers.end(), marker.offset,
                             [](const Source::LineMarker &m, uint32_t offset) { return m.offset < offset; });
  if (marker.file.empty()) marker.file = at == markers.begin() ? sources_[id].name : std::prev(at)->file;
  if (at != markers.end() && at->offset == marker.offset) {
    *at = std::move(marker);  // the lexer went over this line again
  } else {
    markers.insert(at, std::move(marker));
  }
}

Position Sources::position(Span span) const {
  assert(span.source < sources_.size());
  const Source &source = sources_[span.source];
  const std::string_view text = source.text;
  const size_t offset = std::min<size_t>(span.begin, text.size());

  Position position;
  position.file = source.name;
  const uint32_t index = line_index(source, offset);
  position.line = index + 1;
  auto after = std::upper_bound(source.markers.begin(), source.markers.end(), offset,
                                [](size_t value, const Source::LineMarker &m) { return value < m.offset; });
  if (after != source.markers.begin()) {
    const Source::LineMarker &marker = *std::prev(after);
    position.file = marker.file;
    position.line = marker.line + index - line_index(source, marker.offset);
    position.in_include = marker.include_depth > 0;
  }

  const size_t begin = source.line_begins[index];
  size_t end = index + 1 < source.line_begins.size() ? source.line_begins[index + 1] - 1 : text.size();
  if (end > begin && text[end - 1] == '\r') --end;
  position.column = static_cast<uint32_t>(offset - begin + 1);
  position.line_text = text.substr(begin, end - begin);
  return position;
}

}  // namespace dtrace
