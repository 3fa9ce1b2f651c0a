// SPDX-License-Identifier: Apache-2.0
// The filter in a child: what is left works, what is not fails.
#include "exporter/system_calls.h"

#include <fcntl.h>
#include <netdb.h>
#include <sys/ioctl.h>
#include <sys/prctl.h>
#include <sys/ptrace.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <catch2/catch.hpp>
#include <cerrno>
#include <csignal>
#include <functional>
#include <thread>

#include "test/unit/exporter/in_child.h"

using namespace dtrace;
using namespace dtrace::exporter;

namespace {

constexpr int kNoFilter = 99;

/// 0: `works` is true behind the filter.
int behind_filter(const std::function<bool()> &works) {
  return in_child([&] {
    if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) != 0 || !restrict_system_calls()) return kNoFilter;
    return works() ? 0 : 1;
  });
}

bool is_supported() {
  if (behind_filter([] { return true; }) != kNoFilter) return true;
  WARN("skipped: seccomp is not supported here (qemu-user)");
  return false;
}

/// The call is none that is left.
bool is_refused(long result) { return result == -1 && errno == ENOSYS; }

struct Case {
  const char *name;
  bool (*works)();
};

bool opens(int flags) {
  const long fd = syscall(SYS_openat, AT_FDCWD, "/dev/null", flags, 0600);
  return fd >= 0;
}

bool resolves() {
  addrinfo *found = nullptr;
  if (getaddrinfo("localhost", "80", nullptr, &found) != 0) return false;
  freeaddrinfo(found);
  return true;
}

bool runs_threads() {
  int answer = 0;
  std::thread([&] { answer = resolves() ? 42 : 1; }).join();
  return answer == 42;
}

const Case kLeft[] = {
    {"reads files", [] { return opens(O_RDONLY | O_CLOEXEC); }},
    {"IPv4", [] { return socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0) >= 0; }},
    {"netlink", [] { return socket(AF_NETLINK, SOCK_RAW | SOCK_CLOEXEC, 0) >= 0; }},
    {"threads that resolve names", runs_threads},
    {"bytes that wait",
     [] {
       int ends[2] = {}, count = -1;
       return socketpair(AF_UNIX, SOCK_STREAM, 0, ends) == 0 && ioctl(ends[0], FIONREAD, &count) == 0 && count == 0;
     }},
};

char *const kNoWords[] = {nullptr};
const Case kGone[] = {
    {"starts no programs", [] { return is_refused(execve("/bin/true", kNoWords, kNoWords)); }},
    {"makes no processes", [] { return is_refused(syscall(SYS_clone, SIGCHLD, 0, 0, 0, 0)); }},
    {"clone3", [] { return is_refused(syscall(SYS_clone3, nullptr, 0)); }},
    {"opens nothing to write", [] { return !opens(O_WRONLY) && errno == ENOSYS; }},
    {"opens nothing to read and write", [] { return !opens(O_RDWR) && errno == ENOSYS; }},
    {"creates nothing", [] { return !opens(O_RDONLY | O_CREAT) && errno == ENOSYS; }},
    {"truncates nothing", [] { return !opens(O_RDONLY | O_TRUNC) && errno == ENOSYS; }},
    {"packets", [] { return is_refused(socket(AF_PACKET, SOCK_RAW, 0)); }},
    {"no signals to others", [] { return is_refused(kill(getppid(), 0)); }},
    {"no signals to threads of others", [] { return is_refused(syscall(SYS_tgkill, getppid(), getppid(), 0)); }},
    {"no limits of others",
     [] { return is_refused(syscall(SYS_prlimit64, getppid(), RLIMIT_CORE, nullptr, nullptr)); }},
    {"ptrace", [] { return is_refused(ptrace(PTRACE_TRACEME, 0, nullptr, nullptr)); }},
    {"bpf", [] { return is_refused(syscall(SYS_bpf, 0, nullptr, 0)); }},
    {"unlink", [] { return is_refused(unlinkat(AT_FDCWD, "/nowhere", 0)); }},
    {"terminals", [] { return is_refused(ioctl(0, TIOCSTI, "x")); }},
    {"dumpable again", [] { return is_refused(prctl(PR_SET_DUMPABLE, 1, 0, 0, 0)); }},
};

}  // namespace

TEST_CASE("filter: what the libraries of HTTP and TLS need is left") {
  if (!is_supported()) return;
  for (const Case &one : kLeft) {
    INFO(one.name);
    CHECK(behind_filter(one.works) == 0);
  }
}

TEST_CASE("filter: what they do not need is gone") {
  if (!is_supported()) return;
  for (const Case &one : kGone) {
    INFO(one.name);
    CHECK(behind_filter(one.works) == 0);
  }
}

TEST_CASE("filter: threads that are made later have it, too") {
  if (!is_supported()) return;
  CHECK(behind_filter([] {
          bool refused = false;
          std::thread([&] { refused = is_refused(execve("/bin/true", kNoWords, kNoWords)); }).join();
          return refused;
        }) == 0);
}
