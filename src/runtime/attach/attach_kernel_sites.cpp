// SPDX-License-Identifier: Apache-2.0
#include "runtime/attach/attach_kernel_sites.h"

#include <bpf/libbpf.h>
#include <fmt/format.h>
#include <linux/perf_event.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <cerrno>
#include <span>

#include "base/owned.h"
#include "base/progress.h"
#include "runtime/kernel/probe_events.h"

namespace dtrace::runtime {
namespace {

using Links = std::vector<bpf_link *>;

/// Single kprobes are removed one RCU grace period after another, tens of milliseconds each: with more of them, ending
/// takes minutes.
constexpr size_t kMaxSingleProbes = 1000;

struct Sites {
  std::vector<unsigned long> addresses;
  std::vector<__u64> cookies;
};

class Together {
 public:
  Together(bpf_program &program, bool at_return, const Sites &sites, Links &links, AttachReport &report)
      : program_(program), at_return_(at_return), sites_(sites), links_(links), report_(report) {}

  /// The kernel takes all functions of a link or none. When it refuses, halves are tried, down to those that it minds.
  void attach(size_t begin, size_t end) {
    LIBBPF_OPTS(bpf_kprobe_multi_opts, opts);
    opts.addrs = sites_.addresses.data() + begin;
    opts.cookies = sites_.cookies.data() + begin;
    opts.cnt = end - begin;
    opts.retprobe = at_return_;
    if (bpf_link *link = bpf_program__attach_kprobe_multi_opts(&program_, nullptr, &opts); link != nullptr) {
      links_.push_back(link);
      report_.sites += end - begin;
      return;
    }
    error_ = errno;
    const bool some_function = error_ == EINVAL || error_ == ESRCH || error_ == ENOENT || error_ == EBUSY;
    if (end - begin == 1 || !some_function) {
      report_.refused += end - begin;
      return;
    }
    const size_t middle = begin + (end - begin) / 2;
    attach(begin, middle);
    attach(middle, end);
  }

  int error() const { return error_; }

 private:
  bpf_program &program_;
  bool at_return_;
  const Sites &sites_;
  Links &links_;
  AttachReport &report_;
  int error_ = 0;
};

Result<int> attach_one_by_one(bpf_program &program, bool at_return, const Sites &sites, Links &links,
                              AttachReport &report) {
  const size_t count = sites.addresses.size();
  if (count > kMaxSingleProbes)
    return Error(
        fmt::format("{} kernel functions are too many: this kernel lacks kprobe_multi (CONFIG_FPROBE), and would "
                    "take minutes to remove more than {} probes one by one",
                    count, kMaxSingleProbes));
  const ProbeEvents &events = ProbeEvents::of_kernel();
  if (events.type == 0 || (at_return && events.return_flag == 0))
    return Error("cannot probe kernel functions: this kernel lacks CONFIG_KPROBE_EVENTS");
  allow_many_events();
  Progress progress(count, report.progress);
  int error = 0;
  for (size_t i = 0; i < count; ++i) {
    progress.at(i);
    perf_event_attr attr{};
    attr.size = sizeof attr;
    attr.type = events.type;
    attr.config = at_return ? events.return_flag : 0;
    attr.config2 = sites.addresses[i];
    // The CPU is of no meaning to the program: it runs wherever the function is called.
    Fd event(static_cast<int>(syscall(SYS_perf_event_open, &attr, -1, 0, -1, PERF_FLAG_FD_CLOEXEC)));
    if (!event) {
      error = errno;
      ++report.refused;
      continue;
    }
    LIBBPF_OPTS(bpf_perf_event_opts, opts, .bpf_cookie = sites.cookies[i]);
    bpf_link *link = bpf_program__attach_perf_event_opts(&program, event.get(), &opts);
    if (link == nullptr) return Error::from_errno("cannot attach to a kprobe", errno);
    event.release();  // the link closes it
    links.push_back(link);
    ++report.sites;
  }
  return error;
}

}  // namespace

Result<Unit> attach_kernel_sites(bpf_program &program, const ProgramPlan &plan, std::span<const SitePlan> planned,
                                 Links &links, AttachReport &report) {
  const bool at_return = plan.hook.facts().at_return;
  Sites sites;
  for (const SitePlan &site : planned) {
    sites.addresses.push_back(site.site.offset);
    sites.cookies.push_back(site.cookie);
  }
  if (sites.addresses.empty()) return ok();
  int error = 0;
  if (plan.multi) {
    report.mechanism = "kprobe_multi";
    Together together(program, at_return, sites, links, report);
    together.attach(0, sites.addresses.size());
    error = together.error();
  } else {
    report.mechanism = "single kprobes";
    Result<int> attached = attach_one_by_one(program, at_return, sites, links, report);
    if (!attached) return std::move(attached).error();
    error = *attached;
  }
  const bool is_no_place = error == EILSEQ || error == EINVAL || error == EADDRNOTAVAIL;
  if (report.sites == 0 && plan.hook.is<KernelInstructionHook>() && is_no_place)
    return Error(
        "cannot probe the kernel's instruction: none begins at this offset, or the kernel takes no probe there", error);
  if (report.sites == 0)
    return Error::from_errno(fmt::format("cannot probe kernel functions ({} tried)", report.refused), error);
  return ok();
}

}  // namespace dtrace::runtime
