// SPDX-License-Identifier: Apache-2.0
// Output files: rotation between rows, files that are opened again, files that are written as a whole.
#include <fcntl.h>
#include <sys/stat.h>

#include <catch2/catch.hpp>
#include <filesystem>
#include <fstream>

#include "runtime/print/output.h"

using namespace dtrace;
using namespace dtrace::runtime;
namespace fs = std::filesystem;

namespace {

class Folder {
 public:
  Folder() {
    std::string name = (fs::temp_directory_path() / "outputXXXXXX").string();
    path_ = mkdtemp(name.data());
  }
  ~Folder() { fs::remove_all(path_); }
  Folder(const Folder &) = delete;
  Folder &operator=(const Folder &) = delete;
  std::string operator/(const std::string &name) const { return (path_ / name).string(); }
  std::vector<std::string> names() const {
    std::vector<std::string> names;
    for (const auto &entry : fs::directory_iterator(path_)) names.push_back(entry.path().filename().string());
    std::sort(names.begin(), names.end());
    return names;
  }

 private:
  fs::path path_;
};

std::string contents(const std::string &path) {
  std::ifstream file(path);
  return {std::istreambuf_iterator<char>(file), {}};
}

void row(Output &output, const std::string &text) {
  output.text() += text;
  output.row_done();
}

}  // namespace

TEST_CASE("a file is replaced between two rows when it has its size", "[rotation]") {
  const Folder folder;
  auto output = FdOutput::append_to(folder / "out");
  REQUIRE(output);
  std::vector<std::string> reports;
  Rotation rotation;
  rotation.size_bytes = 10;
  rotation.keep = 2;
  REQUIRE((*output)->rotate(rotation, [&](std::string_view text) { reports.emplace_back(text); }));
  CHECK((*output)->generation() == 0);
  for (int i = 0; i < 10; ++i) row(**output, "row" + std::to_string(i) + "\n");
  CHECK((*output)->generation() == 5);
  row(**output, "last\n");
  REQUIRE((*output)->flush());
  CHECK(folder.names() == std::vector<std::string>{"out", "out.1", "out.2"});
  CHECK(contents(folder / "out") == "last\n");
  CHECK(contents(folder / "out.1") == "row8\nrow9\n");
  CHECK(contents(folder / "out.2") == "row6\nrow7\n");
  CHECK(reports.empty());
}

TEST_CASE("what was in the file before counts, and its mode is kept", "[rotation]") {
  const Folder folder;
  std::ofstream(folder / "out") << "12345678\n";
  chmod((folder / "out").c_str(), 0600);
  auto output = FdOutput::append_to(folder / "out");
  REQUIRE(output);
  Rotation rotation;
  rotation.size_bytes = 10;
  rotation.keep = 1;
  REQUIRE((*output)->rotate(rotation, [](std::string_view) {}));
  row(**output, "a\n");
  CHECK(contents(folder / "out.1") == "12345678\na\n");
  struct stat file{};
  REQUIRE(stat((folder / "out").c_str(), &file) == 0);
  CHECK((file.st_mode & 0777) == 0600);
}

TEST_CASE("no old files, if none are to be kept", "[rotation]") {
  const Folder folder;
  auto output = FdOutput::append_to(folder / "out");
  REQUIRE(output);
  Rotation rotation;
  rotation.size_bytes = 1;
  REQUIRE((*output)->rotate(rotation, [](std::string_view) {}));
  row(**output, "gone\n");
  row(**output, "gone too\n");
  CHECK(folder.names() == std::vector<std::string>{"out"});
  CHECK(contents(folder / "out").empty());
}

TEST_CASE("a rotation that fails is reported, and loses nothing", "[rotation]") {
  const Folder folder;
  auto output = FdOutput::append_to(folder / "out");
  REQUIRE(output);
  fs::create_directories(folder / "out.1/full");  // no file can take this name
  std::vector<std::string> reports;
  Rotation rotation;
  rotation.size_bytes = 8;
  rotation.keep = 1;
  REQUIRE((*output)->rotate(rotation, [&](std::string_view text) { reports.emplace_back(text); }));
  for (int i = 0; i < 4; ++i) row(**output, "row" + std::to_string(i) + "\n");
  REQUIRE((*output)->flush());
  CHECK(contents(folder / "out") == "row0\nrow1\nrow2\nrow3\n");
  CHECK(folder.names() == std::vector<std::string>{"out", "out.1"});
  REQUIRE(reports.size() == 2);  // it is tried again after as much
  CHECK(reports[0].find("is not rotated, and goes on: failed to rename") != std::string::npos);
  fs::remove_all(folder / "out.1");
  row(**output, "row4\n");
  row(**output, "row5\n");
  CHECK(contents(folder / "out.1") == "row0\nrow1\nrow2\nrow3\nrow4\nrow5\n");
}

