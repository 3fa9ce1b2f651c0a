// SPDX-License-Identifier: Apache-2.0
#include "runtime/attach/attach_sites.h"

#include <bpf/bpf.h>
#include <bpf/libbpf.h>
#include <fmt/format.h>
#include <linux/perf_event.h>
#include <sys/ioctl.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <iterator>
#include <tuple>
#include <utility>

#include "base/exhausted.h"
#include "base/file_limit.h"
#include "base/printable.h"
#include "runtime/attach/attach_shield.h"
#include "runtime/kernel/probe_events.h"

namespace dtrace::runtime {
namespace {

using Group = std::span<const SitePlan *const>;

/// Enough to make the cost of a link small. What a SIGKILL to the very process that sets probes can leave in a target
/// is one link, and tracing that is given up ends after one link.
constexpr size_t kMaxSitesPerLink = 1024;

/// How long links are made before progress is looked at.
constexpr std::chrono::milliseconds kTurn{250};

// The kernel's ABI; Debian 12's header ends before them.
constexpr auto kTraceUprobeMulti = static_cast<bpf_attach_type>(48);  // BPF_TRACE_UPROBE_MULTI
constexpr __u32 kUprobeMultiReturn = 1;                               // BPF_F_UPROBE_MULTI_RETURN

/// The file by its descriptor: right when it is deleted, replaced or in another mount namespace.
std::string path_of(const UserFile &file) { return fmt::format("/proc/self/fd/{}", file.fd.get()); }

std::string place_of(const UserSite &site) { return fmt::format("{} at offset {:#x}", site.file->path, site.offset); }

/// What the kernel says to an instruction that it cannot step over: ENOTSUPP of its own, ENOEXEC if it cannot decode
/// it.
bool is_about_instruction(int error) {
  constexpr int kNotSupported = 524;
  return error == kNotSupported || error == EOPNOTSUPP || error == ENOEXEC || error == EINVAL;
}

/// What it says to a file whose pages it cannot read or write, and which so concerns no other file.
bool is_about_file(int error) {
  constexpr int kOfFiles[] = {EIO, ENXIO, ENODEV, ENOENT, ESTALE, ETXTBSY, EFBIG, EROFS, ELOOP, ENOTDIR};
  return std::ranges::find(kOfFiles, error) != std::end(kOfFiles);
}

}  // namespace

/// Makes links in rounds. A round is prepared here, as what is done under the shield must not allocate.
class SiteAttacher {
 public:
  SiteAttacher(const bpf_program &program, const ProgramPlan &plan, UserLinks &links, SitesLeftOut &left_out,
               const TellProgress &progress)
      : program_fd_(bpf_program__fd(&program)),
        plan_(plan),
        at_return_(plan.hook.facts().at_return),
        links_(links),
        made_(at_return_ ? links.returns_ : links.others_),
        left_out_(left_out),
        tell_(progress) {}

  Result<Unit> attach(std::vector<Group> groups) {
    const auto file_of = [](Group group) { return group.front()->site.file.get(); };
    has_several_files_ =
        std::ranges::any_of(groups, [&](Group group) { return file_of(group) != file_of(groups.front()); });
    if (!plan_.multi) {
      const ProbeEvents &events = ProbeEvents::of_user_programs();
      if (events.type == 0 || (at_return_ && events.return_flag == 0))
        return Error("cannot set user probes: this kernel lacks CONFIG_UPROBE_EVENTS");
      allow_many_events();
    }
    size_t nr_sites = 0;
    for (const Group group : groups) nr_sites += group.size();
    Progress progress(nr_sites, tell_, std::chrono::nanoseconds(0));  // a turn takes long enough
    while (!groups.empty()) {
      std::vector<Request> requests;
      requests.reserve(groups.size());
      for (Group group : groups) requests.push_back(prepare(group));
      made_.fds.reserve(made_.fds.size() + requests.size());
      made_.files.reserve(made_.fds.size() + requests.size());
      for (size_t next = 0; next < requests.size();) {
        const size_t before = next;
        run_shielded([&] { make_links(requests, next); });
        progress.at(nr_made_);
        if (next == before) break;  // the process was killed before it came to one
      }
      groups.clear();
      for (const Request &request : requests) {
        if (request.error == 0 || request.error == ESRCH) continue;
        if (is_for_its_file_only(request.error)) {
          leave_out(*request.group.front()->site.file, request.error);
          continue;
        }
        if (!is_about_instruction(request.error)) return refusal(request);
        // One refused site fails its whole link: halves find it.
        const size_t half = request.group.size() / 2;
        if (half == 0) {
          left_out_.instructions.push_back(place_of(request.group.front()->site));
        } else {
          groups.push_back(request.group.first(half));
          groups.push_back(request.group.subspan(half));
        }
      }
    }
    return ok();
  }

