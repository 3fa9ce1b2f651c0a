// SPDX-License-Identifier: Apache-2.0
// Control lines.
#include <catch2/catch.hpp>

#include "frontend/syntax/pragma.h"
#include "test/unit/frontend/parser_fixture.h"

using namespace dtrace;
using test::Parse;

namespace {

/// The first error of the control line followed by an empty clause.
std::string error_of(std::string_view line) {
  Parse p;
  p.run(fmt::format("{}\nBEGIN {{ }}\n", line));
  return p.error();
}

}  // namespace

TEST_CASE("control lines: options are set as they are met") {
  Parse p;
  p.run(
      "#pragma D option quiet\n"
      "  #pragma D option strsize=16k\n"
      "#\tpragma\tD\toption\taggsortkey=\n"
      "BEGIN {\n"
      "#pragma D option in=body\n"
      "}\n");
  CHECK(p.errors() == "");
  CHECK(p.options == std::vector<std::string>{"quiet", "strsize=16k", "aggsortkey=", "in=body"});
}

TEST_CASE("control lines: options that fail") {
  CHECK(error_of("#pragma D option nosuch=3") ==
        "D_PRAGMA_OPTSET 1:18+8 failed to set option 'nosuch' to '3': Invalid option name");
  CHECK(error_of("#pragma D option nosuch") ==
        "D_PRAGMA_OPTSET 1:18+6 failed to set option 'nosuch': Invalid option name");
  CHECK(error_of("#pragma D option") == "D_PRAGMA_MALFORM 1:1+16 malformed #pragma D option");
  CHECK(error_of("#pragma D option a b") == "D_PRAGMA_MALFORM 1:20+1 superfluous arguments to #pragma D option");
  CHECK(error_of("#pragma D option a = b") == "D_PRAGMA_MALFORM 1:20+3 superfluous arguments to #pragma D option");
}

TEST_CASE("control lines: other D pragmas go into the tree in their place") {
  Parse p;
  p.run(
      "#pragma D attributes Stable/Stable/Common x\n"
      "inline int x = 1;\n"
      "#pragma D attributes Evolving/Evolving/Common provider shop args\n"
      "#pragma D binding \"1.2\" x\n"
      "#pragma D depends_on library net.d\n"
      "BEGIN { }\n");
  CHECK(p.errors() == "");
  REQUIRE(p.tree->externals.size() == 6);
  CHECK(p.external<ast::Pragma>(0)->words == std::vector<std::string>{"Stable/Stable/Common", "x"});
  CHECK(p.external<ast::Pragma>(2)->words.size() == 4);
  CHECK(p.external<ast::Pragma>(3)->kind == ast::Pragma::Kind::kBinding);
  CHECK(p.external<ast::Pragma>(3)->words == std::vector<std::string>{"1.2", "x"});
  CHECK(p.external<ast::Pragma>(4)->kind == ast::Pragma::Kind::kDependsOn);
}

TEST_CASE("control lines: pragmas that are malformed or unknown") {
  CHECK(error_of("#pragma D attributes x") == "D_PRAGMA_MALFORM 1:1+22 malformed #pragma D attributes");
  CHECK(error_of("#pragma D attributes a b c") == "D_PRAGMA_MALFORM 1:1+26 malformed #pragma D attributes");
  CHECK(error_of("#pragma D binding x") == "D_PRAGMA_MALFORM 1:1+19 malformed #pragma D binding");
  CHECK(error_of("#pragma D depends_on x") == "D_PRAGMA_MALFORM 1:1+22 malformed #pragma D depends_on");
  CHECK(error_of("#pragma D") == "D_PRAGMA_MALFORM 1:1+9 malformed #pragma D: a keyword is expected");
  CHECK(error_of("#pragma D nosuch x") == "D_PRAGMA_INVAL 1:11+6 invalid directive: #pragma D nosuch");
  CHECK(error_of("#include <x.h>") == "D_PRAGCTL_INVAL 1:2+7 invalid control directive: #include");
  CHECK(error_of("##x") == "D_PRAGCTL_INVAL 1:2+2 invalid control directive: ##x");
  CHECK(error_of("#error  a \"b c\"  d") == "D_PRAGERR 1:2+17 #error: a b c d");
  CHECK(error_of("#pragma error x") == "D_PRAGERR 1:2+14 #error: x");
  CHECK(error_of("#pragma D error \"no such kernel\"") == "D_PRAGERR 1:2+31 #error: no such kernel");
}

TEST_CASE("control lines: control lines that mean nothing to us") {
  for (const char *line :
       {"#", "# ", "#ident \"x\"", "#pragma ident \"x\"", "#pragma once", "#pragma GCC diagnostic push"}) {
    INFO(line);
    CHECK(error_of(line) == "");
  }
}

TEST_CASE("control lines: a control line begins its line and has an end") {
  CHECK(error_of("x #pragma D option quiet") == "D_SYNTAX 1:3+1 syntax error near \"#\"");
  Parse p;
  p.run("BEGIN { }\n#pragma D option quiet");
  CHECK(p.error() == "D_SYNTAX 2:23+0 syntax error near end of input: control line is not ended by a newline");
}

TEST_CASE("control lines: in -h and -G mode foreign control lines are comments") {
  Parse p;
  p.input.foreign_control_lines = true;
  p.run("# file: src/x.c\n#ifdef X\n#error no\n#pragma D nosuch\nprovider p { probe q(); };\n#endif\n");
  CHECK(p.error() == "D_PRAGMA_INVAL 4:11+6 invalid directive: #pragma D nosuch");
  CHECK(p.diags.list().size() == 1);
}

TEST_CASE("control lines: line markers name the next line") {
  Parse p;
  p.run(
      "# 1 \"<stdin>\"\n"
      "# 1 \"<built-in>\" 1\n"
      "# 1 \"<stdin>\" 2\n"
      "BEGIN { 1 + ; }\n"
      "# 10 \"inc.h\" 1 3 4\n"
      "# 20 \"<stdin>\" 2\n"
      "END { 2 + ; }\n"
      "#line 7 \"other.d\"\n"
      "END { 3 + ; }\n"
      "#line 100\n"
      "END { 4 + ; }\n");
  REQUIRE(p.diags.list().size() == 4);
  std::vector<std::string> places;
  for (const Diagnostic &d : p.diags.list()) {
    Position at = p.sources.position(d.span);
    places.push_back(fmt::format("{}:{}{}", at.file, at.line, at.in_include ? " included" : ""));
  }
  CHECK(places == std::vector<std::string>{"test.d:1", "test.d:20", "other.d:7", "other.d:100"});
  CHECK(error_of("#line x") == "D_PRAGMA_MALFORM 1:1+7 malformed line directive");
  CHECK(error_of("# 1 file") == "D_PRAGMA_MALFORM 1:1+8 malformed line directive");
}