TEST_CASE("rotation by age", "[rotation]") {
  const Folder folder;
  auto output = FdOutput::append_to(folder / "out");
  REQUIRE(output);
  Rotation rotation;
  rotation.age = std::chrono::nanoseconds(1);
  rotation.keep = 3;
  REQUIRE((*output)->rotate(rotation, [](std::string_view) {}));
  row(**output, "a\n");
  row(**output, "b\n");
  CHECK(contents(folder / "out.1") == "b\n");
  CHECK(contents(folder / "out.2") == "a\n");
}

TEST_CASE("devices are not rotated", "[rotation]") {
  auto output = FdOutput::append_to("/dev/null");
  REQUIRE(output);
  CHECK_FALSE((*output)->rotate({1, {}, 1}, [](std::string_view) {}));
}

TEST_CASE("a file that others have renamed is opened again", "[rotation]") {
  const Folder folder;
  auto output = FdOutput::append_to(folder / "out");
  REQUIRE(output);
  row(**output, "a\n");
  fs::rename(folder / "out", folder / "taken");
  row(**output, "b\n");
  REQUIRE((*output)->reopen());
  CHECK((*output)->generation() == 1);
  row(**output, "c\n");
  REQUIRE((*output)->flush());
  CHECK(contents(folder / "taken") == "a\nb\n");
  CHECK(contents(folder / "out") == "c\n");
}

TEST_CASE("a file that cannot be opened again goes on", "[rotation]") {
  const Folder folder;
  fs::create_directory(folder / "sub");
  auto output = FdOutput::append_to(folder / "sub/out");
  REQUIRE(output);
  fs::rename(folder / "sub", folder / "moved");
  CHECK_FALSE((*output)->reopen());
  row(**output, "a\n");
  REQUIRE((*output)->flush());
  CHECK(contents(folder / "moved/out") == "a\n");
}

TEST_CASE("freopen() outlasts a reopen", "[rotation]") {
  const Folder folder;
  auto output = FdOutput::append_to(folder / "out");
  REQUIRE(output);
  REQUIRE((*output)->redirect(folder / "other"));
  fs::rename(folder / "out", folder / "taken");
  REQUIRE((*output)->reopen());
  row(**output, "a\n");
  REQUIRE((*output)->redirect(""));
  row(**output, "b\n");
  REQUIRE((*output)->flush());
  CHECK(contents(folder / "other") == "a\n");
  CHECK(contents(folder / "out") == "b\n");
  CHECK(contents(folder / "taken").empty());
}

TEST_CASE("a whole file is seen when it is complete", "[whole]") {
  const Folder folder;
  std::ofstream(folder / "out") << "old";
  {
    auto output = WholeFileOutput::at(folder / "out");
    REQUIRE(output);
    (*output)->text() += "new";
    REQUIRE((*output)->flush());
    CHECK(contents(folder / "out") == "old");
  }
  CHECK(folder.names() == std::vector<std::string>{"out"});  // it was never complete
  auto output = WholeFileOutput::at(folder / "out");
  REQUIRE(output);
  (*output)->text() += "new";
  REQUIRE((*output)->commit());
  CHECK(contents(folder / "out") == "new");
  CHECK(folder.names() == std::vector<std::string>{"out"});
}

TEST_CASE("a link to a whole file stays one", "[whole]") {
  const Folder folder;
  std::ofstream(folder / "out") << "old";
  fs::create_symlink("out", folder / "link");
  auto output = WholeFileOutput::at(folder / "link");
  REQUIRE(output);
  (*output)->text() += "new";
  REQUIRE((*output)->commit());
  CHECK(fs::is_symlink(folder / "link"));
  CHECK(contents(folder / "out") == "new");
}

TEST_CASE("whole files that cannot be", "[whole]") {
  const Folder folder;
  CHECK_FALSE(WholeFileOutput::at(folder / "no/such"));
  CHECK_FALSE(WholeFileOutput::at(folder / "."));
  auto full = WholeFileOutput::at("/dev/full");
  REQUIRE(full);
  (*full)->text() += "text";
  const Result<Unit> written = (*full)->commit();
  REQUIRE_FALSE(written);
  CHECK(written.error().errno_value() == ENOSPC);
}
