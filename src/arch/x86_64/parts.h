// SPDX-License-Identifier: Apache-2.0
// Functions of the Machine of x86-64 that have files of their own.
#pragma once

#include <sys/types.h>

#include <cstdint>

namespace dtrace::arch::x86_64 {

// Of ProcessControl.
bool get_register(pid_t pid, uint32_t offset, uint64_t &value);
bool set_register(pid_t pid, uint32_t offset, uint64_t value);
bool set_processor_breakpoint(pid_t pid, uint64_t address);

}  // namespace dtrace::arch::x86_64
