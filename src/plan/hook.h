// SPDX-License-Identifier: Apache-2.0
// Where a probe fires, as data: what kind of kernel hook, how a program on it tells its probes apart, and where
// arg0..arg9 lie. Providers fill this in and know no LLVM; the code generator and the loader read it. Probes whose Hook
// compares equal share one BPF program, if the program has a way to tell them apart (Selector).
#pragma once

#include <bit>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "base/owned.h"

namespace dtrace {

namespace tree {
struct Expr;
}

enum class HookKind : uint8_t {
  kTestRun,        ///< run by the consumer through BPF_PROG_TEST_RUN (BEGIN, END); target: "BEGIN" or "END"
  kRawTracepoint,  ///< raw tracepoint `target`; becomes a BTF tracepoint if btf_id != 0 and the program gains by it
  kTracepoint,     ///< perf tracepoint "subsystem:event"
  kPerfClock,      ///< perf software clock; target: period in ns; cpu: -1 all CPUs, else that one
  kUprobe,         ///< instructions of user programs: the sites of the probes
  kUretprobe,      ///< returns of the user functions that begin at the sites
  kKprobe,         ///< entries of kernel functions: the sites of the probes
  kKretprobe,      ///< their returns
  kNever,          ///< fires only from within programs (ERROR)
};

/// How a program that serves several probes finds out which one fired.
enum class Selector : uint8_t {
  kSingle,         ///< one probe per program
  kSyscallNumber,  ///< context word 1, or of the raw tracepoint sys_exit orig_ax of the registers, indexes a table
  kCookie,         ///< attach cookie = ProbeHook::selector_value
  kSite,           ///< attach cookie = SiteCookie: names the probe itself, so sites can be added later
};

/// What a site's attach cookie says, packed into its 64 bits.
struct SiteCookie {
  uint32_t probe = 0;    ///< probe id
  uint16_t row = 0;      ///< 12 bits: which set of the program's clauses runs
  uint32_t variant = 0;  ///< 20 bits: where the arguments lie at this site, or the offset of a return instruction

  static constexpr unsigned kRowBits = 12, kVariantBits = 20;
  static constexpr uint32_t kMaxRows = 1 << kRowBits, kMaxVariants = 1 << kVariantBits;
  /// Of operands: from here on they are read from a table (dt_abi.h), because the program was there before them.
  static constexpr uint32_t kFirstLateVariant = kMaxVariants / 2;
  constexpr uint64_t packed() const {
    return probe | static_cast<uint64_t>(row) << 32 | static_cast<uint64_t>(variant) << (32 + kRowBits);
  }
  static constexpr SiteCookie unpacked(uint64_t cookie) {
    return {static_cast<uint32_t>(cookie), static_cast<uint16_t>(cookie >> 32 & (kMaxRows - 1)),
            static_cast<uint32_t>(cookie >> (32 + kRowBits))};
  }
};

struct Hook {
  HookKind kind = HookKind::kNever;
  std::string target;
  Selector selector = Selector::kSingle;
  uint32_t btf_id = 0;  ///< BTF id of `typedef btf_trace_<target>` in vmlinux; 0: unknown
  int cpu = -1;
  uint32_t derivation = 0;   ///< Derivation::number; 0: the probe is the hook's own
  bool preemptible = false;  ///< another task's firing may interleave on the same CPU (uprobes)
  friend bool operator==(const Hook &, const Hook &) = default;
};

/// A program or library file that probes are set in. Open, so that it can be attached to when it is deleted, replaced,
/// or in another mount namespace.
struct UserFile {
  std::string path;  ///< as its process names it, for messages
  Fd fd;
  uint64_t device = 0, inode = 0;
};

/// Where one USDT argument lies at a site: how an operand of its argument string reads, symbols resolved.
struct UserOperand {
  enum class Kind : uint8_t {
    kUnavailable,   ///< `reason` says why; using it in a program is an error
    kConstant,      ///< `displacement`
    kRegister,      ///< register `base`, shifted right by `shift_bits`
    kRegisterPair,  ///< `base` is the low half, `index` the high half
    kMemory,        ///< at base + index * scale + displacement
    kAddress,       ///< that address itself
    kThreadMemory,  ///< at the thread pointer + displacement
  };
  static constexpr uint16_t kNoRegister = UINT16_MAX;
  Kind kind = Kind::kUnavailable;
  uint8_t size_bytes = 8;
  bool is_signed = false;
  bool is_float = false;
  uint8_t scale = 1;
  uint8_t shift_bits = 0;
  uint16_t base = kNoRegister;  ///< byte offset in struct pt_regs; of the instruction pointer for what lies relative to
                                ///< the site
  uint16_t index = kNoRegister;  ///< likewise
  bool is_index_narrow = false;  ///< its low 32 bits count (arm64: "w1, sxtw"),
  bool is_index_signed = false;  ///< sign-extended
  bool is_narrow = false;        ///< addresses have 32 bits
  int64_t displacement = 0;
  std::string reason;
  friend bool operator==(const UserOperand &, const UserOperand &) = default;
};

/// One place where a user-land probe is set.
struct UserSite {
  std::shared_ptr<const UserFile> file;
  uint64_t offset = 0;          ///< in the file; kernel functions: the address
  uint64_t ref_ctr_offset = 0;  ///< in the file, of the 16-bit counter that says "enabled"; 0: none
  int pid = 0;                  ///< fires in this process only; 0: in all
  uint32_t variant = 0;  ///< index into ProbeHook::variants, offset of a return instruction, or widths (ArgWidths,
                         ///< ReturnWidth)
  uint32_t btf_id = 0;   ///< of a kernel function that may call a program itself; 0: it cannot
};

/// How much of a register each of arg0, arg1, ... is, by its type: nobody promises what the bits above hold.
struct ArgWidths {
  static constexpr uint32_t kBits = 3;           ///< of an argument: log2 of its bytes, and kSigned
  static constexpr uint32_t kMostArguments = 6;  ///< those in registers; others are whole words
  static constexpr uint32_t kLog2Mask = 3;
  static constexpr uint32_t kSigned = 4;
  static constexpr uint32_t kWord = 3;
  uint32_t packed = 0333333;  ///< the first argument's in the lowest bits

