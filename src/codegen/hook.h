// SPDX-License-Identifier: Apache-2.0
// Where a probe fires, as data: what kind of kernel hook, how a program on it tells its probes apart, and where
// arg0..arg9 lie. Providers fill this in and know no LLVM; the code generator and the loader read it. Probes whose Hook
// compares equal share one BPF program.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace dtrace {

enum class HookKind : uint8_t {
  kTestRun,        ///< run by the consumer through BPF_PROG_TEST_RUN (BEGIN, END); target: "BEGIN" or "END"
  kRawTracepoint,  ///< raw tracepoint `target`; becomes a BTF tracepoint if btf_id != 0 and the program gains by it
  kTracepoint,     ///< perf tracepoint "subsystem:event"
  kPerfClock,      ///< perf software clock; target: period in ns; cpu: -1 all CPUs, else that one
  kNever,          ///< fires only from within programs (ERROR)
};

/// How a program that serves several probes finds out which one fired.
enum class Selector : uint8_t {
  kSingle,         ///< one probe per program
  kSyscallNumber,  ///< context word 1 (sys_enter) or orig_ax of the registers (sys_exit) indexes a table
  kCookie,         ///< attach cookie = ProbeHook::selector_value
};

struct Hook {
  HookKind kind = HookKind::kNever;
  std::string target;
  Selector selector = Selector::kSingle;
  uint32_t btf_id = 0;  ///< BTF id of `typedef btf_trace_<target>` in vmlinux; 0: unknown
  int cpu = -1;
  bool preemptible = false;  ///< another task's firing may interleave on the same CPU (uprobes)
  friend bool operator==(const Hook &, const Hook &) = default;
};

/// Where one of arg0..arg9 comes from.
struct ArgSource {
  enum class Kind : uint8_t {
    kNone,              ///< reads as 0
    kContextWord,       ///< 64-bit word `index` of the context (raw tracepoints)
    kContextField,      ///< `size` bytes at `index` of the context (perf tracepoint record), sign-extended if is_signed
    kContextAddress,    ///< address of the bytes at `index` of the context (arrays)
    kSyscallArg,        ///< argument `index` of the current system call, from pt_regs
    kSyscallReturn,     ///< normalised: -1 for errors (errno holds the code)
    kSyscallRawReturn,  ///< the kernel's own value
    kKernelPc,          ///< profile: PC if in the kernel, else 0
    kUserPc,            ///< profile: PC if in user mode, else 0
    kErrorArg,          ///< ERROR: argument `index` (1..5) of the failing clause
  };
  Kind kind = Kind::kNone;
  uint32_t index = 0;
  uint8_t size_bytes = 8;
  bool is_signed = false;
};

struct ProbeHook {
  Hook hook;
  uint64_t selector_value = 0;  ///< system call number or cookie
  std::vector<ArgSource> args;  ///< arg0...; missing ones read as 0
  bool is_syscall_entry = false;
  bool is_syscall_return = false;  ///< errno is meaningful
};

}  // namespace dtrace