 private:
  static constexpr int kNotTried = -1;  // the process under the shield did not come to it

  struct Request {
    Group group;
    std::string path;
    std::vector<unsigned long> offsets, counters;  // counters: empty if no site has one
    std::vector<__u64> cookies;
    int error = kNotTried;  // of errno
  };

  Request prepare(Group group) const {
    Request request{group, path_of(*group.front()->site.file), {}, {}, {}};
    if (!plan_.multi) return request;
    const auto has_counter = [](const SitePlan *site) { return site->site.ref_ctr_offset != 0; };
    const bool any_counter = std::any_of(group.begin(), group.end(), has_counter);
    for (const SitePlan *site : group) {
      request.offsets.push_back(site->site.offset);
      request.cookies.push_back(site->cookie);
      if (any_counter) request.counters.push_back(site->site.ref_ctr_offset);
    }
    return request;
  }

  /// Under the shield, from request `next` on, which it moves on. Ends at an error that fails everything, when the
  /// caller no longer waits for the links, or after a while, so that the caller can report progress.
  void make_links(std::vector<Request> &requests, size_t &next) {
    const auto end = std::chrono::steady_clock::now() + kTurn;
    while (next < requests.size() && !is_abandoned()) {
      Request &request = requests[next++];
      const int fd = make_link(request);
      if (fd >= 0) {
        made_.fds.push_back(fd);
        made_.files.push_back(request.group.front()->site.file);
        request.error = 0;
        nr_made_ += request.group.size();
      } else {
        request.error = errno;
      }
      if (fd < 0 && request.error != ESRCH && !is_about_instruction(request.error) &&
          !is_for_its_file_only(request.error)) {
        next = requests.size();
        break;
      }
      if (std::chrono::steady_clock::now() >= end) break;
    }
    if (!is_abandoned()) return;
    close_together(links_.returns_.fds);
    close_together(links_.others_.fds);
  }

  /// Returns -1 and sets errno. The last descriptors are for other work.
  int make_link(const Request &request) const {
    errno = EMFILE;
    if (has_several_files_ && are_descriptors_scarce()) return -1;
    return plan_.multi ? link_together(request) : link_one(request);
  }

  int link_together(const Request &request) const {
    const UserSite &first = request.group.front()->site;
    LIBBPF_OPTS(bpf_link_create_opts, opts);
    opts.uprobe_multi.flags = at_return_ ? kUprobeMultiReturn : 0;
    opts.uprobe_multi.cnt = static_cast<__u32>(request.offsets.size());
    opts.uprobe_multi.path = request.path.c_str();
    opts.uprobe_multi.offsets = request.offsets.data();
    opts.uprobe_multi.ref_ctr_offsets = request.counters.empty() ? nullptr : request.counters.data();
    opts.uprobe_multi.cookies = request.cookies.data();
    opts.uprobe_multi.pid = static_cast<__u32>(first.pid);
    return bpf_link_create(program_fd_, 0, kTraceUprobeMulti, &opts);
  }

