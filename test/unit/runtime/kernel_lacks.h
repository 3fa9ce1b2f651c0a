// SPDX-License-Identifier: Apache-2.0
// Features of the kernel that tests need, and that an emulator of programs (qemu-user) may not have. A test asks for
// each, so that it runs wherever it can.
#pragma once

#include <fcntl.h>
#include <linux/bpf.h>
#include <linux/openat2.h>
#include <sys/mman.h>
#include <sys/ptrace.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <catch2/catch.hpp>
#include <cerrno>

#include "base/owned.h"

namespace dtrace::runtime {

struct KernelFeature {
  const char *name;
  bool (*is_there)();
};

inline constexpr KernelFeature kPtrace{"ptrace(2)", [] {
                                         errno = 0;
                                         // A process that is not stopped is ESRCH.
                                         ::ptrace(PTRACE_CONT, ::getpid(), nullptr, nullptr);
                                         return errno != ENOSYS;
                                       }};

inline constexpr KernelFeature kOpenInRoot{
    "openat2(2)", [] {
      open_how how{};
      how.flags = O_PATH | O_CLOEXEC;
      return static_cast<bool>(Fd(static_cast<int>(::syscall(SYS_openat2, AT_FDCWD, "/", &how, sizeof how))));
    }};

inline constexpr KernelFeature kBpf{"bpf(2)", [] {
                                      errno = 0;
                                      ::syscall(SYS_bpf, BPF_MAP_CREATE, nullptr, 0);
                                      return errno != ENOSYS;
                                    }};

/// posix_spawn(3) learns from it that a program is not there.
inline constexpr KernelFeature kSharingVfork{"vfork(2) with the parent's memory", [] {
                                               volatile int written = 0;
                                               const auto child = static_cast<pid_t>(::vfork());
                                               if (child == 0) {
                                                 written = 1;
                                                 ::_exit(0);
                                               }
                                               ::waitpid(child, nullptr, 0);
                                               return written == 1;
                                             }};

inline constexpr KernelFeature kPopulate{
    "mmap(2) with MAP_POPULATE", [] {
      const auto bytes = static_cast<size_t>(::sysconf(_SC_PAGESIZE));
      void *page = ::mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_POPULATE, -1, 0);
      unsigned char is_resident = 0;
      const bool is_known = page != MAP_FAILED && ::mincore(page, bytes, &is_resident) == 0;
      if (page != MAP_FAILED) ::munmap(page, bytes);
      return !is_known || (is_resident & 1) != 0;
    }};

inline constexpr KernelFeature kExecutesOwnMachine{"execve(2) of programs of this machine", [] {
                                                     const auto child = static_cast<pid_t>(::fork());
                                                     if (child == 0) {
                                                       const int null = ::open("/dev/null", O_RDWR);
                                                       ::dup2(null, 1);
                                                       ::execl("/proc/self/exe", "unit", "--libidentify",
                                                               static_cast<char *>(nullptr));
                                                       ::_exit(127);
                                                     }
                                                     int status = 0;
                                                     ::waitpid(child, &status, 0);
                                                     return WIFEXITED(status) && WEXITSTATUS(status) != 127;
                                                   }};

}  // namespace dtrace::runtime

/// Ends the test case where the kernel lacks the feature.
#define SKIP_WITHOUT(feature)                                                                     \
  if (!(feature).is_there()) {                                                                    \
    WARN("skipped: " << (feature).name << " is not there; qemu-user, for one, does not have it"); \
    return;                                                                                       \
  }
