// SPDX-License-Identifier: Apache-2.0
// Sources: arch/x86/include/uapi/asm/ptrace.h (struct pt_regs), asm/unistd_64.h, asm/unistd_32.h.
#include "arch/machine.h"

#include <elf.h>

namespace dtrace::arch {
namespace {

constexpr uint32_t kR15 = 0, kR14 = 8, kR13 = 16, kR12 = 24, kBp = 32, kBx = 40, kR11 = 48, kR10 = 56, kR9 = 64,
                   kR8 = 72, kAx = 80, kCx = 88, kDx = 96, kSi = 104, kDi = 112, kOrigAx = 120, kIp = 128, kCs = 136,
                   kSp = 152;
constexpr uint32_t kRegisterBytes = 168;
constexpr uint32_t kWordBytes = 8;

constexpr uint32_t kFunctionArguments[] = {kDi, kSi, kDx, kCx, kR8, kR9};
constexpr uint32_t kSystemCallArguments[] = {kDi, kSi, kDx, kR10, kR8, kR9};

/// By DWARF's numbers: rax, rdx, rcx, rbx, rsi, rdi, rbp, rsp, r8 to r15, the return address.
constexpr uint32_t kDwarfOffsets[] = {kAx, kDx,  kCx,  kBx,  kSi,  kDi,  kBp,  kSp, kR8,
                                      kR9, kR10, kR11, kR12, kR13, kR14, kR15, kIp};

constexpr std::string_view kDwarfNames[] = {"rax", "rdx", "rcx", "rbx", "rsi", "rdi", "rbp", "rsp", "r8",
                                            "r9",  "r10", "r11", "r12", "r13", "r14", "r15", "rip"};

constexpr uint16_t kUser32Segment = 0x23;

constexpr TaskRegister kTaskRegisters[] = {
    {"thread.ds", 2}, {"thread.es", 2}, {"thread.fsindex", 2}, {"thread.gsindex", 2}, {"thread.trap_nr", 8}};

/// The base address in a segment descriptor.
constexpr BitRange kDescriptorBase[] = {{16, 24, 0}, {56, 8, 24}};

constexpr uint32_t kMarkBytes = 4;

/// ENDBR64, and what newer and older kernels write over those that nobody jumps to.
uint32_t bytes_before_call(uint32_t word) {
  return word == 0xfa1e0ff3 || word == 0xd6401f0f || word == 0x001f0f66 ? kMarkBytes : 0;
}

constexpr SystemCall kSystemCalls[] = {
#define SYSCALL(number, name, kernel_name, widths) {number, #name, #kernel_name, #widths},
#include "arch/x86_64/system_calls.def"
#undef SYSCALL
};

constexpr NarrowCall kNarrowCalls[] = {
#define NARROW_CALL(number, name, arguments, function) {number, #name, #arguments, #function},
#include "arch/x86_64/narrow_calls.def"
#undef NARROW_CALL
};

constexpr uint32_t kNarrowArguments[] = {kBx, kCx, kDx, kSi, kDi, kBp};
constexpr uint32_t kTsCompat = 2;

FunctionSlot function_slot(uint32_t relocation_type) {
  switch (relocation_type) {
    case R_X86_64_IRELATIVE:
      return FunctionSlot::kResolved;
    case R_X86_64_JUMP_SLOT:
    case R_X86_64_GLOB_DAT:
      return FunctionSlot::kFunction;
    default:
      return FunctionSlot::kNone;
  }
}

}  // namespace

const Machine kX86_64{
    .name = "x86_64",
    .elf_machine = EM_X86_64,
    .registers = {.size_bytes = kRegisterBytes,
                  .instruction = kIp,
                  .stack = kSp,
                  .result = kAx,
                  .second_result = kDx,
                  .function_arguments = kFunctionArguments,
                  .system_call_arguments = kSystemCallArguments,
                  .system_call_number = kOrigAx,
                  .system_call_number_bytes = 8,
                  .return_address = std::nullopt,
                  .stack_arguments = kWordBytes,
                  .in_user_mode = {.offset = kCs, .size_bytes = 8, .mask = 3, .value = 3},
                  .in_32bit_program = {.offset = kCs, .size_bytes = 2, .mask = 0xffff, .value = kUser32Segment}},
    .task_registers = kTaskRegisters,
    .thread_pointer = {.member = "thread.fsbase",
                       .member_of_32bit = "thread.tls_array",
                       .bits_of_32bit = kDescriptorBase},
    .skipped_frames = {.test_run = 3, .tracepoint = 2, .trampoline = 2},
    // rsp, rbp, rbx
    .frame_registers =
        {.know_managed = true, .stack = 7, .frame = 6, .other = 3, .offsets = kDwarfOffsets, .names = kDwarfNames},
    .landing_mark = {.word_before_bytes = kMarkBytes, .bytes_before = bytes_before_call},
    .system_calls = kSystemCalls,
    .call_function_prefix = "__x64_sys_",
    .narrow_calls = {.calls = kNarrowCalls,
                     .arguments = kNarrowArguments,
                     .kernel_function = "__ia32_compat_sys_ioctl",
                     .call_function_prefix = "__ia32_",
                     .state_member = "thread_info.status",
                     .state_mask = kTsCompat,
                     .equal_in_wide = {kCx, kIp}},  // SYSCALL keeps the return address in rcx
    .children_return = true,
    .repeats_watched = false,
    .tag_bits = 0,
    .calls = kX86_64Calls,
    .function_slot = function_slot,
    .call_instructions = {},
};

}  // namespace dtrace::arch
