// SPDX-License-Identifier: Apache-2.0
// The kinds of hook, a struct each. To add a kind: define its struct and kFacts here, list it in HookTarget, and write
// its attach() in runtime/attach/attach.cpp. Without one of these the tree does not compile.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <variant>

namespace dtrace {

/// What is on top of the kernel's stack while a program runs. How many frames that are depends on the architecture.
enum class StackTop : uint8_t {
  kFiredCode,   ///< the code that fired the probe, or that an interrupt stopped
  kTestRun,     ///< the program and the system call that runs it
  kTracepoint,  ///< the program and bpf_trace_runN
};

/// What the code generator must know of a kind of hook.
struct HookFacts {
  std::string_view section;  ///< of libbpf, which derives from it what kind of program and link it is
  bool has_sites = false;    ///< attached to sites; more sites may be attached while tracing runs
  bool in_user = false;      ///< the sites are in user programs
  bool at_return = false;    ///< the kernel calls it when a function has returned
  /// The kernel keeps the program from running while it runs on the same CPU.
  bool excludes_itself = false;
  /// The context begins with the registers of the code that fired the probe: struct pt_regs.
  bool has_registers = false;
  StackTop stack_top = StackTop::kFiredCode;
  /// The context lies on the stack of the code that fired the probe, so that its address tells whether that is an
  /// interrupt's.
  bool on_fired_stack = false;
};

/// Fires only from within programs: ERROR.
struct NeverHook {
  static constexpr HookFacts kFacts{.section = "raw_tp/"};
  std::string text() const { return "ERROR"; }
  std::string section() const { return std::string(kFacts.section); }
  bool fires_often() const { return false; }
  friend bool operator==(const NeverHook &, const NeverHook &) = default;
};

/// Run by the consumer through BPF_PROG_TEST_RUN: BEGIN and END.
struct TestRunHook {
  bool at_end = false;

  static constexpr HookFacts kFacts{.section = "raw_tp/", .excludes_itself = true, .stack_top = StackTop::kTestRun};
  std::string text() const { return at_end ? "END" : "BEGIN"; }
  std::string section() const { return std::string(kFacts.section); }
  bool fires_often() const { return false; }
  friend bool operator==(const TestRunHook &, const TestRunHook &) = default;
};

/// A raw tracepoint; becomes a BTF tracepoint if the program gains by it and its type is known.
struct RawTracepointHook {
  std::string event;
  uint32_t btf_id = 0;  ///< of `typedef btf_trace_<event>` in vmlinux; 0: unknown

  static constexpr HookFacts kFacts{
      .section = "raw_tp/", .excludes_itself = true, .stack_top = StackTop::kTracepoint, .on_fired_stack = true};
  std::string text() const { return event; }
  std::string section() const { return std::string(kFacts.section) + event; }
  bool fires_often() const { return true; }
  friend bool operator==(const RawTracepointHook &, const RawTracepointHook &) = default;
};

/// Raw tracepoints, for clauses to which they are all alike: each has a copy of one program, with the number of its
/// probe in it (CopyNumber).
struct TracepointCopiesHook {
  uint32_t words = 0;  ///< of the context that the program may read; all its events have as many

  // A copy may run while another one does on the same CPU.
  static constexpr HookFacts kFacts{.section = "raw_tp/", .stack_top = StackTop::kTracepoint, .on_fired_stack = true};
  std::string text() const { return "tracepoints"; }
  std::string section() const { return std::string(kFacts.section); }
  bool fires_often() const { return true; }
  friend bool operator==(const TracepointCopiesHook &, const TracepointCopiesHook &) = default;
};

/// A tracepoint by its perf event, whose record is the context.
struct PerfTracepointHook {
  std::string subsystem, event;

  static constexpr HookFacts kFacts{.section = "tracepoint/", .excludes_itself = true};
  std::string text() const { return subsystem + ':' + event; }
  std::string section() const { return std::string(kFacts.section) + subsystem + '/' + event; }
  bool fires_often() const { return true; }
  friend bool operator==(const PerfTracepointHook &, const PerfTracepointHook &) = default;
};

/// perf's software clock.
struct PerfClockHook {
  uint64_t period_ns = 1'000'000'000;
  int cpu = -1;  ///< -1: all CPUs

  static constexpr HookFacts kFacts{.section = "perf_event", .excludes_itself = true, .has_registers = true};
  std::string text() const { return std::to_string(period_ns); }
  std::string section() const { return std::string(kFacts.section); }
  bool fires_often() const { return cpu < 0; }
  friend bool operator==(const PerfClockHook &, const PerfClockHook &) = default;
};

/// One of perf's counters, on all CPUs, each time it has counted `period` more.
struct PerfCounterHook {
  uint32_t type = 0;    ///< PERF_TYPE_*
  uint64_t config = 0;  ///< of that type
  uint64_t period = 1;
  bool in_user = true, in_kernel = true;  ///< where it counts

  static constexpr HookFacts kFacts{.section = "perf_event", .excludes_itself = true, .has_registers = true};
  std::string text() const { return "counter"; }
  std::string section() const { return std::string(kFacts.section); }
  bool fires_often() const { return true; }
  friend bool operator==(const PerfCounterHook &, const PerfCounterHook &) = default;
};

/// Instructions of user programs.
struct UserInstructionHook {
  enum class Where : uint8_t { kEntry, kReturn, kInside, kStatic, kInline } where = Where::kInside;
  bool is_32bit = false;

