// SPDX-License-Identifier: Apache-2.0
#include "runtime/attach/attach_calls.h"

#include <bpf/libbpf.h>
#include <fmt/format.h>

#include <cerrno>

namespace dtrace::runtime {
namespace {

constexpr std::string_view kOtherWay = "; -x syscalls=tracepoint uses tracepoints instead";

/// By name: to read the table of all functions for a few of them would take longer than all else.
Result<Unit> attach_together(const bpf_program &program, const ProgramPlan &plan, std::vector<bpf_link *> &links,
                             AttachReport &report) {
  report.mechanism = "kprobe_multi";
  std::vector<const char *> names;
  std::vector<__u64> cookies;
  for (const CallSite &site : plan.call_sites) {
    names.push_back(site.function.name.c_str());
    cookies.push_back(site.cookie);
  }
  LIBBPF_OPTS(bpf_kprobe_multi_opts, opts);
  opts.syms = names.data();
  opts.cookies = cookies.data();
  opts.cnt = names.size();
  opts.retprobe = plan.hook.facts().at_return;
  bpf_link *link = bpf_program__attach_kprobe_multi_opts(&program, nullptr, &opts);
  if (link == nullptr)
    return Error::from_errno(fmt::format("cannot probe the functions of {} system calls{}", names.size(), kOtherWay),
                             errno);
  links.push_back(link);
  report.sites = names.size();
  return ok();
}

}  // namespace

Result<Unit> attach_calls(const bpf_program &program, const ProgramPlan &plan, std::vector<bpf_link *> &links,
                          std::vector<ProgramCopy> &copies, AttachReport &report) {
  report.is_of_calls = true;
  if (plan.multi) return attach_together(program, plan, links, report);
  std::vector<SitePlan> sites;
  for (const CallSite &site : plan.call_sites) {
    SitePlan &to = sites.emplace_back();
    to.site.btf_id = site.function.btf_id;
    to.cookie = site.cookie;
  }
  if (Result<Unit> r = attach_trampolines(program, plan, sites, copies, report); !r) return r;
  if (report.refused == 0) return ok();
  return Error(
      fmt::format("the kernel refused {} of {} functions of system calls{}", report.refused, sites.size(), kOtherWay));
}

}  // namespace dtrace::runtime
