// SPDX-License-Identifier: Apache-2.0
// The rules of the language, one program each, by section of the reference: test/unit/frontend/rules/ lists programs
// and the tag that each must get, or OK.
#include <catch2/catch.hpp>
#include <filesystem>
#include <fstream>
#include <string>

#include "test/unit/frontend/check_fixture.h"

using namespace dtrace::test;
namespace fs = std::filesystem;

namespace {

constexpr std::string_view kNewline = "⏎";

/// A row's program with its newlines.
std::string program_of(std::string text) {
  for (size_t at = 0; (at = text.find(kNewline, at)) != std::string::npos;) text.replace(at, kNewline.size(), "\n");
  return text;
}

}  // namespace

TEST_CASE("rules: every program is taken, or refused with its tag", "[rules]") {
  const std::string name = GENERATE("lexical", "declarations", "expressions");
  std::ifstream rows(fs::path(__FILE__).parent_path() / "rules" / name);
  REQUIRE(rows);
  unsigned count = 0;
  for (std::string line; std::getline(rows, line);) {
    if (line.empty() || line.starts_with("##")) continue;
    const size_t blank = line.find(' ');
    const size_t begin = line.find_first_not_of(' ', blank);
    const std::string wanted = line.substr(0, blank);
    const std::string program = program_of(begin == std::string::npos ? "" : line.substr(begin));
    CAPTURE(name, program);
    CHECK(tag_of(program) == (wanted == "OK" ? "" : wanted));
    count++;
  }
  CHECK(count > 100);
}
