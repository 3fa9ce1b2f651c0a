// SPDX-License-Identifier: Apache-2.0
// Carries the bitcode: the assembler includes it as bytes, so that no compiler parses them.
#include "bpf/library.h"

asm(".section .rodata.dt_bpf_library,\"a\",@progbits\n"
    ".balign 16\n"
    ".global dt_bpf_library_begin\n"
    "dt_bpf_library_begin:\n"
    ".incbin \"" DT_BPF_LIBRARY_FILE
    "\"\n"
    ".global dt_bpf_library_end\n"
    "dt_bpf_library_end:\n"
    ".byte 0\n"
    ".previous\n");

extern "C" const std::byte dt_bpf_library_begin[], dt_bpf_library_end[];

namespace dtrace {

std::span<const std::byte> bpf_library() { return {dt_bpf_library_begin, dt_bpf_library_end}; }

}  // namespace dtrace
