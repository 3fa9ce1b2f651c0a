// SPDX-License-Identifier: Apache-2.0
#include "runtime/kernel/kernel_features.h"

#include <bpf/bpf.h>
#include <fmt/format.h>
#include <linux/bpf.h>
#include <linux/perf_event.h>
#include <sys/syscall.h>
#include <sys/utsname.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdlib>
#include <iterator>
#include <memory>
#include <optional>

#include "base/owned.h"
#include "base/read_file.h"
#include "runtime/kernel/kernel_btf.h"
#include "runtime/kernel/probe_events.h"

namespace dtrace::runtime {
namespace {

// The kernel's ABI; Debian 12's header ends before it.
constexpr auto kTraceUprobeMulti = static_cast<bpf_attach_type>(48);

constexpr const char *kNoFunction = "dtrace_tries_this_name";

/// A program that returns 0.
Fd load_nothing(bpf_prog_type type, bpf_attach_type attach_type, uint32_t flags, uint32_t function = 0) {
  const bpf_insn instructions[] = {
      {.code = BPF_ALU64 | BPF_MOV | BPF_K, .dst_reg = 0, .src_reg = 0, .off = 0, .imm = 0},
      {.code = BPF_JMP | BPF_EXIT, .dst_reg = 0, .src_reg = 0, .off = 0, .imm = 0},
  };
  LIBBPF_OPTS(bpf_prog_load_opts, opts, .expected_attach_type = attach_type, .prog_flags = flags,
              .attach_btf_id = function);
  return Fd(bpf_prog_load(type, "dt_try", "GPL", instructions, std::size(instructions), &opts));
}

/// Kernels before 6.6 load the program and refuse every link; those that know it get as far as the path, which is no
/// regular file. Asking with a sleepable program would not do: 6.1 has those, and not this.
/// Kernels before 6.10 took the process to trace for a thread; since then a negative one is an error of its own.
bool try_uprobe_multi() {
  Fd program = load_nothing(BPF_PROG_TYPE_KPROBE, kTraceUprobeMulti, 0);
  if (!program) return false;
  auto refused_with = [&](uint32_t pid) {
    const unsigned long offset = 0;
    LIBBPF_OPTS(bpf_link_create_opts, opts);
    opts.uprobe_multi.path = "/";
    opts.uprobe_multi.offsets = &offset;
    opts.uprobe_multi.cnt = 1;
    opts.uprobe_multi.pid = pid;
    Fd link(bpf_link_create(program.get(), -1, kTraceUprobeMulti, &opts));
    return link ? 0 : errno;
  };
  return refused_with(0) == EBADF && refused_with(UINT32_MAX) == EINVAL;
}

/// Those that know it look for the function, in vain; those without CONFIG_FPROBE load the program and refuse the link.
/// By a name they would look through all symbols there are.
bool try_kprobe_multi() {
  Fd program = load_nothing(BPF_PROG_TYPE_KPROBE, BPF_TRACE_KPROBE_MULTI, 0);
  if (!program) return false;
  const unsigned long nowhere = 1;
  LIBBPF_OPTS(bpf_link_create_opts, opts);
  opts.kprobe_multi.addrs = &nowhere;
  opts.kprobe_multi.cnt = 1;
  Fd link(bpf_link_create(program.get(), -1, BPF_TRACE_KPROBE_MULTI, &opts));
  return !link && (errno == ESRCH || errno == ENOENT || errno == EINVAL);
}

/// Functions to try trampolines on: called rarely, and each has been inlined, renamed or left out of BTF by some
/// kernel.
constexpr std::string_view kRareFunctions[] = {"vfs_statfs", "vfs_truncate", "vfs_fsync_range", "do_coredump"};

/// Kernels that cannot change functions, or may not, load the program and refuse the link.
bool try_trampoline() {
  Result<std::unique_ptr<KernelBtf>> btf = KernelBtf::open(kKernelBtfPath);
  if (!btf) return false;
  return std::ranges::any_of(kRareFunctions, [&](std::string_view name) {
    const std::optional<uint32_t> function = (*btf)->vmlinux().find(name, BtfIndex::Kind::kFunc);
    if (!function) return false;
    Fd program = load_nothing(BPF_PROG_TYPE_TRACING, BPF_TRACE_FENTRY, 0, *function);
    if (!program) return false;
    LIBBPF_OPTS(bpf_link_create_opts, opts, .tracing = {.cookie = 1});
    return static_cast<bool>(Fd(bpf_link_create(program.get(), 0, BPF_TRACE_FENTRY, &opts)));
  });
}

/// Those that know it look for the function, in vain; lockdown says EPERM before anything is looked for.
bool try_kprobe() {
  perf_event_attr attr{};
  attr.size = sizeof attr;
  attr.type = ProbeEvents::of_kernel().type;
  if (attr.type == 0) return false;
  attr.config1 = reinterpret_cast<uint64_t>(kNoFunction);
  Fd event(static_cast<int>(syscall(SYS_perf_event_open, &attr, -1, 0, -1, PERF_FLAG_FD_CLOEXEC)));
  return !event && errno == ENOENT;
}

/// Where such programs may sleep, the kernel does not forbid preemption while it runs those that do not; and one that
/// is preempted does not run for the task that comes instead.
bool try_preempted_syscalls() {
  return static_cast<bool>(load_nothing(BPF_PROG_TYPE_RAW_TRACEPOINT, bpf_attach_type{}, BPF_F_SLEEPABLE));
}

/// Whether a task that runs in the kernel may be preempted by another. Unknown counts as yes.
bool kernel_is_preemptible() {
  utsname names{};
  if (uname(&names) != 0) return true;
  if (std::string_view(names.version).find("PREEMPT") == std::string_view::npos) return false;
  const Result<std::string> mode = read_file("/sys/kernel/debug/sched/preempt");  // "none (voluntary) full"
  return !mode || (mode->find("(none)") == std::string::npos && mode->find("(voluntary)") == std::string::npos);
}

/// What functions call themselves may be preempted, and then misses firings of others. Links of many functions forbid
/// preemption; but only since kernels have preempted_syscalls do they see every return, however many calls wait.
bool try_call_functions() {
  if (try_preempted_syscalls()) return try_kprobe_multi();
  // Kernels that have such links can change functions; to try it takes longer.
  return !kernel_is_preemptible() && (try_kprobe_multi() || try_trampoline());
}

bool try_sleepable_uprobe() {
  return static_cast<bool>(load_nothing(BPF_PROG_TYPE_KPROBE, bpf_attach_type{}, BPF_F_SLEEPABLE));
}

/// A program with one call of a helper that a locked-down kernel does not offer. Where it does, the kernel logs a
/// warning that this process may corrupt user memory.
bool try_write_user() {
  const bpf_insn instructions[] = {
      {.code = BPF_ALU64 | BPF_MOV | BPF_K, .dst_reg = 1, .src_reg = 0, .off = 0, .imm = 0},
      {.code = BPF_ALU64 | BPF_MOV | BPF_X, .dst_reg = 2, .src_reg = 10, .off = 0, .imm = 0},
      {.code = BPF_ALU64 | BPF_ADD | BPF_K, .dst_reg = 2, .src_reg = 0, .off = 0, .imm = -8},
      {.code = BPF_ST | BPF_MEM | BPF_DW, .dst_reg = 10, .src_reg = 0, .off = -8, .imm = 0},
      {.code = BPF_ALU64 | BPF_MOV | BPF_K, .dst_reg = 3, .src_reg = 0, .off = 0, .imm = 8},
      {.code = BPF_JMP | BPF_CALL, .dst_reg = 0, .src_reg = 0, .off = 0, .imm = BPF_FUNC_probe_write_user},
      {.code = BPF_ALU64 | BPF_MOV | BPF_K, .dst_reg = 0, .src_reg = 0, .off = 0, .imm = 0},
      {.code = BPF_JMP | BPF_EXIT, .dst_reg = 0, .src_reg = 0, .off = 0, .imm = 0},
  };
  return static_cast<bool>(
      Fd(bpf_prog_load(BPF_PROG_TYPE_KPROBE, "dt_try", "GPL", instructions, std::size(instructions), nullptr)));
}

struct Row {
  KernelFeature feature;
  std::string_view tag, text;
  bool (*attempt)();
};
constexpr bool (*attempt_of(KernelFeature feature))() {
  switch (feature) {
    case KernelFeature::kUprobeMulti:
      return try_uprobe_multi;
    case KernelFeature::kSleepableUprobe:
      return try_sleepable_uprobe;
    case KernelFeature::kKprobeMulti:
      return try_kprobe_multi;
    case KernelFeature::kTrampoline:
      return try_trampoline;
    case KernelFeature::kKprobe:
      return try_kprobe;
    case KernelFeature::kWriteUser:
      return try_write_user;
    case KernelFeature::kPreemptedSyscalls:
      return try_preempted_syscalls;
    case KernelFeature::kCallFunctions:
      return try_call_functions;
  }
  return nullptr;
}
constexpr Row kRows[] = {
#define FEATURE(name, tag, text) {KernelFeature::k##name, tag, text, attempt_of(KernelFeature::k##name)},
#include "plan/kernel_features.def"
};

/// Features named here are taken to be missing: a newer kernel then shows what an older one makes of a program.
constexpr const char *kLacks = "DTRACE_KERNEL_LACKS";

bool is_denied(std::string_view tag) {
  const char *listed = std::getenv(kLacks);
  for (std::string_view left = listed != nullptr ? listed : ""; !left.empty();) {
    const size_t end = std::min(left.find(','), left.size());
    if (left.substr(0, end) == tag) return true;
    left.remove_prefix(std::min(end + 1, left.size()));
  }
  return false;
}

/// Trying it leaves a warning in the kernel's log, so it is tried for programs that need it only.
bool is_logged(KernelFeature feature) { return feature == KernelFeature::kWriteUser; }

/// A program that doubles an argument: that is refused for pointers.
bool try_to_compute(uint32_t tracepoint, unsigned argument) {
  const bpf_insn instructions[] = {
      {.code = BPF_LDX | BPF_MEM | BPF_DW,
       .dst_reg = 2,
       .src_reg = 1,
       .off = static_cast<int16_t>(8 * argument),
       .imm = 0},
      {.code = BPF_ALU64 | BPF_LSH | BPF_K, .dst_reg = 2, .src_reg = 0, .off = 0, .imm = 1},
      {.code = BPF_ALU64 | BPF_MOV | BPF_K, .dst_reg = 0, .src_reg = 0, .off = 0, .imm = 0},
      {.code = BPF_JMP | BPF_EXIT, .dst_reg = 0, .src_reg = 0, .off = 0, .imm = 0},
  };
  LIBBPF_OPTS(bpf_prog_load_opts, opts, .expected_attach_type = BPF_TRACE_RAW_TP, .attach_btf_id = tracepoint);
  return static_cast<bool>(
      Fd(bpf_prog_load(BPF_PROG_TYPE_TRACING, "dt_try", "GPL", instructions, std::size(instructions), &opts)));
}

const Row &row_of(KernelFeature feature) { return kRows[static_cast<size_t>(feature)]; }

}  // namespace

bool KernelFeatures::has(KernelFeature feature) {
  auto [known, inserted] = known_.try_emplace(feature, false);
  if (inserted) known->second = !is_denied(row_of(feature).tag) && row_of(feature).attempt();
  return known->second;
}

bool KernelFeatures::is_typed_pointer(uint32_t tracepoint, unsigned argument) {
  auto [known, inserted] = pointers_.try_emplace({tracepoint, argument}, true);
  if (inserted) known->second = !try_to_compute(tracepoint, argument);
  return known->second;
}

std::string KernelFeatures::text() {
  std::string out;
  for (const Row &row : kRows) {
    const bool is_known = known_.contains(row.feature) || is_denied(row.tag);
    if (is_logged(row.feature) && !is_known)
      out += fmt::format("{:<20} {:<3} {} (not tried: the kernel logs a warning)\n", row.tag, "?", row.text);
    else
      out += fmt::format("{:<20} {:<3} {}\n", row.tag, has(row.feature) ? "yes" : "no", row.text);
  }
  return out;
}

}  // namespace dtrace::runtime
