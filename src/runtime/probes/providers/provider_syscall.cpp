// SPDX-License-Identifier: Apache-2.0
// syscall:vmlinux:NAME:entry and :return. All entries share one program on the raw tracepoint sys_enter, all returns
// one on sys_exit; a table indexed by the call's number says which probe it is, so enabling 360 probes costs one
// attachment. Names are those of the manual pages; tracefs's and some Solaris spellings match as aliases.
//
// Calls of 32-bit code have numbers and registers of their own. One with the name and the arguments of a 64-bit call is
// the same probe; the others have probes that fire in such code only.
//
// A few calls named by a program are probed at the kernel's functions for them, so that other calls cost nothing: see
// hook_at_function(). The planner decides.
//
// Where the kernel runs programs on raw tracepoints preemptibly, a call that comes while another task's program waits
// on the same CPU would go unseen: there, the perf tracepoints of the same events are taken, which cost more.
#include <algorithm>
#include <optional>
#include <span>
#include <string>
#include <utility>

#include "arch/machine.h"
#include "base/read_file.h"
#include "frontend/text/glob.h"
#include "runtime/kernel/c_type_text.h"
#include "runtime/kernel/kernel_info.h"
#include "runtime/probes/provider.h"
#include "runtime/probes/providers/absent_system_call.h"
#include "runtime/probes/providers/foreign_modules.h"

namespace dtrace::runtime {
namespace {

using Row = arch::SystemCall;

/// Names that old scripts use, and what they mean here. Only tried when a description names one exactly.
struct Alias {
  std::string_view name;
  std::string_view means;
};
constexpr Alias kAliases[] = {
    {"open64", "open"},      {"openat64", "openat"}, {"creat64", "creat"},   {"stat64", "stat"},
    {"xstat", "stat"},       {"lstat64", "lstat"},   {"lxstat", "lstat"},    {"fstat64", "fstat"},
    {"fxstat", "fstat"},     {"exece", "execve"},    {"exec", "execve"},     {"forkall", "clone"},
    {"forkall", "clone3"},   {"forkall", "fork"},    {"forkall", "vfork"},   {"fork1", "clone"},
    {"fork1", "clone3"},     {"fork1", "fork"},      {"fork1", "vfork"},     {"forksys", "clone"},
    {"forksys", "clone3"},   {"forksys", "fork"},    {"forksys", "vfork"},   {"rexit", "exit_group"},
    {"so_socket", "socket"}, {"pollsys", "ppoll"},   {"lwp_kill", "tgkill"}, {"lwp_sigmask", "rt_sigprocmask"},
    {"gtime", "time"},       {"pread", "pread64"},   {"pwrite", "pwrite64"}, {"mmap64", "mmap"},
    {"accept1", "accept"},
};

bool names(std::string_view pattern, const Row &row) {
  if (field_match(pattern, row.name)) return true;
  if (row.kernel_name != row.name && field_match(pattern, row.kernel_name)) return true;
  for (const Alias &alias : kAliases)
    if (alias.means == row.name && pattern == alias.name) return true;
  return false;
}

/// Calls whose function does not return where the tracepoint sys_exit sees a return: never, with the registers of
/// another call, or in the child as well.
constexpr std::string_view kNeverReturn[] = {"exit", "exit_group", "rt_sigreturn", "sigreturn"};
constexpr std::string_view kReturnTwice[] = {"fork", "vfork", "clone", "clone3"};

/// Functions of calls without arguments, by what follows sys_: 64-bit and 32-bit code share them, under several names.
/// BTF has some of them.
constexpr std::string_view kShared[] = {
    "getuid16", "geteuid16", "getgid16",    "getegid16",    "sgetmask",  "munlockall",     "inotify_init",
    "uprobe",   "uretprobe", "fork",        "vfork",        "getpid",    "getppid",        "getuid",
    "geteuid",  "getgid",    "getegid",     "gettid",       "getpgrp",   "pause",          "setsid",
    "sync",     "vhangup",   "sched_yield", "rt_sigreturn", "sigreturn", "restart_syscall"};

bool returns_once(std::string_view call) {
  if (std::ranges::find(kNeverReturn, call) != std::end(kNeverReturn)) return false;
  return !arch::host_machine().children_return || std::ranges::find(kReturnTwice, call) == std::end(kReturnTwice);
}

ArgWidths widths_of(const Row &row) {
  ArgWidths widths;
  for (unsigned i = 0; i < row.widths.size(); ++i) {
    switch (row.widths[i]) {
      case 'i':
        widths.set(i, 4, true);
        break;
      case 'u':
        widths.set(i, 4, false);
        break;
      case 'h':
        widths.set(i, 2, false);
        break;
      default:
        break;
    }
  }
  return widths;
}

/// Where a call of 32-bit code has its arguments, by NarrowCall::arguments. All are words of 4 bytes, or less.
void set_narrow_arguments(const arch::NarrowCall &call, const Row *wide, ProbeHook &hook) {
  std::string_view letters = call.arguments;
  if (letters == "_") letters = wide != nullptr ? wide->widths : std::string_view();
  NarrowArguments &where = hook.narrow.emplace();
  unsigned next = 0;
  for (unsigned n = 0; n < NarrowArguments::kRegisters; ++n) {
    const char letter = letters.empty() ? 'u' : letters.front();
    if (!letters.empty()) letters.remove_prefix(1);
    if (!letters.empty() && letters.front() >= '0' && letters.front() <= '9') {
      next = static_cast<unsigned>(letters.front() - '0');
      letters.remove_prefix(1);
    }
    const bool in_two = letter == 'd';
    where.set(n, std::min(next, NarrowArguments::kRegisters - 1), in_two);
    next += in_two ? 2 : 1;
    hook.widths.set(n, in_two ? 8 : letter == 'h' ? 2 : 4, letter == 'i');
  }
}

class SyscallProvider final : public Provider {
 public:
  explicit SyscallProvider(KernelInfo &kernel) : kernel_(kernel) {}

