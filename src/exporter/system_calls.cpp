// SPDX-License-Identifier: Apache-2.0
// The filter is written by hand: a list of numbers, and a few tests of one argument. Calls outside the list fail with
// ENOSYS and do not kill: C libraries newer than this list try new calls first and fall back to old ones.
#include "exporter/system_calls.h"

#include <fcntl.h>
#include <linux/audit.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <sched.h>
#include <sys/ioctl.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <cerrno>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace dtrace::exporter {
namespace {

#if defined(__x86_64__)
constexpr uint32_t kArchitecture = AUDIT_ARCH_X86_64;
#elif defined(__aarch64__)
constexpr uint32_t kArchitecture = AUDIT_ARCH_AARCH64;
#endif

/// Call `number` is allowed if the low 32 bits of `argument`, masked, are `value`. Rows of one number are alternatives.
struct Rule {
  uint32_t number;
  int argument = -1;  ///< -1: any arguments
  uint32_t mask = 0;
  uint32_t value = 0;
};

constexpr uint32_t kWhole = ~uint32_t{0};
constexpr uint32_t kWrites = O_ACCMODE | O_CREAT | O_TRUNC;

constexpr Rule kRules[] = {
#define CALL(name) {SYS_##name},
#include "exporter/system_calls.def"
    // Files are read only.
    {SYS_openat, 2, kWrites, O_RDONLY},
#ifdef SYS_open
    {SYS_open, 1, kWrites, O_RDONLY},
#endif
    // Networks, what resolves names (AF_UNIX), and which addresses this machine has (AF_NETLINK).
    {SYS_socket, 0, kWhole, AF_INET},
    {SYS_socket, 0, kWhole, AF_INET6},
    {SYS_socket, 0, kWhole, AF_UNIX},
    {SYS_socket, 0, kWhole, AF_NETLINK},
    {SYS_ioctl, 1, kWhole, FIONREAD},
    {SYS_ioctl, 1, kWhole, FIONBIO},
    // Threads, which resolve names. clone3() hides its flags from filters; C libraries fall back to clone().
    {SYS_clone, 0, CLONE_THREAD, CLONE_THREAD},
    {SYS_prctl, 0, kWhole, PR_SET_NAME},
    // Its own limits.
    {SYS_prlimit64, 0, kWhole, 0},
};

using Program = std::vector<sock_filter>;

void load(Program &program, size_t offset) {
  program.push_back(BPF_STMT(BPF_LD | BPF_W | BPF_ABS, static_cast<uint32_t>(offset)));
}

void answer(Program &program, uint32_t action) { program.push_back(BPF_STMT(BPF_RET | BPF_K, action)); }

/// The next `skipped` instructions run only if the accumulator is `value`.
void skip_unless(Program &program, uint32_t value, uint8_t skipped) {
  program.push_back(BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, value, 0, skipped));
}

/// The accumulator holds the call's number, before and after.
void append(Program &program, const Rule &rule) {
  if (rule.argument < 0) {
    skip_unless(program, rule.number, 1);
    answer(program, SECCOMP_RET_ALLOW);
    return;
  }
  // Both machines are little-endian: the low half of an argument comes first.
  const size_t offset = offsetof(seccomp_data, args) + static_cast<size_t>(rule.argument) * sizeof(uint64_t);
  skip_unless(program, rule.number, 5);
  load(program, offset);
  program.push_back(BPF_STMT(BPF_ALU | BPF_AND | BPF_K, rule.mask));
  skip_unless(program, rule.value, 1);
  answer(program, SECCOMP_RET_ALLOW);
  load(program, offsetof(seccomp_data, nr));
}

Program make_program() {
  Program program;
  // Numbers mean other calls for programs of 32 bits.
  load(program, offsetof(seccomp_data, arch));
  program.push_back(BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, kArchitecture, 1, 0));
  answer(program, SECCOMP_RET_KILL_PROCESS);
  load(program, offsetof(seccomp_data, nr));
  for (const Rule &rule : kRules) append(program, rule);
  // abort() and the like: a signal to itself.
  append(program, {SYS_tgkill, 0, kWhole, static_cast<uint32_t>(getpid())});
  answer(program, SECCOMP_RET_ERRNO | ENOSYS);
  return program;
}

}  // namespace

Result<Unit> restrict_system_calls() {
  Program program = make_program();
  const sock_fprog filter{static_cast<unsigned short>(program.size()), program.data()};
  if (syscall(SYS_seccomp, SECCOMP_SET_MODE_FILTER, SECCOMP_FILTER_FLAG_TSYNC, &filter) != 0)
    return Error::from_errno("cannot restrict its system calls (seccomp)", errno);
  return ok();
}

}  // namespace dtrace::exporter
