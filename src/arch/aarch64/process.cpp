// SPDX-License-Identifier: Apache-2.0
#include <elf.h>
#include <sys/ptrace.h>
#include <sys/uio.h>
#include <sys/user.h>

#include <cerrno>
#include <cstddef>
#include <cstring>

#include "arch/machine.h"

namespace dtrace::arch {
namespace {

constexpr uint8_t kBrk[] = {0x00, 0x00, 0x20, 0xd4};

/// The kernel gives the registers of a 32-bit process in that machine's layout, which is shorter.
bool get_registers(pid_t pid, user_regs_struct &registers) {
  iovec part{&registers, sizeof registers};
  if (::ptrace(PTRACE_GETREGSET, pid, NT_PRSTATUS, &part) != 0) return false;
  errno = ENOTSUP;
  return part.iov_len == sizeof registers;
}

bool get_register(pid_t pid, uint32_t offset, uint64_t &value) {
  user_regs_struct registers;
  if (!get_registers(pid, registers)) return false;
  std::memcpy(&value, reinterpret_cast<const char *>(&registers) + offset, sizeof value);
  return true;
}

bool set_register(pid_t pid, uint32_t offset, uint64_t value) {
  user_regs_struct registers;
  if (!get_registers(pid, registers)) return false;
  std::memcpy(reinterpret_cast<char *>(&registers) + offset, &value, sizeof value);
  iovec part{&registers, sizeof registers};
  return ::ptrace(PTRACE_SETREGSET, pid, NT_PRSTATUS, &part) == 0;
}

/// The first breakpoint of struct user_hwdebug_state of <asm/ptrace.h>, whose other names clash with <sys/ptrace.h>.
struct Breakpoints {
  uint32_t info, padding;
  uint64_t address;
  uint32_t control, padding2;
};

bool set_processor_breakpoints(pid_t pid, std::span<const uint64_t> addresses) {
  constexpr uint32_t kEnabled = 1, kInUserMode = 2 << 1, kFourBytes = 0xf << 5;
  const uint64_t address = addresses.empty() ? 0 : addresses.front();
  Breakpoints wanted{0, 0, address, address != 0 ? kEnabled | kInUserMode | kFourBytes : 0, 0};
  iovec part{&wanted, sizeof wanted};
  return ::ptrace(PTRACE_SETREGSET, pid, NT_ARM_HW_BREAK, &part) == 0;
}

}  // namespace

extern const ProcessControl kAarch64Process;  // for host_process_control()
const ProcessControl kAarch64Process{.breakpoint = kBrk,
                                     .breakpoint_advance_bytes = 0,
                                     .privileged = {},
                                     .program_counter = offsetof(user_regs_struct, pc),
                                     .first_argument = offsetof(user_regs_struct, regs),
                                     .steps_over_processor_breakpoint = false,
                                     .get_register = get_register,
                                     .set_register = set_register,
                                     .probes_take_traps = false,
                                     .nr_processor_breakpoints = 1,
                                     .set_processor_breakpoints = set_processor_breakpoints};

}  // namespace dtrace::arch