  std::string_view name() const override { return "syscall"; }

  ProviderAttributes attributes() const override {
    constexpr Attributes kEvolving{Stability::kEvolving, Stability::kEvolving, DependencyClass::kCommon};
    constexpr Attributes kPrivate{Stability::kPrivate, Stability::kPrivate, DependencyClass::kUnknown};
    constexpr Attributes kPrivateIsa{Stability::kPrivate, Stability::kPrivate, DependencyClass::kIsa};
    return {kEvolving, kPrivate, kPrivateIsa, kEvolving, kPrivateIsa};
  }

  Result<Unit> list(const ProbeDesc &want, ProbeSink &sink) override {
    if (!field_match(want.module, "vmlinux") && !is_foreign_module(want.module)) return ok();
    const bool entry = field_match(want.name, "entry"), ret = field_match(want.name, "return");
    if (!entry && !ret) return ok();
    const auto offer = [&](uint32_t ordinal, std::string_view name) {
      if (entry) sink.offer(ordinal * 2, "vmlinux", name, "entry");
      if (ret) sink.offer(ordinal * 2 + 1, "vmlinux", name, "return");
    };
    for (const Row &row : arch::host_machine().system_calls)
      if (names(want.function, row)) offer(row.number, row.name);
    uint32_t ordinal = kFirstNarrowOnly;
    for (const arch::NarrowCall &call : narrow_calls()) {
      if (find(call.name) != nullptr) continue;
      if (field_match(want.function, call.name)) offer(ordinal, call.name);
      ++ordinal;
    }
    return ok();
  }

  Absence why_absent(const ProbeDesc &desc) override {
    return absent_system_call(arch::host_machine().system_calls, desc.function);
  }

  Result<std::vector<ProbeArg>> args(const Probe &probe, TypeTable &types) override {
    if (probe.name == "return") {
      // The value twice, as arg0 and arg1, then the kernel's own.
      std::vector<ProbeArg> args{{types.long_type(), types.long_type(), 0},
                                 {types.long_type(), types.long_type(), 1},
                                 {types.long_type(), types.long_type(), 2}};
      args.front().name = kReturnValueName;
      return args;
    }
    const Row *row = find(probe.function);
    std::vector<ProbeArg> args;
    if (row == nullptr || kernel_.tracefs().empty()) return args;
    Result<std::string> format =
        read_file(kernel_.tracefs() + "/events/syscalls/sys_enter_" + std::string(row->kernel_name) + "/format");
    if (!format) return args;  // not every call has a tracepoint; its arguments are then untyped
    for (std::string_view text : field_declarations(*format)) {
      TypeId type = type_of_declaration(text, types, Space::kUser);
      args.push_back({type, type, static_cast<unsigned>(args.size())});
      args.back().name = name_of_declaration(text);
    }
    return args;
  }

  ProbeHook hook(const Probe &probe) override {
    const Row *row = find(probe.function);
    const bool entry = probe.name == "entry";
    ProbeHook hook;
    const bool by_perf = kernel_.features().has(KernelFeature::kPreemptedSyscalls) && !kernel_.tracefs().empty();
    const std::string event = entry ? "sys_enter" : "sys_exit";
    hook.hook.selector = Selector::kSyscallNumber;
    if (by_perf)
      hook.hook.target = PerfTracepointHook{"raw_syscalls", event};
    else
      hook.hook.target = RawTracepointHook{event, kernel_.btf_trace_typedef(event)};
    hook.selector_value = row != nullptr ? row->number : 0;
    set_arguments(row, entry, hook);
    // The record of the perf tracepoint: common fields, number, arguments.
    if (entry && by_perf)
      for (uint32_t i = 0; i < hook.args.size(); ++i)
        hook.args[i] = {ArgSource::Kind::kContextField, 16 + 8 * i, 8, true};
    const arch::NarrowCall *call = find_narrow(probe.function);
    if (call == nullptr) return hook;
    ProbeHook narrow = hook;
    narrow.selector_value = call->number;
    set_narrow_arguments(*call, row, narrow);
    if (row == nullptr) return narrow;
    hook.also.push_back(std::move(narrow));
    return hook;
  }

