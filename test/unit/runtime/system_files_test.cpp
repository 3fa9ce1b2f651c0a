// SPDX-License-Identifier: Apache-2.0
#include "runtime/probes/system_files.h"

#include <fcntl.h>
#include <unistd.h>

#include <catch2/catch.hpp>
#include <filesystem>
#include <fstream>

#include "runtime/foreign/same_pages.h"
#include "test/unit/runtime/kernel_lacks.h"

using namespace dtrace;
using namespace dtrace::runtime;

namespace {

/// A folder that is gone with the test.
class Folder {
 public:
  Folder() {
    char name[] = "/tmp/dt-files.XXXXXX";
    path_ = mkdtemp(name);
  }
  ~Folder() { std::filesystem::remove_all(path_); }
  Folder(const Folder &) = delete;
  Folder &operator=(const Folder &) = delete;
  std::string operator/(const std::string &name) const { return path_ + "/" + name; }

 private:
  std::string path_;
};

std::vector<std::string> paths(SystemFiles &files, const std::string &module) {
  std::vector<std::string> found;
  for (const SystemFiles::File *file : files.find(module)) found.push_back(file->object->path());
  return found;
}

}  // namespace

TEST_CASE("system files: what a module field means of a mapped file") {
  CHECK(names_mapped_file("libz", "/usr/lib/libz.so.1.2.13"));
  CHECK(names_mapped_file("libz.so.1", "/usr/lib/libz.so.1.2.13"));
  CHECK(names_mapped_file("libz.so.1.2", "/usr/lib/libz.so.1.2.13"));
  CHECK(names_mapped_file("lib[yz]*", "/usr/lib/libz.so.1.2.13"));
  CHECK(names_mapped_file("python3", "/usr/bin/python3.11"));
  CHECK(names_mapped_file("", "/usr/bin/bash"));
  CHECK_FALSE(names_mapped_file("libz.so.2", "/usr/lib/libz.so.1.2.13"));
  CHECK_FALSE(names_mapped_file("libz.so.1.", "/usr/lib/libz.so.1.2.13"));
  CHECK_FALSE(names_mapped_file("lib", "/usr/lib/libz.so.1.2.13"));
}

TEST_CASE("system files: a path is matched as a shell does") {
  CHECK(names_mapped_file("/usr/bin/bash", "/usr/bin/bash"));
  CHECK(names_mapped_file("/usr/*/ba??", "/usr/bin/bash"));
  CHECK_FALSE(names_mapped_file("/usr/*", "/usr/bin/bash"));
  CHECK_FALSE(names_mapped_file("/bin/bash", "/opt/bin/bash"));
}

TEST_CASE("system files: the real path, as far as it exists") {
  const Folder folder;
  std::filesystem::create_directory(folder / "real");
  std::filesystem::create_symlink("real", folder / "link");
  CHECK(real_path(folder / "link/gone.so") == folder / "real/gone.so");
  CHECK(real_path(folder / "link/*.so") == folder / "real/*.so");
  CHECK(real_path("/*/gone.so") == "/*/gone.so");
}

TEST_CASE("system files: links lead to one file; a program is found in $PATH; a text is none") {
  const Folder folder;
  std::filesystem::copy_file("/proc/self/exe", folder / "dt-program");
  std::filesystem::create_symlink("dt-program", folder / "dt-link");
  std::filesystem::create_hard_link(folder / "dt-program", folder / "dt-other");
  std::ofstream(folder / "dt-text") << "no program\n";
  const std::string before = getenv("PATH");
  setenv("PATH", (folder / "nowhere:" + (folder / "")).c_str(), 1);
  SystemFiles files;
  const std::vector<std::string> program = {folder / "dt-program"};
  CHECK(paths(files, "dt-program") == program);
  CHECK(paths(files, "dt-link") == program);
  CHECK(paths(files, "dt-o*") == program);
  CHECK(paths(files, folder / "dt-link") == program);
  CHECK(paths(files, folder / "dt-*") == program);
  CHECK(files.last_serial() == 1);
  CHECK(paths(files, "dt-text").empty());
  CHECK(paths(files, folder / "dt-gone").empty());
  CHECK(files.looked_at(folder / "dt-gone").ends_with("it cannot be opened: No such file or directory"));
  CHECK_FALSE(files.has_newer("dt-program", 1));
  setenv("PATH", before.c_str(), 1);
}

TEST_CASE("system files: two descriptors of one file have the same pages, copies have not", "[root]") {
  SKIP_WITHOUT(kPopulate);
  if (geteuid() != 0) return;
  const Folder folder;
  std::filesystem::copy_file("/proc/self/exe", folder / "one");
  std::filesystem::copy_file("/proc/self/exe", folder / "two");
  const Fd one(open((folder / "one").c_str(), O_RDONLY)), again(open((folder / "one").c_str(), O_RDONLY)),
      two(open((folder / "two").c_str(), O_RDONLY));
  CHECK(compare_pages(one.get(), again.get()) == SamePages::kYes);
  CHECK(compare_pages(one.get(), two.get()) == SamePages::kNo);
  CHECK(have_same_pages(one.get(), again.get()) == SamePages::kNo);  // in no overlay
}