  constexpr uint32_t of(unsigned n) const { return n < kMostArguments ? packed >> n * kBits & 7 : kWord; }
  constexpr void set(unsigned n, uint32_t size_bytes, bool is_signed) {
    if (n >= kMostArguments) return;
    const auto log2 = static_cast<uint32_t>(std::countr_zero(size_bytes));
    packed = (packed & ~(7U << n * kBits)) | (log2 | (is_signed ? kSigned : 0)) << n * kBits;
  }
};

/// Programs that a kernel function calls itself.
struct Trampoline {
  static constexpr uint32_t kMostArguments = ArgWidths::kMostArguments;  ///< those in registers
  static constexpr uint32_t kMostSites = 200;  ///< each has a copy of the program, verified by itself
};

/// How a kernel function's value comes back in its register, as the variant of a return's site. A link for all
/// functions costs a second and more to make, so those of one width have none of their own.
struct ReturnWidth {
  static constexpr uint32_t kLog2Mask = ArgWidths::kLog2Mask;  ///< log2 of its bytes
  static constexpr uint32_t kSigned = ArgWidths::kSigned;
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

/// A filtered view of another probe's firings, with its own arguments. The expressions are over the other probe's
/// arguments.
struct Derivation {
  uint32_t number = 0;                    ///< from 1
  const tree::Expr *condition = nullptr;  ///< null: all of them
  std::vector<const tree::Expr *> args;   ///< arg0...; scalars and strings
};

/// Probes whose hooks compare equal share a program, so their arguments must lie in the same places; what differs from
/// site to site is the operands of a site's variant.
struct ProbeHook {
  Hook hook;
  uint64_t selector_value = 0;  ///< system call number or cookie
  std::vector<ArgSource> args;  ///< arg0...; missing ones read as 0
  ArgWidths widths;             ///< of a system call's arguments
  bool is_syscall_entry = false;
  bool is_syscall_return = false;  ///< errno is meaningful

  std::vector<UserSite> sites;                     ///< kUprobe, kUretprobe
  std::vector<std::vector<UserOperand>> variants;  ///< operand lists of USDT sites

  /// Another way to see the same firings, which costs less, for programs that ask nothing about where in the function
  /// the probe is: not arg0 of a return, the user stack or registers. Null: there is none.
  std::shared_ptr<const ProbeHook> cheaper;

  /// Null: the arguments are `args`; else these are what it goes by.
  std::shared_ptr<const Derivation> derivation;
  std::vector<ProbeHook> also;  ///< where else the probe fires; these have no `also` of their own
};

}  // namespace dtrace