  int link_one(const Request &request) const {
    const UserSite &site = request.group.front()->site;
    const ProbeEvents &events = ProbeEvents::of_user_programs();
    perf_event_attr attr{};
    attr.size = sizeof attr;
    attr.type = events.type;
    attr.config = (at_return_ ? events.return_flag : 0) | site.ref_ctr_offset << 32;
    attr.config1 = reinterpret_cast<uint64_t>(request.path.c_str());
    attr.config2 = site.offset;
    const pid_t pid = site.pid == 0 ? -1 : site.pid;
    const int cpu = site.pid == 0 ? 0 : -1;  // of no meaning to the program: it runs wherever the site is hit
    const auto event = static_cast<int>(syscall(SYS_perf_event_open, &attr, pid, cpu, -1, PERF_FLAG_FD_CLOEXEC));
    if (event < 0) return -1;
    LIBBPF_OPTS(bpf_link_create_opts, opts, .perf_event = {.bpf_cookie = request.group.front()->cookie});
    const int link = bpf_link_create(program_fd_, event, BPF_PERF_EVENT, &opts);
    const int error = errno;
    syscall(SYS_close, event);  // the link holds the event
    errno = error;
    return link;
  }

  /// Anybody may execute a file in which no probe can be set, or more files than there are descriptors for.
  bool is_for_its_file_only(int error) const {
    return has_several_files_ && (is_about_file(error) || is_exhausted(error));
  }

  void leave_out(const UserFile &file, int error) {
    if (std::exchange(last_left_out_, &file) == &file) return;
    if (is_exhausted(error))
      ++left_out_.unopened;
    else
      left_out_.files.push_back(Error::from_errno(printable(file.path), error).text());
  }

  static Error refusal(const Request &request) {
    const UserSite &site = request.group.front()->site;
    const size_t count = request.group.size();
    const std::string what = count == 1 ? place_of(site) : fmt::format("{} ({} places)", site.file->path, count);
    if (request.error == kNotTried)
      return Error(fmt::format("cannot set probes in {}: the process that sets them was killed", what));
    return Error::from_errno("cannot set probes in " + what, request.error);
  }

  int program_fd_;
  const ProgramPlan &plan_;
  bool at_return_;
  UserLinks &links_;
  UserLinks::Links &made_;
  SitesLeftOut &left_out_;
  const TellProgress &tell_;
  size_t nr_made_ = 0;  // sites
  bool has_several_files_ = false;
  const UserFile *last_left_out_ = nullptr;
};

void UserLinks::close() {
  if (returns_.fds.empty() && others_.fds.empty()) return;
  run_shielded([this] {
    close_together(returns_.fds);
    close_together(others_.fds);
  });
  returns_ = {};
  others_ = {};
}

std::vector<int> UserLinks::release(const std::set<const UserFile *> &files) {
  std::vector<int> released;
  for (Links *links : {&returns_, &others_}) {
    Links kept;
    for (size_t i = 0; i < links->fds.size(); ++i) {
      const bool is_released = files.contains(links->files[i].get());
      (is_released ? released : kept.fds).push_back(links->fds[i]);
      if (!is_released) kept.files.push_back(std::move(links->files[i]));
    }
    *links = std::move(kept);
  }
  return released;
}

void close_links(std::span<const int> fds) {
  if (!fds.empty()) run_shielded([fds] { close_together(fds); });
}

Result<Unit> attach_sites(const bpf_program &program, const ProgramPlan &plan, std::span<const SitePlan> sites,
                          UserLinks &links, SitesLeftOut &left_out, const TellProgress &progress) {
  std::vector<const SitePlan *> order;
  for (const SitePlan &site : sites) order.push_back(&site);
  auto group = [](const SitePlan *site) { return std::tuple(site->site.file.get(), site->site.pid); };
  std::stable_sort(order.begin(), order.end(), [&](auto *a, auto *b) { return group(a) < group(b); });
  const size_t max_sites = plan.multi ? kMaxSitesPerLink : 1;
  std::vector<Group> groups;
  for (size_t begin = 0, end = 0; begin < order.size(); begin = end) {
    while (end < order.size() && end - begin < max_sites && group(order[end]) == group(order[begin])) ++end;
    groups.emplace_back(order.data() + begin, end - begin);
  }
  return SiteAttacher(program, plan, links, left_out, progress).attach(std::move(groups));
}

}  // namespace dtrace::runtime
