// SPDX-License-Identifier: Apache-2.0
// Rendering of diagnostics, byte for byte.
#include "frontend/text/diag.h"

#include <catch2/catch.hpp>
#include <set>

using namespace dtrace;

namespace {

struct Fixture {
  Sources sources;
  Diagnostics diags;
  Span find(uint32_t id, std::string_view what) const {
    const auto at = static_cast<uint32_t>(sources[id].text.find(what));
    return Span{id, at, at + static_cast<uint32_t>(what.size())};
  }
};

constexpr RenderOptions kPlain{};
constexpr RenderOptions kTags{.tags = true, .human = false};
constexpr RenderOptions kHuman{.tags = true, .human = true};

}  // namespace

TEST_CASE("every tag has its own name", "[diag]") {
  CHECK(tag_name(Tag::D_UNKNOWN) == "D_UNKNOWN");
  CHECK(tag_name(Tag::D_SYNTAX) == "D_SYNTAX");
  CHECK(tag_name(Tag::D_KERN_LACKS) == "D_KERN_LACKS");
  std::set<std::string_view> names;
  for (auto t = static_cast<uint16_t>(Tag::D_UNKNOWN); t <= static_cast<uint16_t>(Tag::D_NOT_ON_LINUX); ++t) {
    CHECK(names.insert(tag_name(static_cast<Tag>(t))).second);
  }
}

TEST_CASE("scripts: line number, tag only when asked", "[diag]") {
  Fixture f;
  const uint32_t id = f.sources.add("x.d", "BEGIN\n{\n\ttrace(nosuch);\n}\n", SourceKind::kScript);
  f.diags.set_region(Region::kActions);
  f.diags.report(Tag::D_IDENT_UNDEF, f.find(id, "nosuch"), "failed to resolve {}: Unknown variable name", "nosuch");
  CHECK_FALSE(f.diags.ok());
  const Diagnostic &d = f.diags.list().front();
  CHECK(render(d, f.sources, kPlain) == "line 3: failed to resolve nosuch: Unknown variable name");
  CHECK(render(d, f.sources, kTags) == "[D_IDENT_UNDEF] line 3: failed to resolve nosuch: Unknown variable name");
  CHECK(render(d, f.sources, kHuman) ==
        "[D_IDENT_UNDEF] line 3: failed to resolve nosuch: Unknown variable name\n"
        "  3 | \ttrace(nosuch);\n"
        "    | \t      ^~~~~~");
}

TEST_CASE("command line: the region takes the place of the line", "[diag]") {
  Fixture f;
  const uint32_t id = f.sources.add("BEGIN{x=}", "BEGIN{x=}", SourceKind::kString);
  f.diags.report(Tag::D_SYNTAX, f.find(id, "}"), "syntax error near \"}}\"");
  f.diags.set_region(Region::kActions);
  f.diags.report(Tag::D_OP_INT, f.find(id, "x"), "a");
  f.diags.set_region(Region::kPredicate);
  f.diags.report(Tag::D_OP_INT, f.find(id, "x"), "p");
  REQUIRE(f.diags.list().size() == 3);
  CHECK(render(f.diags.list()[0], f.sources, kPlain) == "syntax error near \"}\"");
  CHECK(render(f.diags.list()[1], f.sources, kTags) == "[D_OP_INT] in action list: a");
  CHECK(render(f.diags.list()[2], f.sources, kTags) == "[D_OP_INT] in predicate: p");
  CHECK(render(f.diags.list()[0], f.sources, kHuman) ==
        "[D_SYNTAX] syntax error near \"}\"\n"
        "  1 | BEGIN{x=}\n"
        "    |         ^");
}

TEST_CASE("libraries and included files name the file", "[diag]") {
  Fixture f;
  const uint32_t lib = f.sources.add("/usr/lib/dtrace/io.d", "\n\nx", SourceKind::kLibrary);
  f.diags.set_region(Region::kActions);
  f.diags.report(Tag::D_SYNTAX, f.find(lib, "x"), "bad");
  CHECK(render(f.diags.list()[0], f.sources, kPlain) == "\"/usr/lib/dtrace/io.d\", line 3: bad");

  for (const SourceKind kind : {SourceKind::kScript, SourceKind::kString}) {
    f.diags.clear();
    const uint32_t id = f.sources.add("x.d", "# 7 \"h.h\" 1\nint bad bad;\n", kind);
    f.sources.add_marker(id, {12, 7, "h.h", 1});
    f.diags.report(Tag::D_SYNTAX, f.find(id, "bad bad"), "bad");
    CHECK(render(f.diags.list()[0], f.sources, kTags) == "[D_SYNTAX] \"h.h\", line 7: bad");
  }
}

