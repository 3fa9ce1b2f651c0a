// SPDX-License-Identifier: Apache-2.0
// DTRACE_MACHINE_CODE names the table of the folder that the build chose.
#include <elf.h>

#include "arch/machine_code.h"

namespace dtrace::arch {

extern const MachineCode DTRACE_MACHINE_CODE;

const MachineCode &machine_code_of(uint16_t elf_machine) {
  switch (elf_machine) {
    case EM_386:
    case EM_X86_64:
      return kX86_64Code;
    case EM_AARCH64:
      return kAarch64Code;
    default:
      return DTRACE_MACHINE_CODE;
  }
}

}  // namespace dtrace::arch
