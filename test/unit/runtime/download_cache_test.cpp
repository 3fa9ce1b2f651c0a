// SPDX-License-Identifier: Apache-2.0
// The bound of what libdebuginfod has downloaded.
#include "runtime/foreign/download_cache.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <array>
#include <catch2/catch.hpp>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <string>

namespace dtrace::runtime {
namespace {

namespace fs = std::filesystem;

class Downloads {
 public:
  Downloads() {
    std::string name = (fs::temp_directory_path() / "dt_downloads_XXXXXX").string();
    REQUIRE(::mkdtemp(name.data()) != nullptr);
    top_ = name;
  }
  ~Downloads() { fs::remove_all(top_); }
  /// A file of 1000 bytes that was used `age` hours ago.
  fs::path add(const std::string &name, int age) const {
    const fs::path path = top_ / name;
    fs::create_directories(path.parent_path());
    std::ofstream(path) << std::string(1000, 'x');
    timespec now{};
    clock_gettime(CLOCK_REALTIME, &now);
    now.tv_sec -= age * 3600;
    const std::array<timespec, 2> times{now, now};
    REQUIRE(::utimensat(AT_FDCWD, path.c_str(), times.data(), 0) == 0);
    return path;
  }
  void bound(uint64_t bytes) const { bound_download_cache(top_.string(), bytes); }

 private:
  fs::path top_;
};

}  // namespace

TEST_CASE("downloads that were not used for longest are removed, down to the bound", "[debuginfod]") {
  const Downloads cache;
  const fs::path oldest = cache.add("00aa/debuginfo", 9), old = cache.add("00bb/debuginfo", 8),
                 recent = cache.add("00cc/debuginfo", 2), last = cache.add("00dd/debuginfo", 0);
  cache.bound(4000);
  CHECK(fs::exists(oldest));
  cache.bound(2500);
  CHECK_FALSE(fs::exists(oldest.parent_path()));
  CHECK_FALSE(fs::exists(old));
  CHECK(fs::exists(recent));
  CHECK(fs::exists(last));
}

TEST_CASE("the download that was used last stays, and so do other files", "[debuginfod]") {
  const Downloads cache;
  const fs::path last = cache.add("00aa/debuginfo", 0), first = cache.add("00bb/debuginfo", 1),
                 setting = cache.add("max_unused_age_s", 99), other = cache.add("not a build/debuginfo", 99);
  cache.bound(10);
  CHECK(fs::exists(last));
  CHECK_FALSE(fs::exists(first));
  CHECK(fs::exists(setting));
  CHECK(fs::exists(other));
  bound_download_cache("/nowhere/at/all", 10);
}

}  // namespace dtrace::runtime
