// SPDX-License-Identifier: Apache-2.0
#include "runtime/attach/attach.h"

#include <bpf/libbpf.h>
#include <fmt/format.h>
#include <linux/hw_breakpoint.h>
#include <linux/perf_event.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <cerrno>
#include <cstdlib>
#include <variant>

#include "base/folder.h"
#include "base/owned.h"
#include "base/read_file.h"
#include "runtime/attach/attach_calls.h"
#include "runtime/attach/attach_tracepoint_copies.h"
#include "runtime/kernel/kernel_info.h"
#include "runtime/kernel/tracefs.h"

namespace dtrace::runtime {
namespace {

Result<Unit> keep(bpf_link *link, const std::string &what, std::vector<bpf_link *> &links) {
  if (link == nullptr) return Error::from_errno(fmt::format("cannot attach to {}", what), errno);
  links.push_back(link);
  return ok();
}

/// A program on an event of perf's. The link closes the event.
Result<Unit> attach_event(bpf_program &program, perf_event_attr attr, int cpu, const std::string &what,
                          std::vector<bpf_link *> &links, pid_t thread = -1) {
  attr.size = sizeof attr;
  Fd event(static_cast<int>(syscall(SYS_perf_event_open, &attr, thread, cpu, -1, PERF_FLAG_FD_CLOEXEC)));
  if (!event) return Error::from_errno("cannot open " + what, errno);
  bpf_link *link = bpf_program__attach_perf_event(&program, event.get());
  if (link != nullptr) event.release();
  return keep(link, what, links);
}

std::vector<pid_t> threads_of(pid_t pid) {
  std::vector<pid_t> threads;
  (void)each_entry(fmt::format("/proc/{}/task", pid), [&](const std::filesystem::directory_entry &entry) {
    threads.push_back(static_cast<pid_t>(std::strtol(entry.path().filename().c_str(), nullptr, 10)));
  });
  return threads;
}

/// What is attached, and to what it goes.
struct Request {
  bpf_program &program;
  const ProgramPlan &plan;
  std::span<const SitePlan> sites;
  const AttachCpus &cpus;
  Attachments &to;
  AttachReport &report;
};

// ---------------------------------------------------------------- each kind

Result<Unit> attach(const NeverHook &, const Request &) { return ok(); }
Result<Unit> attach(const TestRunHook &, const Request &) { return ok(); }

Result<Unit> attach(const RawTracepointHook &hook, const Request &request) {
  bpf_link *link = request.plan.as_btf_tracepoint
                       ? bpf_program__attach_trace(&request.program)
                       : bpf_program__attach_raw_tracepoint(&request.program, hook.event.c_str());
  if (request.plan.hook.selector == Selector::kSyscallNumber) request.report.tracepoint = hook.event;
  return keep(link, "the tracepoint " + hook.event, request.to.links);
}

Result<Unit> attach(const TracepointCopiesHook &, const Request &request) {
  return attach_tracepoint_copies(request.program, request.plan, request.to.copies);
}

Result<Unit> attach(const PerfTracepointHook &hook, const Request &request) {
  const std::string what = "the tracepoint " + hook.text();
  // Not libbpf's way, which looks for tracefs where it is mounted. The event of one CPU stands for all of them.
  Result<std::string> id = read_file(fmt::format("{}/events/{}/{}/id", tracefs_path(), hook.subsystem, hook.event));
  if (!id) return std::move(id).error().during(what);
  if (request.plan.hook.selector == Selector::kSyscallNumber) request.report.tracepoint = hook.event;
  perf_event_attr attr{};
  attr.type = PERF_TYPE_TRACEPOINT;
  attr.config = std::strtoull(id->c_str(), nullptr, 10);
  return attach_event(request.program, attr, request.cpus.all().front(), what, request.to.links);
}

Result<Unit> attach(const PerfClockHook &hook, const Request &request) {
  perf_event_attr attr{};
  attr.type = PERF_TYPE_SOFTWARE;
  attr.config = PERF_COUNT_SW_CPU_CLOCK;
  attr.sample_period = hook.period_ns;
  for (const int cpu : request.cpus.of(hook.cpu)) {
    const std::string what = fmt::format("the clock event of CPU {}", cpu);
    if (Result<Unit> r = attach_event(request.program, attr, cpu, what, request.to.links); !r) return r;
  }
  return ok();
}

Result<Unit> attach(const PerfCounterHook &hook, const Request &request) {
  perf_event_attr attr{};
  attr.type = hook.type;
  attr.config = hook.config;
  attr.sample_period = hook.period;
  attr.exclude_user = hook.in_user ? 0 : 1;
  attr.exclude_kernel = hook.in_kernel ? 0 : 1;
  for (const int cpu : request.cpus.all()) {
    const std::string what = fmt::format("the counter of CPU {}", cpu);
    if (Result<Unit> r = attach_event(request.program, attr, cpu, what, request.to.links); !r) return r;
  }
  return ok();
}

/// The processor has few of them (4 on x86-64), each of which serves one address of every thread.
std::string watch_error(const WatchpointHook &hook, int error) {
  const std::string what =
      fmt::format("a watchpoint on {} byte{} at {:#x}", hook.size_bytes, hook.size_bytes == 1 ? "" : "s", hook.address);
  if (error == ENOSPC) return what + ": all breakpoints of the processor are in use";
  if (error == EINVAL)
    return what + ": the processor cannot watch this address, which has to be a multiple of the size";
  if (error == EOPNOTSUPP || error == ENODEV || error == ENOENT) return what + ": this machine has no breakpoints";
  return what;
}

Result<Unit> attach(const WatchpointHook &hook, const Request &request) {
  perf_event_attr attr{};
  attr.type = PERF_TYPE_BREAKPOINT;
  attr.bp_type = hook.access;
  attr.bp_addr = hook.address;
  attr.bp_len = hook.access == HW_BREAKPOINT_X ? sizeof(long) : hook.size_bytes;
  attr.sample_period = 1;
  if (hook.pid < 0) {
    for (const int cpu : request.cpus.all()) {
      Result<Unit> r = attach_event(request.program, attr, cpu, "it", request.to.links);
      if (!r)
        return Error::from_errno("cannot set " + watch_error(hook, r.error().errno_value()), r.error().errno_value());
    }
    return ok();
  }
  // Threads that are made later inherit it.
  attr.inherit = 1;
  attr.inherit_thread = 1;
  size_t watched = 0;
  for (const pid_t thread : threads_of(hook.pid)) {
    const Result<Unit> r = attach_event(request.program, attr, -1, "it", request.to.links, thread);
    const int error = r ? 0 : r.error().errno_value();
    if (error != 0 && error != ESRCH) return Error::from_errno("cannot set " + watch_error(hook, error), error);
    watched += r ? 1 : 0;  // else the thread has ended
  }
  if (watched == 0) return Error::from_errno("cannot set " + watch_error(hook, ESRCH), ESRCH);
  return ok();
}

Result<Unit> attach(const WalkHook &hook, const Request &request) {
  bpf_link *link = nullptr;
  if (!hook.table.empty()) {
    link = bpf_program__attach_iter(&request.program, nullptr);
    if (link == nullptr) return Error::from_errno(fmt::format("cannot walk the kernel's {} table", hook.table), errno);
  }
  request.to.walks.push_back({&request.plan, link});
  return ok();
}

Result<Unit> attach_in_user(const Request &request) {
  return attach_sites(request.program, request.plan, request.sites, request.to.user_links, request.to.left_out,
                      request.report.progress);
}
Result<Unit> attach(const UserInstructionHook &, const Request &request) {
  Result<Unit> attached = attach_in_user(request);
  if (attached) request.to.tests.attach(request.sites, request.plan.multi, request.to.user_links);
  return attached;
}
Result<Unit> attach(const UserReturnHook &, const Request &request) { return attach_in_user(request); }

Result<Unit> attach_in_kernel(const Request &request) {
  if (!request.plan.trampoline.empty())
    return attach_trampolines(request.program, request.plan, request.plan.sites, request.to.copies, request.report);
  return attach_kernel_sites(request.program, request.plan, request.sites, request.to.links, request.report);
}
Result<Unit> attach_to_calls(const Request &request) {
  return attach_calls(request.program, request.plan, request.to.links, request.to.copies, request.report);
}
Result<Unit> attach(const CallEntryHook &, const Request &request) { return attach_to_calls(request); }
Result<Unit> attach(const CallReturnHook &, const Request &request) { return attach_to_calls(request); }
Result<Unit> attach(const KernelEntryHook &, const Request &request) { return attach_in_kernel(request); }
Result<Unit> attach(const KernelReturnHook &, const Request &request) { return attach_in_kernel(request); }
Result<Unit> attach(const KernelInstructionHook &, const Request &request) { return attach_in_kernel(request); }

}  // namespace

Result<Unit> attach_hook(bpf_program &program, const ProgramPlan &plan, std::span<const SitePlan> sites,
                         const AttachCpus &cpus, Attachments &to, AttachReport &report) {
  const Request request{program, plan, sites, cpus, to, report};
  return std::visit([&](const auto &hook) { return attach(hook, request); }, plan.hook.target);
}

}  // namespace dtrace::runtime
