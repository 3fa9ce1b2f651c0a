// SPDX-License-Identifier: Apache-2.0
#include <sys/ptrace.h>
#include <sys/user.h>

#include <cerrno>
#include <cstddef>

#include "arch/x86_64/parts.h"

namespace dtrace::arch::x86_64 {

// PTRACE_GETREGSET would give the registers of a 32-bit process in that machine's layout.

bool get_register(pid_t pid, uint32_t offset, uint64_t &value) {
  errno = 0;
  value = static_cast<uint64_t>(::ptrace(PTRACE_PEEKUSER, pid, offsetof(user, regs) + offset, nullptr));
  return errno == 0;
}

bool set_register(pid_t pid, uint32_t offset, uint64_t value) {
  return ::ptrace(PTRACE_POKEUSER, pid, offsetof(user, regs) + offset, value) == 0;
}

bool set_processor_breakpoint(pid_t pid, uint64_t address) {
  // Disabled while the address changes. Bit 0 of debug register 7 enables the first breakpoint, for one byte, when it
  // is executed.
  const auto put = [pid](size_t number, uint64_t value) {
    return ::ptrace(PTRACE_POKEUSER, pid, offsetof(user, u_debugreg) + number * sizeof(long), value) == 0;
  };
  return put(7, 0) && put(0, address) && put(7, address != 0 ? 1 : 0);
}

}  // namespace dtrace::arch::x86_64
