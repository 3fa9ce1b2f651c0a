// SPDX-License-Identifier: Apache-2.0
// The limit of open files, which is the process's: each test has a process of its own.
#include "base/file_limit.h"

#include <fcntl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>
#include <catch2/catch.hpp>

#include <functional>

using namespace dtrace;

namespace {

bool holds_in_child(const std::function<bool()> &claim) {
  const pid_t child = fork();
  if (child == 0) _exit(claim() ? 0 : 1);
  int status = 0;
  waitpid(child, &status, 0);
  return WIFEXITED(status) && WEXITSTATUS(status) == 0;
}

rlimit now() {
  rlimit limit{};
  getrlimit(RLIMIT_NOFILE, &limit);
  return limit;
}

void set(rlim_t soft, rlim_t hard) {
  const rlimit limit{soft, hard};
  setrlimit(RLIMIT_NOFILE, &limit);
}

}  // namespace

TEST_CASE("file limit: the soft one is raised to the hard one, and back", "[file_limit]") {
  CHECK(holds_in_child([] {
    set(64, 128);
    raise_file_limit();
    if (now().rlim_cur != 128 || now().rlim_max != 128 || file_limit() != 128) return false;
    restore_file_limit();
    return now().rlim_cur == 64 && now().rlim_max == 128;
  }));
}

TEST_CASE("file limit: one that was not raised stays", "[file_limit]") {
  CHECK(holds_in_child([] {
    set(100, 100);
    raise_file_limit();
    raise_file_limit_to(50);
    restore_file_limit();
    return now().rlim_cur == 100 && now().rlim_max == 100;
  }));
}

TEST_CASE("file limit: descriptors are scarce when a quarter is left", "[file_limit]") {
  CHECK(holds_in_child([] {
    set(64, 64);
    if (are_descriptors_scarce()) return false;
    int last = 0;
    while (last < 48) last = dup(STDERR_FILENO);
    if (!are_descriptors_scarce()) return false;
    while (dup(STDERR_FILENO) >= 0) {
    }
    return are_descriptors_scarce();
  }));
}
