// SPDX-License-Identifier: Apache-2.0
#include "usdt/stub_code.h"

namespace dtrace::usdt {
namespace {

using namespace std::string_view_literals;

// <elf.h> of the oldest system we build on lacks some of these.
constexpr uint32_t kX86Feature1And = 0xc0000002;      // GNU_PROPERTY_X86_FEATURE_1_AND
constexpr uint32_t kX86Bits = 0x1 | 0x2;              // IBT, SHSTK
constexpr uint32_t kAarch64Feature1And = 0xc0000000;  // GNU_PROPERTY_AARCH64_FEATURE_1_AND
constexpr uint32_t kAarch64Bits = 0x1 | 0x2 | 0x4;    // BTI, PAC, GCS

const MachineCode kAmd64{EM_X86_64,
                         "\xf3\x0f\x1e\xfa"  // endbr64: the call may be indirect
                         "\x90"              // nop
                         "\xc3"sv,           // ret
                         4,
                         "\xf3\x0f\x1e\xfa"              // endbr64
                         "\x0f\xb7\x05\x00\x00\x00\x00"  // movzwl semaphore(%rip), %eax
                         "\xc3"sv,
                         {{7, R_X86_64_PC32, -4}},
                         R_X86_64_32,
                         R_X86_64_64,
                         16,
                         kX86Feature1And,
                         kX86Bits};

// The address is taken relative to a return address, and by a call that returns: shadow stacks stay whole.
const MachineCode kI386{EM_386,
                        "\xf3\x0f\x1e\xfb"  // endbr32
                        "\x90"
                        "\xc3"sv,
                        4,
                        "\xf3\x0f\x1e\xfb"              // endbr32
                        "\xe8\x08\x00\x00\x00"          // call 1f
                        "\x0f\xb7\x81\x00\x00\x00\x00"  // movzwl semaphore-.(%ecx), %eax; ecx is where this begins
                        "\xc3"
                        "\x8b\x0c\x24"  // 1: mov (%esp), %ecx
                        "\xc3"sv,
                        {{12, R_386_PC32, 3}},  // counted from the field, 3 bytes after where ecx points
                        R_386_32,
                        0,
                        16,
                        kX86Feature1And,
                        kX86Bits};

const MachineCode kAarch64{EM_AARCH64,
                           "\x5f\x24\x03\xd5"     // bti c
                           "\x1f\x20\x03\xd5"     // nop
                           "\xc0\x03\x5f\xd6"sv,  // ret
                           4,
                           "\x5f\x24\x03\xd5"  // bti c
                           "\x00\x00\x00\x90"  // adrp x0, semaphore
                           "\x00\x00\x40\x79"  // ldrh w0, [x0, :lo12:semaphore]
                           "\xc0\x03\x5f\xd6"sv,
                           {{4, R_AARCH64_ADR_PREL_PG_HI21, 0}, {8, R_AARCH64_LDST16_ABS_LO12_NC, 0}},
                           R_AARCH64_ABS32,
                           R_AARCH64_ABS64,
                           16,
                           kAarch64Feature1And,
                           kAarch64Bits};

}  // namespace

std::string copies_of_reals(uint16_t machine, const std::vector<unsigned> &sizes_bytes) {
  std::string code;
  for (unsigned i = 0; i < sizes_bytes.size(); ++i) {
    const bool is_double = sizes_bytes[i] == 8;
    if (machine == EM_X86_64) {
      // movsd or movss %xmm<i>, -8*(i+1)(%rsp)
      code += {is_double ? '\xf2' : '\xf3',      '\x0f', '\x11',
               static_cast<char>(0x44 | i << 3), '\x24', static_cast<char>(-8 * (static_cast<int>(i) + 1))};
    } else if (machine == EM_AARCH64) {
      // fmov x<9+i>, d<i> or fmov w<9+i>, s<i>
      const uint32_t word = (is_double ? 0x9e660000 : 0x1e260000) | i << 5 | (9 + i);
      for (int byte = 0; byte < 4; ++byte) code += static_cast<char>(word >> 8 * byte);
    }
  }
  return code;
}

const MachineCode *machine_code(const Target &target) {
  if (target.big_endian) return nullptr;
  for (const MachineCode *code : {&kAmd64, &kI386, &kAarch64})
    if (code->machine == target.machine) return code;
  return nullptr;
}

}  // namespace dtrace::usdt