TEST_CASE("a #line without an include renumbers a script and names the file it gives", "[diag]") {
  Fixture f;
  const uint32_t id = f.sources.add("x.d", "#line 40 \"other.d\"\nbad\n", SourceKind::kScript);
  f.sources.add_marker(id, {19, 40, "other.d", 0});
  f.diags.report(Tag::D_SYNTAX, f.find(id, "bad"), "m");
  CHECK(render(f.diags.list()[0], f.sources, kPlain) == "\"other.d\", line 40: m");
}

TEST_CASE("detail lines stay together, then comes the source line; notes are for people", "[diag]") {
  Fixture f;
  std::string text;
  for (int i = 0; i < 1233; ++i) text += "\n";
  text += "int x; int x;\n";
  const uint32_t id = f.sources.add("x.d", text, SourceKind::kScript);
  Span again = f.find(id, "int x");
  again.begin += 7;
  again.end += 7;
  f.diags.report(Tag::D_DECL_IDRED, again, "identifier redeclared: x\n\t current: int\n\tprevious: int")
      .notes.push_back({f.find(id, "int x"), "declared here"});
  CHECK(render(f.diags.list()[0], f.sources, kPlain) ==
        "line 1234: identifier redeclared: x\n\t current: int\n\tprevious: int");
  CHECK(render(f.diags.list()[0], f.sources, kHuman) ==
        "[D_DECL_IDRED] line 1234: identifier redeclared: x\n\t current: int\n\tprevious: int\n"
        "1234 | int x; int x;\n"
        "     |        ^~~~~\n"
        "  note: declared here\n"
        "1234 | int x; int x;\n"
        "     | ^~~~~");
}

TEST_CASE("underlines count letters, not bytes, and stop at the line's end", "[diag]") {
  Fixture f;
  const uint32_t id =
      f.sources.add("x.d", "\"\xc3\xa4\" + \"\xc3\xb6\xc3\xbc\" +\nmore \x1b[31m\n", SourceKind::kScript);
  f.diags.report(Tag::D_OP_INCOMPAT, f.find(id, "\"\xc3\xb6\xc3\xbc\" +\nmore"), "m");
  f.diags.report(Tag::D_OP_INCOMPAT, f.find(id, "more"), "m");
  CHECK(render(f.diags.list()[0], f.sources, kHuman) ==
        "[D_OP_INCOMPAT] line 1: m\n"
        "  1 | \"\xc3\xa4\" + \"\xc3\xb6\xc3\xbc\" +\n"
        "    |       ^~~~~~");
  CHECK(render(f.diags.list()[1], f.sources, kHuman) ==
        "[D_OP_INCOMPAT] line 2: m\n"
        "  2 | more ?[31m\n"
        "    | ^~~~");
}

TEST_CASE("letters that turn text around or are not seen are shown as question marks", "[diag]") {
  Fixture f;
  const uint32_t id = f.sources.add("x.d", "a\u202e\u200b \u00e4 \x9b here\n", SourceKind::kScript);
  f.diags.report(Tag::D_OP_INCOMPAT, f.find(id, "\u00e4"), "m");
  CHECK(render(f.diags.list()[0], f.sources, kHuman) ==
        "[D_OP_INCOMPAT] line 1: m\n"
        "  1 | a?? \u00e4  here\n"
        "    |     ^");
}

TEST_CASE("trial checks can be taken back", "[diag]") {
  Diagnostics diags;
  diags.report(Tag::D_SYNTAX, Span{}, "one");
  const size_t mark = diags.list().size();
  diags.report(Tag::D_SYNTAX, Span{}, "two");
  diags.truncate(mark);
  CHECK(diags.list().size() == 1);
  CHECK(render(diags.list()[0], Sources{}, kPlain) == "one");  // no source: the bare message
}
