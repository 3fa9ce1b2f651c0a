// SPDX-License-Identifier: Apache-2.0
// What an architecture must supply, as one table of constants and pure functions. Each architecture is a folder here
// that defines a Machine and, for user programs' code, a MachineCode (machine_code.h). These are in every build, so
// that tests check all of them on one host; its ProcessControl is in programs for that machine only. To add one: write
// the folder; the compiler and the linker name what it lacks.
#pragma once

#include <sys/types.h>

#include <cstdint>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include "arch/calling_convention.h"

namespace dtrace::arch {

/// Bits of one register that tell whether a thread is in a certain state: (register & mask) == value.
struct RegisterTest {
  uint32_t offset;  ///< bytes from the start of struct pt_regs
  uint32_t size_bytes;
  uint64_t mask, value;
};

/// struct pt_regs. Offsets are in bytes; all registers have 8 bytes, but those of tests and the system call's number.
struct Registers {
  uint32_t size_bytes;  ///< of the part that uregs[] shows
  uint32_t instruction, stack;
  uint32_t result, second_result;  ///< of a function: the second holds bytes 8 to 15 of a struct
  std::span<const uint32_t> function_arguments;
  std::span<const uint32_t> system_call_arguments;  ///< six
  uint32_t system_call_number;                      ///< still there when the call returns
  uint32_t system_call_number_bytes;                ///< 4: signed
  /// Holds the return address while a function's first instruction runs. Nothing: it is on top of the stack.
  std::optional<uint32_t> return_address;
  /// From the stack pointer at a function's entry to the arguments that have no register.
  uint32_t stack_arguments;
  RegisterTest in_user_mode, in_32bit_program;
};

/// A register that the kernel keeps in struct task_struct; uregs[] has them behind those of struct pt_regs.
struct TaskRegister {
  const char *member;
  uint32_t size_bytes;
};

/// Bits [from, from + count) of a word go to bits [to, to + count) of the result.
struct BitRange {
  unsigned from, count, to;
};

/// Where thread-local variables are counted from, as members of struct task_struct.
struct ThreadPointer {
  const char *member;
  const char *member_of_32bit;  ///< null: there are no 32-bit programs
  std::span<const BitRange> bits_of_32bit;
};

/// Frames of the kernel's stack between a BPF program (included) and the code that fired the probe.
struct SkippedFrames {
  uint32_t test_run;    ///< BPF_PROG_TEST_RUN: BEGIN and END
  uint32_t tracepoint;  ///< raw and BTF tracepoints
  uint32_t trampoline;  ///< fentry and fexit
};

/// DWARF's numbers of the registers by which user stacks are walked.
struct FrameRegisters {
  bool know_managed;  ///< bpf/programs knows frames of interpreters and virtual machines there
  uint16_t stack, frame;
  uint16_t other;  ///< kept for the caller; hand-written code counts its frame from it
  /// Where struct pt_regs has each register, by number: byte offsets.
  std::span<const uint32_t> offsets;
  std::span<const std::string_view> names;  ///< of these
};

/// The instruction that kernels with checked indirect branches put where a function begins. The function tracer's call,
/// whose address the kernel lists, lies behind it.
struct LandingMark {
  uint32_t word_before_bytes;               ///< from the call back to the four bytes that tell
  uint32_t (*bytes_before)(uint32_t word);  ///< from the call back to where the function begins, given those four bytes
};

struct SystemCall {
  uint32_t number;
  std::string_view name;         ///< of its manual page
  std::string_view kernel_name;  ///< in tracefs
  /// What the call takes of each argument's register, a letter each up to the last that is less than all of it: i int,
  /// u unsigned int, h unsigned short, w the whole word; "_" if all are words.
  std::string_view widths;
};

/// A system call of 32-bit programs.
struct NarrowCall {
  uint32_t number;
  std::string_view name;  ///< as a 64-bit call with the same arguments has it, or the kernel's own
  /// A letter for each argument: i int, u unsigned int, h unsigned short, d 64 bits in two registers, the lower half in
  /// the first. The registers are taken in order; a digit behind a letter names another one to go on from. "_": those
  /// of the 64-bit call. Missing ones are u.
  std::string_view arguments;
  /// The kernel's function for it, without NarrowCalls::call_function_prefix. "_": sys_ and the name.
  std::string_view function;
};

/// How 32-bit code calls the kernel. A 64-bit program can do so, too.
struct NarrowCalls {
  std::span<const NarrowCall> calls;      ///< empty: such calls are not traced
  std::span<const uint32_t> arguments;    ///< registers: byte offsets in struct pt_regs
  std::string_view kernel_function;       ///< that kernels have which take such calls
  std::string_view call_function_prefix;  ///< of the function for each call
  const char *state_member = nullptr;     ///< of struct task_struct: 4 bytes
  uint32_t state_mask = 0;                ///< not 0 during such a call
  /// Two registers that the instruction for 64-bit calls leaves equal; calls of 32-bit code do not.
  uint32_t equal_in_wide[2] = {};
};

/// An instruction: (its four bytes & mask) == value.
struct CodePattern {
  uint32_t mask, value;
};

/// What a relocation makes the dynamic linker write.
enum class FunctionSlot : uint8_t {
  kNone,      ///< no function's address
  kFunction,  ///< the address of the function with the symbol's name
  kResolved,  ///< what the resolver at the addend returns (STT_GNU_IFUNC)
};

/// ptrace(2) of a process of this machine, also of a 32-bit one. The functions return false with errno set.
struct ProcessControl {
  std::span<const uint8_t> breakpoint;  ///< the instruction
  uint32_t breakpoint_advance_bytes;    ///< how far behind its address the program counter is when it is reported
  /// An instruction that only the kernel may execute: SIGSEGV, with the program counter at it. Empty where
  /// !probes_take_traps.
  std::span<const uint8_t> privileged;
  uint32_t program_counter, first_argument;  ///< registers, as byte offsets in struct user_regs_struct
  /// A process that continues at the processor's breakpoint executes the instruction there; else it stops again.
  bool steps_over_processor_breakpoint;
  bool (*get_register)(pid_t pid, uint32_t offset, uint64_t &value);
  bool (*set_register)(pid_t pid, uint32_t offset, uint64_t value);
  /// The kernel takes a trap at an address where somebody has a probe, in whichever process, for that probe's: the
  /// process goes on. So breakpoints of the processor are better.
  bool probes_take_traps;
  size_t nr_processor_breakpoints;  ///< that are used
  /// Sets breakpoints of the processor in a stopped process, and clears the others.
  bool (*set_processor_breakpoints)(pid_t pid, std::span<const uint64_t> addresses);
};

struct Machine {
  std::string_view name;  ///< uname(2)'s; also the folder of its part of the D library
  uint16_t elf_machine;   ///< EM_*
  Registers registers;
  std::span<const TaskRegister> task_registers;
  ThreadPointer thread_pointer;
  SkippedFrames skipped_frames;
  FrameRegisters frame_registers;
  LandingMark landing_mark;
  std::span<const SystemCall> system_calls;
  /// Before SystemCall::kernel_name: the kernel's function for a call of 64-bit code. Its one parameter is a pointer to
  /// the registers of the code that called.
  std::string_view call_function_prefix;
  NarrowCalls narrow_calls;
  /// A new thread passes the tracepoint of its parent's return from fork or clone, too, with 0.
  bool children_return;
  /// The kernel steps over a watched access of its own, and repeats it where an interrupt ends that step.
  bool repeats_watched;
  /// Bits at the top of a user address that programs may fill with a tag: the processor ignores them, the kernel's
  /// functions that read and write user memory for programs do not.
  unsigned tag_bits;
  const CallingConvention &calls;
  FunctionSlot (*function_slot)(uint32_t relocation_type);
  /// What the four bytes before a return address can be. Empty: return addresses lie where the kernel's own walk of its
  /// stack finds them.
  std::span<const CodePattern> call_instructions;
};

/// The machine that this program was built for.
const Machine &host_machine();
const ProcessControl &host_process_control();

extern const Machine kX86_64, kAarch64;

}  // namespace dtrace::arch