  /// The function is called for that call alone, and not from within the kernel. The tracepoint is passed before it, by
  /// the same calls.
  std::optional<ProbeHook> hook_at_function(const Probe &probe) override {
    const bool entry = probe.name == "entry";
    if (!entry && !returns_once(probe.function)) return std::nullopt;
    const Row *row = find(probe.function);
    const arch::NarrowCall *call = find_narrow(probe.function);
    ProbeHook hook;
    hook.hook.selector = Selector::kPlace;
    if (entry)
      hook.hook.target = CallEntryHook{};
    else
      hook.hook.target = CallReturnHook{};
    set_arguments(row, entry, hook);
    std::optional<ProbeHook> narrow;
    if (call != nullptr) {
      const std::optional<CallFunction> function = function_of(*call);
      if (!function) return std::nullopt;
      narrow = hook;
      narrow->function = *function;
      set_narrow_arguments(*call, row, *narrow);
    }
    if (row == nullptr) return narrow;
    std::optional<CallFunction> function = described(arch::host_machine().call_function_prefix, row->kernel_name);
    if (!function) return std::nullopt;
    hook.function = std::move(*function);
    if (narrow) hook.also.push_back(std::move(*narrow));
    return hook;
  }

 private:
  /// The ordinal of the first call that only 32-bit code makes; numbers of others are less.
  static constexpr uint32_t kFirstNarrowOnly = 550;

  /// Those that this kernel takes: none where it runs no 32-bit programs.
  std::span<const arch::NarrowCall> narrow_calls() {
    const arch::NarrowCalls &narrow = arch::host_machine().narrow_calls;
    if (!takes_narrow_) {
      const BtfIndex *btf = narrow.calls.empty() ? nullptr : kernel_.btf();
      takes_narrow_ = btf != nullptr && btf->find(narrow.kernel_function, BtfIndex::Kind::kFunc);
    }
    return *takes_narrow_ ? narrow.calls : std::span<const arch::NarrowCall>();
  }

  const arch::NarrowCall *find_narrow(std::string_view name) {
    const std::span<const arch::NarrowCall> calls = narrow_calls();
    const auto found = std::ranges::find(calls, name, &arch::NarrowCall::name);
    return found == calls.end() ? nullptr : &*found;
  }

  /// A function of the kernel for one call.
  std::optional<CallFunction> described(std::string_view prefix, std::string_view own) {
    const std::string_view stem = own.starts_with("sys_") ? own.substr(4) : own;
    const BtfIndex *btf = kernel_.btf();
    if (btf == nullptr || std::ranges::find(kShared, stem) != std::end(kShared)) return std::nullopt;
    std::string name = std::string(prefix) + std::string(own);
    const std::optional<uint32_t> function = btf->find(name, BtfIndex::Kind::kFunc);
    return function ? std::optional(CallFunction{std::move(name), *function}) : std::nullopt;
  }

  std::optional<CallFunction> function_of(const arch::NarrowCall &call) {
    const auto is_shared = [&](const arch::NarrowCall &other) {
      return other.number != call.number && other.function == call.function && call.function != "_";
    };
    if (std::ranges::any_of(narrow_calls(), is_shared)) return std::nullopt;
    const std::string own = call.function == "_" ? "sys_" + std::string(call.name) : std::string(call.function);
    return described(arch::host_machine().narrow_calls.call_function_prefix, own);
  }

  static void set_arguments(const Row *row, bool entry, ProbeHook &hook) {
    hook.is_syscall_entry = entry;
    hook.is_syscall_return = !entry;
    if (entry) {
      if (row != nullptr) hook.widths = widths_of(*row);
      for (uint32_t i = 0; i < 6; ++i) hook.args.push_back({ArgSource::Kind::kSyscallArg, i, 8, true});
    } else {
      hook.args = {{ArgSource::Kind::kSyscallReturn, 0, 8, true},
                   {ArgSource::Kind::kSyscallReturn, 0, 8, true},
                   {ArgSource::Kind::kSyscallRawReturn, 0, 8, true}};
    }
  }

  static const Row *find(std::string_view name) {
    for (const Row &row : arch::host_machine().system_calls)
      if (row.name == name) return &row;
    return nullptr;
  }

  /// The declarations of a tracepoint format's own fields: those after the common ones and the number. Newer kernels
  /// put copies of what arguments point to behind them.
  static std::vector<std::string_view> field_declarations(std::string_view format) {
    std::vector<std::string_view> fields;
    size_t at = 0;
    while ((at = format.find("\tfield:", at)) != std::string_view::npos) {
      at += 7;
      size_t end = format.find(';', at);
      if (end == std::string_view::npos) break;
      std::string_view declaration = format.substr(at, end - at);
      if (declaration.find(" common_") == std::string_view::npos && !declaration.ends_with(" __syscall_nr") &&
          !declaration.starts_with("__data_loc "))
        fields.push_back(declaration);
      at = end;
    }
    return fields;
  }

  KernelInfo &kernel_;
  std::optional<bool> takes_narrow_;
};

}  // namespace

std::unique_ptr<Provider> make_syscall_provider(KernelInfo &kernel) {
  return std::make_unique<SyscallProvider>(kernel);
}

}  // namespace dtrace::runtime
