// SPDX-License-Identifier: Apache-2.0
// The phase tests of test/phase/parse: tst.*.d against the dump of its tree, err.TAG.*.d against its first error. With
// DTRACE_UPDATE_GOLDEN set in the environment the expected texts are written anew; the difference is for review.
#include <algorithm>
#include <catch2/catch.hpp>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>
#include <vector>

#include "test/unit/frontend/parser_fixture.h"

using namespace dtrace;
namespace fs = std::filesystem;

namespace {

std::string read(const fs::path &path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

std::vector<fs::path> programs() {
  std::vector<fs::path> out;
  for (const auto &entry : fs::directory_iterator(fs::path(__FILE__).parent_path() / "../../phase/parse")) {
    if (entry.path().extension() == ".d") out.push_back(entry.path());
  }
  std::sort(out.begin(), out.end());
  return out;
}

/// "D_SYNTAX" of "err.D_SYNTAX.what.d".
std::string expected_tag(const std::string &name) {
  size_t begin = name.find('.') + 1;
  return name.substr(begin, name.find('.', begin) - begin);
}

}  // namespace

TEST_CASE("phase tests of the parser") {
  std::vector<fs::path> list = programs();
  REQUIRE_FALSE(list.empty());
  for (const fs::path &path : list) {
    std::string name = path.filename();
    INFO(name);
    test::Parse p;
    p.run(read(path));
    std::string got;
    if (name.starts_with("err.")) {
      REQUIRE_FALSE(p.diags.ok());
      CHECK(tag_name(p.diags.list()[0].tag) == expected_tag(name));
      got = render(p.diags.list()[0], p.sources, {true, true}) + "\n";
    } else {
      CHECK(p.errors() == "");
      got = ast::dump(*p.tree, p.sources);
    }
    fs::path expected = path;
    expected.replace_extension(".r");
    if (std::getenv("DTRACE_UPDATE_GOLDEN") != nullptr) std::ofstream(expected, std::ios::binary) << got;
    CHECK(got == read(expected));
  }
}
