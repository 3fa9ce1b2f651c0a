// SPDX-License-Identifier: Apache-2.0
// launch COMMAND ARG...: runs a command and writes one line to descriptor 3: "STATUS START_NS WALL_NS CPU_NS PEAK_KIB".
//
// The harness cannot ask the kernel itself: a process keeps the peak memory of what it was before exec, and a child of
// Python was Python.
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstdio>
#include <ctime>

namespace {

long long now_ns() {
  timespec ts;
  clock_gettime(CLOCK_MONOTONIC, &ts);
  return ts.tv_sec * 1000000000LL + ts.tv_nsec;
}

long long ns_of(const timeval &t) { return t.tv_sec * 1000000000LL + t.tv_usec * 1000LL; }

}  // namespace

int main(int argc, char **argv) {
  if (argc < 2) return 2;
  long long start = now_ns();
  pid_t pid = vfork();
  if (pid == 0) {
    close(3);
    execvp(argv[1], argv + 1);
    _exit(127);
  }
  int status = 0;
  rusage used = {};
  if (pid < 0 || wait4(pid, &status, 0, &used) != pid) return 1;
  long long wall = now_ns() - start;
  int code = WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
  dprintf(3, "%d %lld %lld %lld %ld\n", code, start, wall, ns_of(used.ru_utime) + ns_of(used.ru_stime), used.ru_maxrss);
  return code;
}
