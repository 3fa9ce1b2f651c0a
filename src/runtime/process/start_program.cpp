// SPDX-License-Identifier: Apache-2.0
#include "runtime/process/start_program.h"

#include <sched.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <csignal>

#include "base/file_limit.h"
#include "base/owned.h"

extern char **environ;

namespace dtrace::runtime {
namespace {

constexpr size_t kStackBytes = 256 * 1024;

struct Request {
  const char *program;
  char *const *argv;
  const std::function<bool()> &prepare;
  sigset_t mask;
  int error = 0;
};

int child_main(void *argument) {
  Request &request = *static_cast<Request *>(argument);
  for (int number = 1; number < NSIG; ++number) {
    struct sigaction action{};
    if (::sigaction(number, nullptr, &action) != 0 || action.sa_handler == SIG_IGN) continue;
    action = {};  // SIG_DFL
    ::sigaction(number, &action, nullptr);
  }
  restore_file_limit();
  if (!request.prepare()) return 127;
  ::sigprocmask(SIG_SETMASK, &request.mask, nullptr);
  ::execvpe(request.program, request.argv, environ);
  request.error = errno;
  return 127;
}

}  // namespace

Result<pid_t> start_program(const char *program, char *const *argv, const std::function<bool()> &prepare,
                            const std::function<void(pid_t)> &started) {
  void *memory = ::mmap(nullptr, kStackBytes, PROT_READ | PROT_WRITE,
                        MAP_PRIVATE | MAP_ANONYMOUS | MAP_STACK | MAP_NORESERVE, -1, 0);
  if (memory == MAP_FAILED) return Error::from_errno("mmap", errno);
  const Mapping stack(memory, kStackBytes);
  Request request{program, argv, prepare, {}};
  sigset_t all;
  ::sigfillset(&all);
  ::pthread_sigmask(SIG_SETMASK, &all, &request.mask);
  // Not fork(2), which copies the tables of all our memory.
  const pid_t pid = ::clone(child_main, static_cast<char *>(stack.data()) + stack.size_bytes(),
                            CLONE_VM | CLONE_VFORK | SIGCHLD, &request);
  const int error = pid < 0 ? errno : request.error;
  if (pid > 0 && error == 0 && started) started(pid);
  ::pthread_sigmask(SIG_SETMASK, &request.mask, nullptr);
  if (pid > 0 && error == 0) return pid;
  while (pid > 0 && ::waitpid(pid, nullptr, 0) < 0 && errno == EINTR) {
  }
  return Error::from_errno(program, error);
}

}  // namespace dtrace::runtime
