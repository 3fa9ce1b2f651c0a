// SPDX-License-Identifier: Apache-2.0
// Runs the real cpp, and parses what it says.
#include "runtime/process/preprocess_run.h"

#include <catch2/catch.hpp>
#include <string>

#include "frontend/syntax/parser.h"
#include "test/unit/runtime/kernel_lacks.h"

using namespace dtrace;
using namespace dtrace::runtime;

TEST_CASE("running cpp: macros are expanded, the #! line is counted but not seen") {
  PreprocessOptions options;
  options.arguments = {{'D', "PROBE=BEGIN"}};
  Result<std::string> text = preprocess(options, "#!/usr/sbin/dtrace -Cs\nPROBE { x = 1 +; }\n");
  REQUIRE(text);
  CHECK(text->find("BEGIN { x = 1 +; }") != std::string::npos);

  Sources sources;
  Diagnostics diags;
  ParseInput input;
  input.source = sources.add("script.d", *text, SourceKind::kScript);
  parse(input, sources, diags);
  REQUIRE(diags.list().size() == 1);
  CHECK(render(diags.list()[0], sources, {}) == "line 2: syntax error near \";\"");
}

TEST_CASE("running cpp: the script has its own name there") {
  PreprocessOptions options;
  options.script = "a \"script\".d";
  Result<std::string> text = preprocess(options, "__FILE__\nPROBE { x = 1 +; }\n");
  REQUIRE(text);
  CHECK(text->find("\n\"a \\\"script\\\".d\"\n") != std::string::npos);

  Sources sources;
  Diagnostics diags;
  ParseInput input;
  text = preprocess(options, "\nBEGIN { x = 1 +; }\n");
  REQUIRE(text);
  input.source = sources.add(options.script, *text, SourceKind::kScript);
  parse(input, sources, diags);
  REQUIRE(diags.list().size() == 1);
  CHECK(render(diags.list()[0], sources, {}) == "line 2: syntax error near \";\"");
}

TEST_CASE("running cpp: pragmas and probe descriptions come through") {
  Result<std::string> text =
      preprocess({}, "#pragma D option quiet\nsyscall::read:entry,tick-1s /pid == $target/ { }\n");
  REQUIRE(text);
  CHECK(text->find("\n#pragma D option quiet\n") != std::string::npos);
  CHECK(text->find("\nsyscall::read:entry,tick-1s /pid == $target/ { }\n") != std::string::npos);
}

TEST_CASE("running cpp: predefined macros tell where we are") {
  PreprocessOptions options;
  options.version = encode_version(2, 0, 0);
  ask_uname(options);
  Result<std::string> text = preprocess(
      options, "__SUNW_D __SUNW_D_VERSION __linux\n#ifdef __sun\nSUN\n#endif\n#ifdef __GNUC__\nGNU\n#endif\n");
  REQUIRE(text);
  CHECK(text->find("\n1 0x02000000 1\n") != std::string::npos);
  CHECK(text->find("SUN\n") == std::string::npos);
  CHECK(text->find("GNU") == std::string::npos);
}

TEST_CASE("running cpp: failures of cpp") {
  PreprocessOptions options;
  options.cpp = "/no/such/cpp";
  if (kSharingVfork.is_there()) CHECK(preprocess(options, "").error().text() == "Preprocessor not found");
  options.cpp = "/dev/null";
  CHECK(preprocess(options, "").error().text() == "Failed to exec preprocessor");
  options.cpp = "false";
  CHECK(preprocess(options, std::string(1 << 20, '\n')).error().text() ==
        "Preprocessor failed to process input program");
}
