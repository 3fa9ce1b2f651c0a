// SPDX-License-Identifier: Apache-2.0
#include "runtime/attach/clone_outside.h"

#include <fcntl.h>
#include <linux/magic.h>
#include <linux/sched.h>
#include <sys/syscall.h>
#include <sys/vfs.h>
#include <unistd.h>

#include <cerrno>
#include <csignal>
#include <cstdint>

namespace dtrace::runtime {
namespace {

/// Where it is mounted: alone, or beside the hierarchies of version 1.
constexpr const char *kRoots[] = {"/sys/fs/cgroup", "/sys/fs/cgroup/unified"};

/// glibc has no clone3(): its child would return on the parent's stack. Here it calls `function` on its own, and never
/// returns. 0 does not come back; a negative number is an error.
long clone3_and_call(clone_args &arguments, int (*function)(void *), void *argument) {
#if defined(__x86_64__)
  long result = SYS_clone3;
  register int (*in_child)(void *) asm("r8") = function;
  register void *its_argument asm("r9") = argument;
  asm volatile(
      "syscall\n\t"
      "test %%rax, %%rax\n\t"
      "jnz 1f\n\t"
      "xor %%ebp, %%ebp\n\t"  // the outermost frame
      "mov %%r9, %%rdi\n\t"
      "call *%%r8\n\t"
      "mov %%eax, %%edi\n\t"
      "mov %[exit], %%eax\n\t"
      "syscall\n\t"
      "1:"
      : "+a"(result)
      : "D"(&arguments), "S"(sizeof arguments), "r"(in_child), "r"(its_argument), [exit] "i"(SYS_exit)
      : "rcx", "r11", "memory", "cc");
  return result;
#elif defined(__aarch64__)
  register long result asm("x0") = reinterpret_cast<long>(&arguments);
  register size_t size asm("x1") = sizeof arguments;
  register long number asm("x8") = SYS_clone3;
  register int (*in_child)(void *) asm("x10") = function;
  register void *its_argument asm("x11") = argument;
  asm volatile(
      "svc #0\n\t"
      "cbnz x0, 1f\n\t"
      "mov x29, xzr\n\t"
      "mov x30, xzr\n\t"
      "mov x0, x11\n\t"
      "blr x10\n\t"
      "mov x8, %[exit]\n\t"
      "svc #0\n\t"
      "1:"
      : "+r"(result)
      : "r"(size), "r"(number), "r"(in_child), "r"(its_argument), [exit] "i"(SYS_exit)
      : "memory", "cc");
  return result;
#else
  (void)arguments, (void)function, (void)argument;
  return -ENOSYS;
#endif
}

}  // namespace

Fd open_root_cgroup() {
  for (const char *path : kRoots) {
    Fd root(open(path, O_PATH | O_DIRECTORY | O_CLOEXEC));
    struct statfs about{};
    if (root && fstatfs(root.get(), &about) == 0 && about.f_type == CGROUP2_SUPER_MAGIC) return root;
  }
  return {};
}

void move_into(const Fd &cgroup) {
  const auto members = static_cast<int>(syscall(SYS_openat, cgroup.get(), "cgroup.procs", O_WRONLY | O_CLOEXEC));
  if (members < 0) return;
  constexpr char kMyself = '0';
  (void)syscall(SYS_write, members, &kMyself, sizeof kMyself);
  syscall(SYS_close, members);
}

long clone_into(const Fd &cgroup, unsigned long flags, std::span<std::byte> stack, int (*function)(void *),
                void *argument) {
  clone_args arguments{};
  arguments.flags = flags | CLONE_INTO_CGROUP | CLONE_VFORK;
  arguments.stack = reinterpret_cast<uint64_t>(stack.data());
  arguments.stack_size = stack.size();
  arguments.cgroup = static_cast<uint64_t>(cgroup.get());
  const long result = cgroup ? clone3_and_call(arguments, function, argument) : -ENOENT;
  if (result >= 0) return result;
  errno = static_cast<int>(-result);
  return -1;
}

}  // namespace dtrace::runtime
