// SPDX-License-Identifier: Apache-2.0
// What an object of `dtrace -G` is for: the fields of an ELF header that the linker compares.
#pragma once

#include <elf.h>

#include <cstdint>
#include <string_view>

namespace dtrace::usdt {

struct Target {
  bool is_64 = true;
  bool big_endian = false;
  uint16_t machine = EM_X86_64;
  uint32_t flags = 0;  ///< e_flags: the floating-point ABI and the like
  uint8_t os_abi = ELFOSABI_NONE;

  unsigned address_bytes() const { return is_64 ? 8 : 4; }
  friend bool operator==(const Target &, const Target &) = default;
};

/// The machine this program was built for.
Target host_target();

/// In:      `compiler` and `flags` as $CC and $CFLAGS hold them: "aarch64-linux-gnu-gcc -pipe", "-O2 -m32".
/// Out:     the target that they name, else `fallback`.
Target target_of_compiler(std::string_view compiler, std::string_view flags, Target fallback);

/// The 32- or 64-bit sibling of a target: i386 for x86-64; others keep their machine.
Target with_class(Target target, bool is_64);

}  // namespace dtrace::usdt
