// SPDX-License-Identifier: Apache-2.0
// D source texts and positions in them. A Span is bytes of one text; lines are looked up for messages and debug
// information only, and obey `#line` / cpp markers, so a position's file name need not be the text's own.
#pragma once

#include <cstdint>
#include <deque>
#include <string>
#include <string_view>
#include <vector>

namespace dtrace {

/// What kind of text a source is: it decides the form of error locations.
enum class SourceKind : uint8_t {
  kScript,   ///< -s file: "line N: "
  kString,   ///< -n/-m/-f/-P/-i argument: no line, "in action list: " or "in predicate: " instead
  kLibrary,  ///< D library file: "\"FILE\", line N: "
};

/// Half-open byte range [begin, end) in source number `source`.
struct Span {
  uint32_t source = 0;
  uint32_t begin = 0;
  uint32_t end = 0;
  auto operator<=>(const Span &) const = default;
};

/// The span from the start of `a` to the end of `b` (same source).
inline Span join(Span a, Span b) { return Span{a.source, a.begin, b.end > a.end ? b.end : a.end}; }

/// A human position. `line` is 1-based and obeys line markers; `column` is 1-based, in bytes.
struct Position {
  std::string file;
  uint32_t line = 1;
  uint32_t column = 1;
  std::string_view line_text;  ///< without the newline; points into the source
  bool in_include = false;     ///< inside a file that a cpp marker entered
};

/// One D text. Immutable once added, except for line markers, which the lexer adds as it meets them.
struct Source {
  std::string name;  ///< path as given, or the whole command-line argument
  std::string text;
  SourceKind kind = SourceKind::kScript;

  /// From byte `offset` on, lines count from `line` in `file`; `include_depth` > 0 inside an #include.
  struct LineMarker {
    uint32_t offset;
    uint32_t line;
    std::string file;
    int include_depth;
  };
  std::vector<LineMarker> markers;

  /// Offsets of the first byte of each line, ascending; empty until the first position is asked for.
  mutable std::vector<uint32_t> line_begins;
};

/// Owns all sources of one compilation; ids are indexes. Addresses of sources are stable.
class Sources {
 public:
  uint32_t add(std::string name, std::string text, SourceKind kind);
  const Source &operator[](uint32_t id) const { return sources_[id]; }
  std::string_view text(Span span) const;
  void add_marker(uint32_t id, Source::LineMarker marker);
  Position position(Span span) const;
  size_t size() const { return sources_.size(); }

 private:
  std::deque<Source> sources_;
};

}  // namespace dtrace
