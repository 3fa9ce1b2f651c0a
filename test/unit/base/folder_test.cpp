// SPDX-License-Identifier: Apache-2.0
#include "base/folder.h"

#include <catch2/catch.hpp>
#include <cstdlib>
#include <fstream>
#include <set>
#include <string>

namespace dtrace {

TEST_CASE("entries of a folder, and one that is not there") {
  std::string name = (std::filesystem::temp_directory_path() / "dt-folder.XXXXXX").string();
  REQUIRE(mkdtemp(name.data()) != nullptr);
  const std::filesystem::path folder = name;
  std::ofstream(folder / "a").put('x');
  std::filesystem::create_directory(folder / "b");
  std::set<std::string> seen;
  CHECK_FALSE(
      each_entry(folder, [&](const std::filesystem::directory_entry &entry) { seen.insert(entry.path().filename()); }));
  CHECK(seen == std::set<std::string>{"a", "b"});
  CHECK(each_entry(folder / "none", [](const std::filesystem::directory_entry &) {}) ==
        std::errc::no_such_file_or_directory);
  std::filesystem::remove_all(folder);
}

}  // namespace dtrace
