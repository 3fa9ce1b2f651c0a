// SPDX-License-Identifier: Apache-2.0
#include "runtime/attach/attach_shield.h"

#include <sched.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <cerrno>
#include <csignal>

#include "base/owned.h"
#include "runtime/attach/clone_outside.h"

namespace dtrace::runtime {
namespace {

constexpr size_t kStackBytes = 256 * 1024;
constexpr size_t kCloserStackBytes = 16 * 1024;
constexpr size_t kMaxClosers = 64;
constexpr int kShared = CLONE_VM | CLONE_FILES | CLONE_FS;

Mapping make_stack(size_t size_bytes) {
  void *stack =
      mmap(nullptr, size_bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_STACK | MAP_NORESERVE, -1, 0);
  return stack == MAP_FAILED ? Mapping() : Mapping(stack, size_bytes);
}

// The process whose threads wait in run_shielded(); in `work`, which shares our memory, it is the parent.
std::atomic<pid_t> waiting{0};

struct Shielded {
  const std::function<void()> &work;
  const Fd *cgroup = nullptr;  // to go to before anything else
  std::atomic<bool> has_begun = false;
};

int shielded_main(void *argument) {
  auto &shielded = *static_cast<Shielded *>(argument);
  shielded.has_begun = true;
  if (shielded.cgroup != nullptr) move_into(*shielded.cgroup);
  // A signal to the group or session of dtrace, and `killall -9 dtrace`, must not reach this process.
  setsid();
  prctl(PR_SET_NAME, "uprobe-setter");
  shielded.work();
  return 0;
}

struct Closer {
  std::span<const int> fds;
  size_t first = 0, step = 1;
};

int closer_main(void *argument) {
  // close(3) is a cancellation point and writes to the thread's own memory, which closers share.
  const Closer &closer = *static_cast<const Closer *>(argument);
  for (size_t i = closer.first; i < closer.fds.size(); i += closer.step) syscall(SYS_close, closer.fds[i]);
  return 0;
}

void wait_for(pid_t child) {
  while (waitpid(child, nullptr, __WALL) < 0 && errno == EINTR) {
  }
}

}  // namespace

void run_shielded(const std::function<void()> &work) {
  waiting = getpid();
  const Mapping stack = make_stack(kStackBytes);
  if (!stack) return work();
  sigset_t all, before;
  sigfillset(&all);
  pthread_sigmask(SIG_SETMASK, &all, &before);
  // CLONE_VFORK: our thread lends its thread-local memory, errno above all, and must not use it meanwhile.
  Shielded shielded{work};
  const std::span<std::byte> room(static_cast<std::byte *>(stack.data()), stack.size_bytes());
  const auto wait_for_shielded = [](long child) {
    if (child > 0) wait_for(static_cast<pid_t>(child));
  };
  const Fd root = open_root_cgroup();
  const long outside = clone_into(root, kShared, room, shielded_main, &shielded);
  wait_for_shielded(outside);
  if (!shielded.has_begun) {
    // From a cgroup that was ever killed, kernels kill at its birth what is born into another one.
    if (outside > 0) shielded.cgroup = &root;
    wait_for_shielded(clone(shielded_main, room.data() + room.size(), kShared | CLONE_VFORK, &shielded));
  }
  pthread_sigmask(SIG_SETMASK, &before, nullptr);
  if (!shielded.has_begun) work();
}

bool is_abandoned() {
  const pid_t ours = waiting;
  return getpid() != ours && getppid() != ours;
}

void close_together(std::span<const int> fds) {
  const size_t nr_closers = std::min(fds.size(), kMaxClosers);
  Closer alone{fds};
  const Mapping stacks = nr_closers > 1 ? make_stack(nr_closers * kCloserStackBytes) : Mapping();
  if (!stacks) {
    closer_main(&alone);
    return;
  }
  std::array<Closer, kMaxClosers> closers;
  std::array<pid_t, kMaxClosers> children{};
  for (size_t i = 0; i < nr_closers; ++i) {
    closers[i] = {fds, i, nr_closers};
    char *top = static_cast<char *>(stacks.data()) + (i + 1) * kCloserStackBytes;
    children[i] = clone(closer_main, top, kShared, &closers[i]);
    if (children[i] < 0) closer_main(&closers[i]);
  }
  for (pid_t child : children)
    if (child > 0) wait_for(child);
}

}  // namespace dtrace::runtime
