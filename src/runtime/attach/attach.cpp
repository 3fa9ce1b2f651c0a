// SPDX-License-Identifier: Apache-2.0
#include "runtime/attach/attach.h"

#include <bpf/libbpf.h>
#include <fmt/format.h>
#include <linux/perf_event.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <cerrno>
#include <cstdlib>

#include "base/owned.h"
#include "runtime/kernel/kernel_info.h"
#include "runtime/kernel/tracefs.h"

namespace dtrace {
namespace {

using Links = std::vector<bpf_link *>;

Result<Unit> keep(bpf_link *link, const std::string &what, Links &links) {
  if (link == nullptr) return Error::from_errno(fmt::format("cannot attach to {}", what), errno);
  links.push_back(link);
  return ok();
}

Result<Unit> attach_raw_tracepoint(bpf_program &program, const ProgramPlan &plan, const std::vector<int> &,
                                   Links &links) {
  const std::string what = "the tracepoint " + plan.hook.target;
  if (plan.as_btf_tracepoint) return keep(bpf_program__attach_trace(&program), what, links);
  return keep(bpf_program__attach_raw_tracepoint(&program, plan.hook.target.c_str()), what, links);
}

Result<Unit> attach_tracepoint(bpf_program &program, const ProgramPlan &plan, const std::vector<int> &cpus,
                               Links &links) {
  const size_t colon = plan.hook.target.find(':');
  const std::string subsystem = plan.hook.target.substr(0, colon), event = plan.hook.target.substr(colon + 1);
  const std::string what = "the tracepoint " + plan.hook.target;
  // Not libbpf's way, which looks for tracefs where it is mounted. The event of one CPU stands for all of them.
  Result<std::string> id = read_file(fmt::format("{}/events/{}/{}/id", tracefs_path(), subsystem, event));
  if (!id) return std::move(id).error().during(what);
  perf_event_attr attr{};
  attr.size = sizeof attr;
  attr.type = PERF_TYPE_TRACEPOINT;
  attr.config = std::strtoull(id->c_str(), nullptr, 10);
  Fd opened(static_cast<int>(syscall(SYS_perf_event_open, &attr, -1, cpus.front(), -1, PERF_FLAG_FD_CLOEXEC)));
  if (!opened) return Error::from_errno("cannot open " + what, errno);
  bpf_link *link = bpf_program__attach_perf_event(&program, opened.get());
  if (link != nullptr) opened.release();  // the link closes it
  return keep(link, what, links);
}

Result<Unit> attach_perf_clock(bpf_program &program, const ProgramPlan &plan, const std::vector<int> &cpus,
                               Links &links) {
  perf_event_attr attr{};
  attr.size = sizeof attr;
  attr.type = PERF_TYPE_SOFTWARE;
  attr.config = PERF_COUNT_SW_CPU_CLOCK;
  attr.sample_period = std::strtoull(plan.hook.target.c_str(), nullptr, 10);
  for (int cpu : cpus) {
    Fd event(static_cast<int>(syscall(SYS_perf_event_open, &attr, -1, cpu, -1, PERF_FLAG_FD_CLOEXEC)));
    if (!event) return Error::from_errno(fmt::format("cannot open a clock event on CPU {}", cpu), errno);
    bpf_link *link = bpf_program__attach_perf_event(&program, event.get());
    if (link != nullptr) event.release();  // the link closes it
    if (Result<Unit> r = keep(link, fmt::format("the clock event of CPU {}", cpu), links); !r) return r;
  }
  return ok();
}

struct Row {
  HookKind kind;
  Result<Unit> (*attach)(bpf_program &, const ProgramPlan &, const std::vector<int> &, Links &);
};
constexpr Row kRows[] = {
    {HookKind::kRawTracepoint, attach_raw_tracepoint},
    {HookKind::kTracepoint, attach_tracepoint},
    {HookKind::kPerfClock, attach_perf_clock},
};

}  // namespace

Result<Unit> attach_hook(bpf_program &program, const ProgramPlan &plan, const std::vector<int> &cpus,
                         std::vector<bpf_link *> &links, AttachReport &report) {
  if (plan.hook.kind == HookKind::kKprobe || plan.hook.kind == HookKind::kKretprobe)
    return attach_kernel_sites(program, plan, plan.sites, links, report);
  for (const Row &row : kRows)
    if (row.kind == plan.hook.kind) return row.attach(program, plan, cpus, links);
  return Error(fmt::format("no way to attach {}", plan.function));
}

}  // namespace dtrace
