// SPDX-License-Identifier: Apache-2.0
// Sources: arch/arm64/include/asm/ptrace.h (struct pt_regs) and asm-generic/unistd.h.
#include "arch/machine.h"

#include <elf.h>

#include <array>

namespace dtrace::arch {
namespace {

constexpr uint32_t kWordBytes = 8;
constexpr uint32_t x(uint32_t number) { return number * kWordBytes; }
constexpr uint32_t kSp = x(31), kPc = x(32), kPstate = x(33), kOrigX0 = x(34), kSyscallNumber = x(35);

constexpr std::array<uint32_t, 8> kFunctionArguments = {x(0), x(1), x(2), x(3), x(4), x(5), x(6), x(7)};
/// The result of the call is written to x0.
constexpr uint32_t kSystemCallArguments[] = {kOrigX0, x(1), x(2), x(3), x(4), x(5)};

/// By DWARF's numbers: x0 to x30, sp.
constexpr std::array<uint32_t, 32> kDwarfOffsets = [] {
  std::array<uint32_t, 32> offsets{};
  for (uint32_t i = 0; i < offsets.size(); ++i) offsets[i] = x(i);
  return offsets;
}();

constexpr std::string_view kDwarfNames[] = {"x0",  "x1",  "x2",  "x3",  "x4",  "x5",  "x6",  "x7",  "x8",  "x9",  "x10",
                                            "x11", "x12", "x13", "x14", "x15", "x16", "x17", "x18", "x19", "x20", "x21",
                                            "x22", "x23", "x24", "x25", "x26", "x27", "x28", "x29", "x30", "sp"};

constexpr uint64_t kExceptionLevel = 0xf;  // of pstate; 0: user mode
constexpr uint64_t k32bit = 0x10;

constexpr uint32_t kInstructionBytes = 4;

/// BTI with any of its targets.
bool is_landing_pad(uint32_t word) { return (word & ~0xc0U) == 0xd503241f; }

/// A function begins with a landing pad, if the kernel has them, then two instructions of the function tracer, of which
/// the second is its call.
uint32_t bytes_before_call(uint32_t word) { return (is_landing_pad(word) ? 2 : 1) * kInstructionBytes; }

constexpr CodePattern kCallInstructions[] = {
    {0xfc000000, 0x94000000},  // BL
    {0xfffffc1f, 0xd63f0000},  // BLR
    {0xfffff81f, 0xd63f081f},  // BLRAAZ, BLRABZ
    {0xfffff800, 0xd73f0800},  // BLRAA, BLRAB
};

constexpr SystemCall kSystemCalls[] = {
#define SYSCALL(number, name, kernel_name, widths) {number, #name, #kernel_name, #widths},
#include "arch/aarch64/system_calls.def"
};

FunctionSlot function_slot(uint32_t relocation_type) {
  switch (relocation_type) {
    case R_AARCH64_IRELATIVE:
      return FunctionSlot::kResolved;
    case R_AARCH64_JUMP_SLOT:
    case R_AARCH64_GLOB_DAT:
      return FunctionSlot::kFunction;
    default:
      return FunctionSlot::kNone;
  }
}

}  // namespace

const Machine kAarch64{
    .name = "aarch64",
    .elf_machine = EM_AARCH64,
    .registers = {.size_bytes = kOrigX0 + kWordBytes,
                  .instruction = kPc,
                  .stack = kSp,
                  .result = x(0),
                  .second_result = x(1),
                  .function_arguments = kFunctionArguments,
                  .system_call_arguments = kSystemCallArguments,
                  .system_call_number = kSyscallNumber,
                  .system_call_number_bytes = 4,
                  .return_address = x(30),
                  .stack_arguments = 0,
                  .in_user_mode = {.offset = kPstate, .size_bytes = 8, .mask = kExceptionLevel, .value = 0},
                  .in_32bit_program = {.offset = kPstate, .size_bytes = 8, .mask = k32bit, .value = k32bit}},
    .task_registers = {},
    // Kept when the thread leaves the CPU: a thread that has not left it yet has the value of its start there.
    .thread_pointer = {.member = "thread.uw.tp_value", .member_of_32bit = nullptr, .bits_of_32bit = {}},
    .skipped_frames = {.test_run = 4, .tracepoint = 4, .trampoline = 3},
    .frame_registers =
        {.know_managed = true, .stack = 31, .frame = 29, .other = 19, .offsets = kDwarfOffsets, .names = kDwarfNames},
    .landing_mark = {.word_before_bytes = 2 * kInstructionBytes, .bytes_before = bytes_before_call},
    .system_calls = kSystemCalls,
    .call_function_prefix = "__arm64_sys_",
    .narrow_calls = {},
    .children_return = false,
    .repeats_watched = true,
    .tag_bits = 8,
    .calls = kAarch64Calls,
    .function_slot = function_slot,
    .call_instructions = kCallInstructions,
};

}  // namespace dtrace::arch
