// SPDX-License-Identifier: Apache-2.0
// What control groups and limits leave, by files written by hand.
#include "base/memory_left.h"

#include <catch2/catch.hpp>
#include <cstdlib>
#include <filesystem>
#include <fstream>

using namespace dtrace;

namespace {

class Root {
 public:
  Root() {
    std::string name = (std::filesystem::temp_directory_path() / "dt_memory_XXXXXX").string();
    REQUIRE(::mkdtemp(name.data()) != nullptr);
    path_ = name;
    put("proc/meminfo", "MemTotal:  1000 kB\nMemFree: 1 kB\nMemAvailable:    500 kB\n");
  }
  ~Root() { std::filesystem::remove_all(path_); }
  void put(const std::string &name, const std::string &text) const {
    const std::filesystem::path file = std::filesystem::path(path_) / name;
    std::filesystem::create_directories(file.parent_path());
    std::ofstream(file) << text;
  }
  uint64_t left(uint64_t address_space = UINT64_MAX) const { return memory_left_in(path_, address_space); }

 private:
  std::string path_;
};

}  // namespace

TEST_CASE("the machine's available memory, or what ulimit leaves of it") {
  Root root;
  CHECK(root.left() == 500 * 1024);
  CHECK(root.left(1000) == 1000);
  CHECK(number_of_line("active_file_more 1\nactive_file 2\n", "active_file") == 2);
  CHECK(number_of_line("a 1\n", "b") == 0);
}

TEST_CASE("a control group's limit, without its file cache, and those above it") {
  Root root;
  root.put("proc/self/cgroup", "0::/outer/inner\n");
  root.put("sys/fs/cgroup/outer/inner/memory.max", "max\n");
  root.put("sys/fs/cgroup/outer/inner/memory.current", "90000\n");
  CHECK(root.left() == 500 * 1024);
  root.put("sys/fs/cgroup/outer/memory.max", "100000\n");
  root.put("sys/fs/cgroup/outer/memory.current", "90000\n");
  root.put("sys/fs/cgroup/outer/memory.stat", "anon 1\nactive_file 1000\ninactive_file 2000\n");
  CHECK(root.left() == 13000);
  root.put("sys/fs/cgroup/outer/memory.high", "95000\n");  // beyond it, processes wait
  CHECK(root.left() == 8000);
  root.put("sys/fs/cgroup/outer/memory.max", "max\n");
  CHECK(root.left() == 8000);
  root.put("sys/fs/cgroup/outer/memory.current", "200000\n");
  CHECK(root.left() == 0);
}

TEST_CASE("control groups of version 1") {
  Root root;
  root.put("proc/self/cgroup", "5:cpu:/elsewhere\n4:memory,hugetlb:/box\n");
  root.put("sys/fs/cgroup/memory/box/memory.limit_in_bytes", "100000\n");
  root.put("sys/fs/cgroup/memory/box/memory.usage_in_bytes", "40000\n");
  root.put("sys/fs/cgroup/memory/box/memory.stat", "total_inactive_file 10000\ntotal_active_file 5000\n");
  CHECK(root.left() == 75000);
}
