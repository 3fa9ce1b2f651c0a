// SPDX-License-Identifier: Apache-2.0
// Output: gathering, files, redirection, truncation, write errors.
#include "runtime/print/output.h"

#include <fcntl.h>
#include <unistd.h>

#include <catch2/catch.hpp>
#include <cerrno>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <sstream>

using namespace dtrace;

namespace {

class Directory {
 public:
  Directory() {
    std::string name = (std::filesystem::temp_directory_path() / "dt_output_XXXXXX").string();
    REQUIRE(::mkdtemp(name.data()) != nullptr);
    path_ = name;
  }
  ~Directory() { std::filesystem::remove_all(path_); }
  std::string file(const std::string &name) const { return (path_ / name).string(); }

 private:
  std::filesystem::path path_;
};

std::string content(const std::string &path) {
  std::ifstream file(path, std::ios::binary);
  std::ostringstream text;
  text << file.rdbuf();
  return text.str();
}

}  // namespace

TEST_CASE("text gathers until flushed") {
  MemoryOutput out;
  out.text() += "a";
  out.row_done();
  CHECK(out.written().empty());
  REQUIRE(out.flush());
  CHECK(out.written() == "a");
  out.set_flush_each_row(true);
  out.text() += "b";
  out.row_done();
  CHECK(out.written() == "ab");
}

TEST_CASE("much text leaves at the end of a row") {
  MemoryOutput out;
  out.text() += std::string(100'000, 'x');
  out.row_done();
  CHECK(out.written().size() == 100'000);
  CHECK(out.text().empty());
}

TEST_CASE("a write error is remembered and later text thrown away") {
  MemoryOutput out;
  out.fail_writes(ENOSPC);
  out.text() += "a";
  const Result<Unit> result = out.flush();
  REQUIRE_FALSE(result);
  CHECK(result.error().errno_value() == ENOSPC);
  CHECK(out.failed());
  out.fail_writes(0);
  out.text() += "b";
  CHECK_FALSE(out.flush());
  CHECK(out.written().empty());
  CHECK(out.text().empty());
}

TEST_CASE("redirection switches targets in order") {
  MemoryOutput out;
  out.text() += "1";
  REQUIRE(out.redirect("x"));
  out.text() += "2";
  REQUIRE(out.redirect("y"));
  out.text() += "3";
  REQUIRE(out.redirect(""));
  out.text() += "4";
  REQUIRE(out.flush());
  CHECK(out.written() == "14");
  CHECK(out.written("x") == "2");
  CHECK(out.written("y") == "3");
}

TEST_CASE("-o appends to its file") {
  const Directory directory;
  const std::string path = directory.file("out");
  for (const char *text : {"one\n", "two\n"}) {
    Result<std::unique_ptr<Output>> out = FdOutput::append_to(path);
    REQUIRE(out);
    (*out)->text() += text;
  }
  CHECK(content(path) == "one\ntwo\n");
}

TEST_CASE("-o on what cannot be opened says so") {
  const Directory directory;
  const auto out = FdOutput::append_to(directory.file("no/such"));
  REQUIRE_FALSE(out);
  CHECK(out.error().text() ==
        "failed to open output file '" + directory.file("no/such") + "': No such file or directory");
}

TEST_CASE("freopen of a file appends, repeats, and restores") {
  const Directory directory;
  const std::string base = directory.file("base"), other = directory.file("other");
  std::ofstream(other) << "old\n";
  Fd fd(::open(base.c_str(), O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0600));
  REQUIRE(fd);
  {
    FdOutput out(fd.get());
    out.text() += "a";
    REQUIRE(out.redirect(other));
    out.text() += "b";
    CHECK_FALSE(out.redirect(directory.file("no/such")));
    out.text() += "c";
    REQUIRE(out.redirect(other));
    out.text() += "d";
    REQUIRE(out.redirect(""));
    out.text() += "e";
    REQUIRE(out.redirect(""));
    out.text() += "f";
  }
  CHECK(content(base) == "aef");
  CHECK(content(other) == "old\nbcd");
}

TEST_CASE("a redirection takes the descriptor with it, flags included") {
  const Directory directory;
  Fd fd(::open(directory.file("base").c_str(), O_WRONLY | O_CREAT, 0600));
  FdOutput out(fd.get());
  REQUIRE(out.redirect(directory.file("other")));
  CHECK((::fcntl(fd.get(), F_GETFD) & FD_CLOEXEC) == 0);
  REQUIRE(::write(fd.get(), "child\n", 6) == 6);
  CHECK(content(directory.file("other")) == "child\n");
}

TEST_CASE("ftruncate empties the file and goes on at its start") {
  const Directory directory;
  const std::string path = directory.file("out");
  {
    Fd fd(::open(path.c_str(), O_WRONLY | O_CREAT, 0600));
    FdOutput out(fd.get());
    out.text() += "old text";
    REQUIRE(out.truncate());
    out.text() += "new";
  }
  CHECK(content(path) == "new");
}

TEST_CASE("ftruncate of a pipe does nothing") {
  int ends[2];
  REQUIRE(::pipe(ends) == 0);
  const Fd reader(ends[0]), writer(ends[1]);
  FdOutput out(writer.get());
  out.text() += "kept";
  REQUIRE(out.truncate());
  char buffer[8];
  CHECK(::read(reader.get(), buffer, sizeof(buffer)) == 4);
}

TEST_CASE("a full disk is an error") {
  Fd fd(::open("/dev/full", O_WRONLY | O_CLOEXEC));
  if (!fd) return;
  FdOutput out(fd.get());
  out.text() += "x";
  const Result<Unit> result = out.flush();
  REQUIRE_FALSE(result);
  CHECK(result.error().errno_value() == ENOSPC);
}

TEST_CASE("a watcher replaces each piece of text, and no piece twice") {
  MemoryOutput out;
  std::vector<std::string> pieces;
  out.set_watcher([&](std::string_view text, const TextMark &mark) {
    pieces.emplace_back(text);
    return std::string(mark.flags == 0 ? "." : "A");
  });
  out.text() += "one";
  out.mark();
  out.mark();  // nothing new
  out.text() += "two";
  out.mark({TextMark::kAggregationKey, "a"});
  out.text() += "rest";
  REQUIRE(out.flush());
  out.text() += "next";
  out.mark();
  REQUIRE(out.flush());
  CHECK(pieces == std::vector<std::string>{"one", "two", "rest", "next"});
  CHECK(out.written() == ".A..");
}
