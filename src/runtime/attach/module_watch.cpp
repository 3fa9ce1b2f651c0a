// SPDX-License-Identifier: Apache-2.0
#include "runtime/attach/module_watch.h"

#include <linux/perf_event.h>
#include <sys/epoll.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <cerrno>
#include <cstdlib>

#include "base/read_file.h"
#include "runtime/kernel/kernel_info.h"

namespace dtrace::runtime {
namespace {

constexpr const char *kEvents[] = {"module_load", "module_free"};

}  // namespace

Result<ModuleWatch> ModuleWatch::open(const std::string &tracefs, const std::vector<int> &cpus) {
  ModuleWatch watch;
  watch.epoll_ = Fd(epoll_create1(EPOLL_CLOEXEC));
  if (!watch.epoll_) return Error::from_errno("cannot create an epoll instance", errno);
  const auto page = static_cast<size_t>(sysconf(_SC_PAGESIZE));
  for (const char *name : kEvents) {
    Result<std::string> id = read_file(tracefs + "/events/module/" + name + "/id");
    if (!id) return std::move(id).error().during("cannot watch kernel modules");
    perf_event_attr attr{};
    attr.size = sizeof attr;
    attr.type = PERF_TYPE_TRACEPOINT;
    attr.config = std::strtoull(id->c_str(), nullptr, 10);
    attr.sample_period = 1;
    attr.wakeup_events = 1;
    for (int cpu : cpus) {
      Source one;
      one.event = Fd(static_cast<int>(syscall(SYS_perf_event_open, &attr, -1, cpu, -1, PERF_FLAG_FD_CLOEXEC)));
      if (!one.event) return Error::from_errno("cannot watch kernel modules", errno);
      void *ring = mmap(nullptr, 2 * page, PROT_READ | PROT_WRITE, MAP_SHARED, one.event.get(), 0);
      if (ring == MAP_FAILED) return Error::from_errno("cannot map a buffer of perf records", errno);
      one.ring = Mapping(ring, 2 * page);
      epoll_event event{.events = EPOLLIN, .data = {.u64 = 0}};
      if (epoll_ctl(watch.epoll_.get(), EPOLL_CTL_ADD, one.event.get(), &event) != 0)
        return Error::from_errno("cannot wait for perf records", errno);
      watch.sources_.push_back(std::move(one));
    }
  }
  return watch;
}

bool ModuleWatch::take() {
  bool any = false;
  for (Source &source : sources_) {
    auto *control = static_cast<perf_event_mmap_page *>(source.ring.data());
    const uint64_t head = __atomic_load_n(&control->data_head, __ATOMIC_ACQUIRE);
    any |= head != control->data_tail;
    __atomic_store_n(&control->data_tail, head, __ATOMIC_RELEASE);
  }
  return any;
}

}  // namespace dtrace::runtime