  static constexpr HookFacts kFacts{.section = "uprobe", .has_sites = true, .in_user = true, .has_registers = true};
  std::string text() const {
    constexpr const char *kTexts[] = {"entry", "ret", "inside", "usdt", "inline"};
    return std::string(kTexts[static_cast<size_t>(where)]) + (is_32bit ? "32" : "");
  }
  std::string section() const { return std::string(kFacts.section); }
  bool fires_often() const { return true; }
  /// The function has no frame, not yet or no longer, and the return address is on top of the stack.
  bool at_boundary() const { return (where == Where::kEntry || where == Where::kReturn) && !is_32bit; }
  friend bool operator==(const UserInstructionHook &, const UserInstructionHook &) = default;
};

/// Returns of the user functions that begin at the sites.
struct UserReturnHook {
  bool is_32bit = false;

  static constexpr HookFacts kFacts{
      .section = "uretprobe", .has_sites = true, .in_user = true, .at_return = true, .has_registers = true};
  std::string text() const { return is_32bit ? "return32" : "return"; }
  std::string section() const { return std::string(kFacts.section); }
  bool fires_often() const { return true; }
  friend bool operator==(const UserReturnHook &, const UserReturnHook &) = default;
};

/// Entries of kernel functions. A link finds the probe by the function's address, so that a function that is in two
/// providers needs two, and a program of its own for each.
struct KernelEntryHook {
  std::string_view provider;

  static constexpr HookFacts kFacts{
      .section = "kprobe", .has_sites = true, .excludes_itself = true, .has_registers = true, .on_fired_stack = true};
  std::string text() const { return std::string(provider) + ":entry"; }
  std::string section() const { return std::string(kFacts.section); }
  bool fires_often() const { return true; }
  friend bool operator==(const KernelEntryHook &, const KernelEntryHook &) = default;
};

/// Their returns.
struct KernelReturnHook {
  std::string_view provider;

  static constexpr HookFacts kFacts{.section = "kretprobe",
                                    .has_sites = true,
                                    .at_return = true,
                                    .excludes_itself = true,
                                    .has_registers = true,
                                    .on_fired_stack = true};
  std::string text() const { return std::string(provider) + ":return"; }
  std::string section() const { return std::string(kFacts.section); }
  bool fires_often() const { return true; }
  friend bool operator==(const KernelReturnHook &, const KernelReturnHook &) = default;
};

/// Instructions within kernel functions, a kprobe each.
struct KernelInstructionHook {
  std::string_view provider;

  static constexpr HookFacts kFacts{
      .section = "kprobe", .has_sites = true, .excludes_itself = true, .has_registers = true, .on_fired_stack = true};
  std::string text() const { return std::string(provider) + ":inside"; }
  std::string section() const { return std::string(kFacts.section); }
  bool fires_often() const { return true; }
  friend bool operator==(const KernelInstructionHook &, const KernelInstructionHook &) = default;
};

/// The kernel's functions of system calls. A program finds its probe by the attach cookie.
struct CallEntryHook {
  static constexpr HookFacts kFacts{.section = "kprobe", .excludes_itself = true, .on_fired_stack = true};
  std::string text() const { return "call:entry"; }
  std::string section() const { return std::string(kFacts.section); }
  bool fires_often() const { return true; }
  friend bool operator==(const CallEntryHook &, const CallEntryHook &) = default;
};

/// Their returns.
struct CallReturnHook {
  static constexpr HookFacts kFacts{
      .section = "kretprobe", .at_return = true, .excludes_itself = true, .on_fired_stack = true};
  std::string text() const { return "call:return"; }
  std::string section() const { return std::string(kFacts.section); }
  bool fires_often() const { return true; }
  friend bool operator==(const CallReturnHook &, const CallReturnHook &) = default;
};

/// A breakpoint of the processor on an address.
struct WatchpointHook {
  uint64_t address = 0;
  uint32_t size_bytes = 1;
  uint32_t access = 0;  ///< HW_BREAKPOINT_*
  int pid = -1;         ///< the process whose memory it is; -1: the kernel

  static constexpr HookFacts kFacts{.section = "perf_event", .excludes_itself = true, .has_registers = true};
  std::string text() const { return "watchpoint"; }
  std::string section() const { return std::string(kFacts.section); }
  bool fires_often() const { return true; }
  friend bool operator==(const WatchpointHook &, const WatchpointHook &) = default;
};

/// The objects of one of the kernel's tables: tasks, open files, sockets. The consumer makes the walk, and the kernel
/// calls the program for each object. Without a table the consumer runs the program when all walks of that time are
/// done.
struct WalkHook {
  enum class When : uint8_t { kBegin, kEvery, kEnd } when = When::kBegin;
  uint64_t period_ns = 0;  ///< of kEvery
  std::string table;       ///< as the kernel calls it: "task_file"
  uint32_t words = 0;      ///< of the context; the first says how far the walk is
  uint32_t object = 0;     ///< the word that is null when no object is left

  static constexpr HookFacts kFacts{.section = "iter/", .excludes_itself = true};
  std::string text() const { return table.empty() ? "walked" : table; }
  std::string section() const { return table.empty() ? "raw_tp/" : std::string(kFacts.section) + table; }
  /// Records are taken out between two parts of a walk.
  bool fires_often() const { return false; }
  bool at_end() const { return when == When::kEnd; }
  friend bool operator==(const WalkHook &, const WalkHook &) = default;
};

using HookTarget =
    std::variant<NeverHook, TestRunHook, RawTracepointHook, PerfTracepointHook, PerfClockHook, PerfCounterHook,
                 UserInstructionHook, UserReturnHook, KernelEntryHook, KernelReturnHook, KernelInstructionHook,
                 CallEntryHook, CallReturnHook, WatchpointHook, WalkHook, TracepointCopiesHook>;

}  // namespace dtrace
