// SPDX-License-Identifier: Apache-2.0
#include "runtime/attach_sites.h"

#include <bpf/libbpf.h>
#include <fmt/format.h>
#include <linux/perf_event.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <tuple>

#include "base/owned.h"
#include "runtime/probe_events.h"

namespace dtrace {
namespace {

using Links = std::vector<bpf_link *>;
using Group = std::span<const SitePlan *const>;

constexpr size_t kMostSitesPerLink = 1 << 20;  // the kernel's limit

/// The file by its descriptor: right when it is deleted, replaced or in another mount namespace.
std::string path_of(const UserFile &file) { return fmt::format("/proc/self/fd/{}", file.fd.get()); }

Error refusal(const UserSite &site, size_t count, int error) {
  const std::string what = count == 1 ? fmt::format("{} at offset {:#x}", site.file->path, site.offset)
                                      : fmt::format("{} ({} places)", site.file->path, count);
  return Error::from_errno("cannot set probes in " + what, error);
}

Result<Unit> attach_together(bpf_program &program, const ProgramPlan &plan, Group sites, Links &links) {
  std::vector<unsigned long> offsets, counters;
  std::vector<__u64> cookies;
  bool any_counter = false;
  for (const SitePlan *site : sites) {
    offsets.push_back(site->site.offset);
    counters.push_back(site->site.ref_ctr_offset);
    cookies.push_back(site->cookie);
    any_counter |= site->site.ref_ctr_offset != 0;
  }
  const UserSite &first = sites.front()->site;
  LIBBPF_OPTS(bpf_uprobe_multi_opts, opts);
  opts.offsets = offsets.data();
  opts.cookies = cookies.data();
  opts.ref_ctr_offsets = any_counter ? counters.data() : nullptr;
  opts.cnt = offsets.size();
  opts.retprobe = plan.hook.kind == HookKind::kUretprobe;
  bpf_link *link = bpf_program__attach_uprobe_multi(&program, first.pid == 0 ? -1 : first.pid,
                                                    path_of(*first.file).c_str(), nullptr, &opts);
  if (link == nullptr) return refusal(first, offsets.size(), errno);
  links.push_back(link);
  return ok();
}

/// What the kernel says to an instruction that it cannot step over: ENOTSUPP of its own, ENOEXEC if it cannot decode
/// it.
bool is_about_instruction(int error) {
  constexpr int kNotSupported = 524;
  return error == kNotSupported || error == EOPNOTSUPP || error == ENOEXEC || error == EINVAL;
}

std::string place_of(const UserSite &site) { return fmt::format("{} at offset {:#x}", site.file->path, site.offset); }

Result<Unit> attach_one_by_one(bpf_program &program, const ProgramPlan &plan, Group sites, Links &links,
                               std::vector<std::string> &refused) {
  const ProbeEvents &events = ProbeEvents::of_user_programs();
  const bool at_return = plan.hook.kind == HookKind::kUretprobe;
  if (events.type == 0 || (at_return && events.return_flag == 0))
    return Error("cannot set user probes: this kernel lacks CONFIG_UPROBE_EVENTS");
  allow_many_events();
  for (const SitePlan *planned : sites) {
    const UserSite &site = planned->site;
    const std::string path = path_of(*site.file);
    perf_event_attr attr{};
    attr.size = sizeof attr;
    attr.type = events.type;
    attr.config = (at_return ? events.return_flag : 0) | site.ref_ctr_offset << 32;
    attr.config1 = reinterpret_cast<uint64_t>(path.c_str());
    attr.config2 = site.offset;
    const pid_t pid = site.pid == 0 ? -1 : site.pid;
    const int cpu = site.pid == 0 ? 0 : -1;  // of no meaning to the program: it runs wherever the site is hit
    Fd event(static_cast<int>(syscall(SYS_perf_event_open, &attr, pid, cpu, -1, PERF_FLAG_FD_CLOEXEC)));
    if (!event && is_about_instruction(errno)) {
      refused.push_back(place_of(site));
      continue;
    }
    if (!event) return refusal(site, 1, errno);
    LIBBPF_OPTS(bpf_perf_event_opts, opts, .bpf_cookie = planned->cookie);
    bpf_link *link = bpf_program__attach_perf_event_opts(&program, event.get(), &opts);
    if (link == nullptr) return refusal(site, 1, errno);
    event.release();  // the link closes it
    links.push_back(link);
  }
  return ok();
}

/// One refused site fails its whole link: halves find it.
Result<Unit> attach_what_can_be(bpf_program &program, const ProgramPlan &plan, Group sites, Links &links,
                                std::vector<std::string> &refused) {
  Result<Unit> attached = attach_together(program, plan, sites, links);
  if (attached || !is_about_instruction(attached.error().errno_value())) return attached;
  if (sites.size() == 1) {
    refused.push_back(place_of(sites.front()->site));
    return ok();
  }
  const size_t half = sites.size() / 2;
  if (Result<Unit> r = attach_what_can_be(program, plan, sites.first(half), links, refused); !r) return r;
  return attach_what_can_be(program, plan, sites.subspan(half), links, refused);
}

}  // namespace

Result<Unit> attach_sites(bpf_program &program, const ProgramPlan &plan, std::span<const SitePlan> sites, Links &links,
                          std::vector<std::string> &refused) {
  std::vector<const SitePlan *> order;
  for (const SitePlan &site : sites) order.push_back(&site);
  auto group = [](const SitePlan *site) { return std::tuple(site->site.file.get(), site->site.pid); };
  std::stable_sort(order.begin(), order.end(), [&](auto *a, auto *b) { return group(a) < group(b); });
  for (size_t begin = 0, end = 0; begin < order.size(); begin = end) {
    while (end < order.size() && end - begin < kMostSitesPerLink && group(order[end]) == group(order[begin])) ++end;
    Group members(order.data() + begin, end - begin);
    Result<Unit> attached = plan.multi ? attach_what_can_be(program, plan, members, links, refused)
                                       : attach_one_by_one(program, plan, members, links, refused);
    if (!attached && attached.error().errno_value() != ESRCH) return attached;
  }
  return ok();
}

Result<Unit> attach_user_sites(bpf_program &program, const ProgramPlan &plan, const std::vector<int> &, Links &links) {
  std::vector<std::string> refused;
  Result<Unit> attached = attach_sites(program, plan, plan.sites, links, refused);
  if (attached && !refused.empty())
    return Error(fmt::format("the kernel cannot probe the instruction in {}", refused.front()));
  return attached;
}

}  // namespace dtrace
