// SPDX-License-Identifier: Apache-2.0
// Positions: lines, columns and line markers.
#include "frontend/text/source.h"

#include <catch2/catch.hpp>

using namespace dtrace;

TEST_CASE("positions count lines and columns from one", "[source]") {
  Sources sources;
  const uint32_t id = sources.add("x.d", "BEGIN\n{\n  trace(1);\r\n}\n", SourceKind::kScript);
  CHECK(sources.size() == 1);

  Position p = sources.position(Span{id, 0, 5});
  CHECK(p.file == "x.d");
  CHECK(p.line == 1);
  CHECK(p.column == 1);
  CHECK(p.line_text == "BEGIN");
  CHECK_FALSE(p.in_include);

  p = sources.position(Span{id, 10, 15});
  CHECK(p.line == 3);
  CHECK(p.column == 3);
  CHECK(p.line_text == "  trace(1);");  // neither newline nor carriage return

  CHECK(sources.text(Span{id, 10, 15}) == "trace");
  CHECK(sources.text(Span{id, 10, 10}).empty());
  CHECK(sources.text(Span{id, 500, 510}).empty());
}

TEST_CASE("a position at a newline belongs to the line it ends, one at the end to the last line", "[source]") {
  Sources sources;
  const uint32_t id = sources.add("x.d", "ab\ncd", SourceKind::kScript);
  CHECK(sources.position(Span{id, 2, 3}).line == 1);
  CHECK(sources.position(Span{id, 2, 3}).column == 3);
  const Position end = sources.position(Span{id, 5, 5});
  CHECK(end.line == 2);
  CHECK(end.column == 3);
  CHECK(end.line_text == "cd");
  CHECK(sources.position(Span{id, 900, 901}).line == 2);  // past the end: clamped

  const uint32_t empty = sources.add("empty", "", SourceKind::kString);
  CHECK(sources.position(Span{empty, 0, 0}).line == 1);
  CHECK(sources.position(Span{empty, 0, 0}).line_text.empty());
}

TEST_CASE("line markers rename the file and restart the count", "[source]") {
  //                        0         10        20
  const std::string text = "a\n# 1 \"h.h\" 1\nint x;\nint y;\n# 3 \"x.d\" 2\nBEGIN\n";
  Sources sources;
  const uint32_t id = sources.add("x.d", text, SourceKind::kScript);
  const auto x = static_cast<uint32_t>(text.find("int x"));
  const auto begin = static_cast<uint32_t>(text.find("BEGIN"));
  // Out of order on purpose: the lexer may look ahead.
  sources.add_marker(id, {begin, 3, "x.d", 0});
  sources.add_marker(id, {x, 1, "h.h", 1});

  CHECK(sources.position(Span{id, 0, 1}).file == "x.d");
  CHECK(sources.position(Span{id, 0, 1}).line == 1);
  const auto y = static_cast<uint32_t>(text.find("int y"));
  const Position in_header = sources.position(Span{id, y, y + 3});
  CHECK(in_header.file == "h.h");
  CHECK(in_header.line == 2);
  CHECK(in_header.in_include);
  CHECK(in_header.line_text == "int y;");
  const Position back = sources.position(Span{id, begin, begin + 5});
  CHECK(back.file == "x.d");
  CHECK(back.line == 3);
  CHECK_FALSE(back.in_include);
}

TEST_CASE("a marker without a file keeps the file; a repeated one replaces", "[source]") {
  Sources sources;
  const uint32_t id = sources.add("x.d", "#line 50\nfoo\n#line 9 \"y\"\nbar\n#line 2\nbaz\n", SourceKind::kScript);
  sources.add_marker(id, {9, 50, "", 0});
  sources.add_marker(id, {25, 9, "y", 0});
  sources.add_marker(id, {37, 2, "", 0});
  sources.add_marker(id, {37, 3, "", 0});
  CHECK(sources.position(Span{id, 9, 12}).line == 50);
  CHECK(sources.position(Span{id, 9, 12}).file == "x.d");
  CHECK(sources.position(Span{id, 37, 40}).file == "y");
  CHECK(sources.position(Span{id, 37, 40}).line == 3);
  CHECK(sources[id].markers.size() == 3);
}

TEST_CASE("join spans from the first to the later end", "[source]") {
  const Span joined = join(Span{0, 3, 5}, Span{0, 8, 9});
  CHECK(joined.begin == 3);
  CHECK(joined.end == 9);
  CHECK(join(Span{0, 3, 9}, Span{0, 4, 5}).end == 9);
}
