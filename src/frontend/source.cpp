// SPDX-License-Identifier: Apache-2.0
// Positions in D texts. Lines are counted from the nearest marker on demand: messages are rare, spans are many.
#include "frontend/source.h"

#include <algorithm>
#include <cassert>

namespace dtrace {

uint32_t Sources::add(std::string name, std::string text, SourceKind kind) {
  sources_.push_back(Source{std::move(name), std::move(text), kind, {}});
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
  size_t counted_from = 0;
  auto after = std::upper_bound(source.markers.begin(), source.markers.end(), offset,
                                [](size_t value, const Source::LineMarker &m) { return value < m.offset; });
  if (after != source.markers.begin()) {
    const Source::LineMarker &marker = *std::prev(after);
    position.file = marker.file;
    position.line = marker.line;
    position.in_include = marker.include_depth > 0;
    counted_from = marker.offset;
  }
  const std::string_view counted = text.substr(counted_from, offset - counted_from);
  position.line += static_cast<uint32_t>(std::count(counted.begin(), counted.end(), '\n'));

  const size_t newline_before = offset == 0 ? std::string_view::npos : text.rfind('\n', offset - 1);
  const size_t begin = newline_before == std::string_view::npos ? 0 : newline_before + 1;
  size_t end = std::min(text.find('\n', offset), text.size());
  if (end > begin && text[end - 1] == '\r') --end;
  position.column = static_cast<uint32_t>(offset - begin + 1);
  position.line_text = text.substr(begin, end - begin);
  return position;
}

}  // namespace dtrace
