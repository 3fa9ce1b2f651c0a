// SPDX-License-Identifier: Apache-2.0
// Output: gathering, files, redirection, truncation, write errors.
#include "memory_output.h"
#include "runtime/print/output.h"

#include <fcntl.h>
#include <sys/resource.h>
#include <sys/time.h>
#include <unistd.h>

#include <catch2/catch.hpp>
#include <cerrno>
#include <chrono>
#include <csignal>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <sstream>

using namespace dtrace;
using namespace dtrace::runtime;

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
    Result<std::unique_ptr<FdOutput>> out = FdOutput::append_to(path);
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

TEST_CASE("rows that a failed write did not take are counted, and those that come after it") {
  MemoryOutput out;
  for (const char *row : {"first\n", "second\n"}) {
    out.text() += row;
    out.row_done();
  }
  REQUIRE(out.flush());
  CHECK(out.lost_rows() == 0);
  for (const char *row : {"third\n", "fourth\n", "fifth\n"}) {
    out.text() += row;
    out.row_done();
  }
  out.fail_writes(ENOSPC, 8);  // "third\nfo"
  CHECK(!out.flush());
  CHECK(out.lost_rows() == 2);
  CHECK(out.written() == "first\nsecond\nthird\n");
  out.text() += "sixth\n";
  out.row_done();
  out.row_done();  // nothing was printed for this one
  CHECK(!out.flush());
  CHECK(out.lost_rows() == 3);
  CHECK(out.written() == "first\nsecond\nthird\n");
}

TEST_CASE("a row that was written in pieces is cut from its beginning") {
  MemoryOutput out;
  out.text() += "row\n";
  out.row_done();
  out.text() += "a piece,";
  REQUIRE(out.flush());  // as before a command
  out.text() += " another,";
  REQUIRE(out.flush());
  out.text() += " and the end\n";
  out.row_done();
  out.fail_writes(ENOSPC, 4);
  CHECK(!out.flush());
  CHECK(out.written() == "row\n");
  CHECK(out.lost_rows() == 1);
}

TEST_CASE("text without rows is cut at the end of a line") {
  MemoryOutput out;
  out.text() += "one\ntwo\nthree\n";
  out.fail_writes(ENOSPC, 10);
  CHECK(!out.flush());
  CHECK(out.written() == "one\ntwo\n");
}

TEST_CASE("a full file ends with its last whole row, what others wrote behind it stays") {
  Directory directory;
  const std::string path = directory.file("out");
  rlimit before{};
  REQUIRE(getrlimit(RLIMIT_FSIZE, &before) == 0);
  struct sigaction ignored{}, handled{};
  ignored.sa_handler = SIG_IGN;
  REQUIRE(sigaction(SIGXFSZ, &ignored, &handled) == 0);
  {
    Result<std::unique_ptr<FdOutput>> file = FdOutput::append_to(path);
    REQUIRE(file);
    const rlimit small{100, before.rlim_max};
    REQUIRE(setrlimit(RLIMIT_FSIZE, &small) == 0);
    for (int i = 0; i < 20; i++) {
      (*file)->text() += "seven B\n";
      (*file)->row_done();
    }
    CHECK(!(*file)->flush());
    CHECK((*file)->lost_rows() == 8);
  }
  REQUIRE(setrlimit(RLIMIT_FSIZE, &before) == 0);
  REQUIRE(sigaction(SIGXFSZ, &handled, nullptr) == 0);
  CHECK(content(path).size() == 96);
}

TEST_CASE("a write that nobody takes asks whether to go on, and not before it is interrupted") {
  int ends[2];
  REQUIRE(pipe2(ends, O_CLOEXEC) == 0);
  const Fd read_end(ends[0]);
  struct sigaction handler{}, before{};
  handler.sa_handler = [](int) {};
  REQUIRE(sigaction(SIGALRM, &handler, &before) == 0);
  {
    FdOutput out{Fd(ends[1])};
    int asked = 0;
    out.set_patience(
        [&](std::chrono::nanoseconds) { return ++asked < 3 ? std::nullopt : std::optional(Error("enough")); });
    out.text() = "taken\n";
    out.row_done();
    REQUIRE(out.flush());
    CHECK(asked == 0);
    const itimerval often{{0, 20'000}, {0, 20'000}}, never{};
    REQUIRE(setitimer(ITIMER_REAL, &often, nullptr) == 0);
    out.text() = std::string(1 << 20, 'x');
    const Result<Unit> flushed = out.flush();
    REQUIRE(setitimer(ITIMER_REAL, &never, nullptr) == 0);
    REQUIRE(!flushed);
    CHECK(flushed.error().text() == "enough");
    CHECK(asked == 3);
  }
  REQUIRE(sigaction(SIGALRM, &before, nullptr) == 0);
}
