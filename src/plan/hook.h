// SPDX-License-Identifier: Apache-2.0
// Where a probe fires, as data: what kind of kernel hook, how a program on it tells its probes apart, and where
// arg0..arg9 lie. Providers fill this in and know no LLVM; the code generator and the loader read it. Probes whose Hook
// compares equal share one BPF program, if the program has a way to tell them apart (Selector).
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "plan/argument_widths.h"
#include "plan/hook_target.h"
#include "plan/user_operand.h"
#include "plan/user_site.h"

namespace dtrace {

/// How a program that serves several probes finds out which one fired.
enum class Selector : uint8_t {
  kSingle,         ///< one probe per program
  kSyscallNumber,  ///< context word 1, or of the raw tracepoint sys_exit orig_ax of the registers, indexes a table;
                   ///< calls of 32-bit code have a table of their own
  kPlace,          ///< attach cookie = position of the probe among those of the program
  kCopy,           ///< each has a copy of the program that holds its position among them (CopyNumber)
  kSite,           ///< attach cookie = SiteCookie: names the probe itself, so sites can be added later
};

/// The number in a copy of a program. The program that copies are made of loads kMark with one instruction (LD_IMM64);
/// a copy has the number there, of 32 bits.
struct CopyNumber {
  static constexpr uint64_t kMark = 0x6474'6370'6e75'6d00;
};

/// Programs that a kernel function calls itself.
struct Trampoline {
  static constexpr uint32_t kMaxArguments = ArgWidths::kMaxArguments;  ///< those in registers
  static constexpr uint32_t kMaxSites = 200;  ///< each has a copy of the program, verified by itself
};

struct Hook {
  HookTarget target;
  Selector selector = Selector::kSingle;
  /// Number of the derivation (frontend/lang/probe.h) by which this is a filtered view of the hook's firings, with
  /// arguments of its own; 0: the probe is the hook's own.
  uint32_t derivation = 0;
  bool preemptible = false;  ///< another task's firing may interleave on the same CPU (uprobes)
  uint32_t family = 0;       ///< fires only in processes of this family (bpf/dt_family.h); 0: in all

  template <typename T>
  bool is() const {
    return std::holds_alternative<T>(target);
  }
  /// Null: it is of another kind.
  template <typename T>
  const T *as() const {
    return std::get_if<T>(&target);
  }
  const HookFacts &facts() const {
    return std::visit([](const auto &hook) -> const HookFacts & { return hook.kFacts; }, target);
  }
  /// What it is attached to, for people: "sched_switch", "raw_syscalls:sys_enter", "fbt:entry".
  std::string text() const {
    return std::visit([](const auto &hook) { return hook.text(); }, target);
  }
  /// May fill a ring: not on one CPU at a time and seldom.
  bool fires_often() const {
    return std::visit([](const auto &hook) { return hook.fires_often(); }, target);
  }
  bool is_of_call_functions() const { return is<CallEntryHook>() || is<CallReturnHook>(); }
  bool is_of_kernel_functions() const { return facts().has_sites && !facts().in_user; }
  bool is_of_user_code() const { return facts().has_sites && facts().in_user; }
  friend bool operator==(const Hook &, const Hook &) = default;
};

/// A function of the kernel for a system call, of 64-bit or of 32-bit code.
struct CallFunction {
  std::string name;
  uint32_t btf_id = 0;
};

/// Where one of arg0..arg9 comes from.
struct ArgSource {
  enum class Kind : uint8_t {
    kNone,              ///< reads as 0
    kUnknown,           ///< reads as -1
    kContextWord,       ///< 64-bit word `index` of the context (raw tracepoints)
    kContextField,      ///< `size` bytes at `index` of the context (perf tracepoint record), sign-extended if is_signed
    kContextAddress,    ///< address of the bytes at `index` of the context (arrays)
    kSyscallArg,        ///< argument `index` of the current system call, from pt_regs
    kSyscallReturn,     ///< normalised: -1 for errors (errno holds the code)
    kSyscallRawReturn,  ///< the kernel's own value
    kKernelPc,          ///< profile: PC if in the kernel, else 0
    kUserPc,            ///< profile: PC if in user mode, else 0
    kClockLag,          ///< profile: ns since the clock should have struck
    kErrorArg,          ///< ERROR: argument `index` (1..5) of the failing clause
    kFunctionArg,       ///< argument `index` by the calling convention, at the first instruction of a function;
                        ///< size_bytes 4: by that of 32-bit programs
    kSiteFunctionArg,   ///< likewise, of the width in the site's cookie (ArgWidths)
    kReturnValue,       ///< of the function that returns, `size_bytes` of it
    kSiteReturnValue,   ///< likewise, of the width in the site's cookie (ReturnWidth)
    kSiteVariant,       ///< the variant in the site's cookie
    kSiteOperand,       ///< operand `index` of the site's variant
  };
  Kind kind = Kind::kNone;
  uint32_t index = 0;
  uint8_t size_bytes = 8;
  bool is_signed = false;
};

/// Probes whose hooks compare equal share a program, so their arguments must have the same locations; what differs from
/// site to site is the operands of a site's variant.
struct ProbeHook {
  Hook hook;
  uint64_t selector_value = 0;            ///< system call number
  std::vector<ArgSource> args;            ///< arg0...; missing ones read as 0
  ArgWidths widths;                       ///< of a system call's arguments
  std::optional<NarrowArguments> narrow;  ///< of a system call of 32-bit code; nothing: it is none
  CallFunction function;                  ///< where the hook is of call functions
  bool is_syscall_entry = false;
  bool is_syscall_return = false;  ///< errno is meaningful

  std::vector<UserSite> sites;                     ///< where the hook has sites
  std::vector<std::vector<UserOperand>> variants;  ///< operand lists of USDT sites

  /// Another way to see the same firings, which costs less, for programs that ask nothing about where in the function
  /// the probe is: not arg0 of a return, the user stack or registers. Null: there is none.
  std::shared_ptr<const ProbeHook> cheaper;

  std::vector<ProbeHook> also;  ///< where else the probe fires; these have no `also` of their own
};

}  // namespace dtrace
