// SPDX-License-Identifier: Apache-2.0
// Families of processes, with the kernel's own forks and a table that has no room.
#include <bpf/bpf.h>
#include <signal.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>
#include <catch2/catch.hpp>

#include <algorithm>
#include <vector>

#include "base/owned.h"
#include "runtime/user/followed_processes.h"
#include "test/unit/runtime/kernel_lacks.h"

using namespace dtrace;
using namespace dtrace::runtime;

namespace {

/// Children that do nothing until they are ended.
class Children {
 public:
  ~Children() { end(); }
  void fork_one() {
    const pid_t pid = fork();
    if (pid == 0)
      for (;;) pause();
    pids_.push_back(pid);
  }
  void end() {
    for (const pid_t pid : pids_) {
      kill(pid, SIGKILL);
      waitpid(pid, nullptr, 0);
    }
    pids_.clear();
  }
  const std::vector<pid_t> &pids() const { return pids_; }

 private:
  std::vector<pid_t> pids_;
};

uint32_t own_namespace() {
  struct stat info{};
  return stat("/proc/self/ns/pid", &info) == 0 ? static_cast<uint32_t>(info.st_ino) : 0;
}

}  // namespace

TEST_CASE("followed: children for which there is no room are counted, and only those", "[followed]") {
  SKIP_WITHOUT(kBpf);
  constexpr uint32_t kRoom = 3;  // for us and two children
  LIBBPF_OPTS(bpf_map_create_opts, options, .map_flags = BPF_F_NO_PREALLOC);
  const Fd table(bpf_map_create(BPF_MAP_TYPE_HASH, "dt_family", sizeof(uint32_t), sizeof(uint64_t), kRoom, &options));
  if (!table) {
    WARN("skipped: the kernel gives no maps to this user");
    return;
  }
  FollowedProcesses followed;
  REQUIRE(followed.add(getpid()));
  const Result<Unit> started = followed.start(table.get(), own_namespace());
  INFO((started ? "" : started.error().text()));
  REQUIRE(started);
  Children children;
  children.fork_one();
  children.fork_one();
  CHECK(followed.take_left_out() == 0);
  CHECK(followed.members(getpid()) == std::vector<pid_t>{getpid(), children.pids()[0], children.pids()[1]});
  for (int i = 0; i < 3; ++i) children.fork_one();
  CHECK(followed.take_left_out() == 3);
  CHECK(followed.take_left_out() == 0);
  CHECK(followed.members(getpid()).size() == kRoom);
  CHECK_FALSE(followed.contains(getpid(), children.pids().back()));
  children.end();
  CHECK(followed.members(getpid()) == std::vector<pid_t>{getpid()});
  children.fork_one();  // the dead have left room
  CHECK(followed.take_left_out() == 0);
  CHECK(followed.contains(getpid(), children.pids().back()));
}
