// SPDX-License-Identifier: Apache-2.0
#include <sys/ptrace.h>
#include <sys/user.h>

#include <cerrno>
#include <cstddef>

#include "arch/machine.h"

namespace dtrace::arch {
namespace {

constexpr uint8_t kInt3[] = {0xcc};

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

}  // namespace

extern const ProcessControl kX86_64Process;  // for host_process_control()
const ProcessControl kX86_64Process{.breakpoint = kInt3,
                                    .breakpoint_advance_bytes = 1,
                                    .program_counter = offsetof(user_regs_struct, rip),
                                    .first_argument = offsetof(user_regs_struct, rdi),
                                    .steps_over_processor_breakpoint = true,
                                    .get_register = get_register,
                                    .set_register = set_register,
                                    .set_processor_breakpoint = set_processor_breakpoint};

}  // namespace dtrace::arch
