// SPDX-License-Identifier: Apache-2.0
// struct pt_regs of x86-64: byte offsets, part of the kernel's ABI to debuggers and BPF.
#pragma once

#include <cstdint>

namespace dtrace::x86 {

inline constexpr uint32_t kR15 = 0, kR14 = 8, kR13 = 16, kR12 = 24, kBp = 32, kBx = 40, kR11 = 48, kR10 = 56, kR9 = 64,
                          kR8 = 72, kAx = 80, kCx = 88, kDx = 96, kSi = 104, kDi = 112, kOrigAx = 120, kIp = 128,
                          kCs = 136, kFlags = 144, kSp = 152, kSs = 160;
inline constexpr uint32_t kRegisterBytes = 168;

/// Where a system call's arguments lie.
inline constexpr uint32_t kSyscallArgs[6] = {kDi, kSi, kDx, kR10, kR8, kR9};

/// Where a function's first arguments lie when it is entered; the rest are on the stack behind the return address.
inline constexpr uint32_t kFunctionArgs[6] = {kDi, kSi, kDx, kCx, kR8, kR9};

inline constexpr uint16_t kUser32Segment = 0x23;

}  // namespace dtrace::x86
