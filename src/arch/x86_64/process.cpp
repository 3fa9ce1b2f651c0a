// SPDX-License-Identifier: Apache-2.0
#include <sys/ptrace.h>
#include <sys/user.h>

#include <cerrno>
#include <cstddef>

#include "arch/machine.h"

namespace dtrace::arch {
namespace {

constexpr uint8_t kInt3[] = {0xcc};
constexpr uint8_t kHlt[] = {0xf4};

// PTRACE_GETREGSET would give the registers of a 32-bit process in that machine's layout.

bool get_register(pid_t pid, uint32_t offset, uint64_t &value) {
  errno = 0;
  value = static_cast<uint64_t>(::ptrace(PTRACE_PEEKUSER, pid, offsetof(user, regs) + offset, nullptr));
  return errno == 0;
}

bool set_register(pid_t pid, uint32_t offset, uint64_t value) {
  return ::ptrace(PTRACE_POKEUSER, pid, offsetof(user, regs) + offset, value) == 0;
}

constexpr size_t kProcessorBreakpoints = 4;

bool set_processor_breakpoints(pid_t pid, std::span<const uint64_t> addresses) {
  const auto put = [pid](size_t number, uint64_t value) {
    return ::ptrace(PTRACE_POKEUSER, pid, offsetof(user, u_debugreg) + number * sizeof(long), value) == 0;
  };
  // Disabled while addresses change. Bit 2n of debug register 7 enables breakpoint n, for one byte, when it is
  // executed.
  if (!put(7, 0)) return false;
  uint64_t enabled = 0;
  for (size_t i = 0; i < addresses.size(); ++i) {
    if (!put(i, addresses[i])) return false;
    enabled |= uint64_t{1} << 2 * i;
  }
  return put(7, enabled);
}

}  // namespace

extern const ProcessControl kX86_64Process;  // for host_process_control()
const ProcessControl kX86_64Process{.breakpoint = kInt3,
                                    .breakpoint_advance_bytes = 1,
                                    .privileged = kHlt,
                                    .program_counter = offsetof(user_regs_struct, rip),
                                    .first_argument = offsetof(user_regs_struct, rdi),
                                    .steps_over_processor_breakpoint = true,
                                    .get_register = get_register,
                                    .set_register = set_register,
                                    .probes_take_traps = true,
                                    .nr_processor_breakpoints = kProcessorBreakpoints,
                                    .set_processor_breakpoints = set_processor_breakpoints};

}  // namespace dtrace::arch
