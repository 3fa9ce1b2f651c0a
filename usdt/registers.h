// SPDX-License-Identifier: Apache-2.0
// Names of registers as argument strings write them, and where the kernel keeps the registers at a probe.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

#include "usdt/elf_file.h"

namespace dtrace::usdt {

struct RegisterPlace {
  uint16_t offset = 0;     ///< of the whole register in struct pt_regs of the machine's 64-bit kernel
  uint8_t shift_bits = 0;  ///< %ah and its like: 8
  uint8_t size_bytes = 8;  ///< of the name: %eax has 4
};

/// `name` without `%`. The instruction pointer is "rip", "eip" or "pc". Nothing: no general register of that name.
std::optional<RegisterPlace> find_register(Machine machine, std::string_view name);

/// The instruction pointer.
uint16_t instruction_pointer(Machine machine);
uint16_t stack_pointer(Machine machine);

/// The register that holds the high half of a value too wide for the one at `low`, in the compilers' order.
std::optional<uint16_t> pair_of(Machine machine, uint16_t low);

/// Vector, floating-point and other registers that a probe cannot see.
bool is_unseen_register(Machine machine, std::string_view name);

}  // namespace dtrace::usdt
