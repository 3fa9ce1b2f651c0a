// SPDX-License-Identifier: Apache-2.0
#include "runtime/user/mapping_watch.h"

#include <fmt/format.h>
#include <linux/perf_event.h>
#include <sys/epoll.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <cerrno>
#include <cstddef>
#include <cstring>

namespace dtrace {
namespace {

constexpr size_t kDataPages = 16;  // some 600 mappings between two looks

/// The head of a record of a mapping, as far as we read it.
struct MappingRecord {
  perf_event_header header;
  uint32_t pid;
  uint32_t tid;
};

/// Copies bytes out of a ring, whose end goes on at its start.
void copy_out(const std::byte *data, size_t size, uint64_t at, void *to, size_t bytes) {
  auto *out = static_cast<std::byte *>(to);
  for (size_t i = 0; i < bytes; ++i) out[i] = data[(at + i) % size];
}

}  // namespace

Result<MappingWatch> MappingWatch::open(const std::vector<int> &cpus) {
  MappingWatch watch;
  watch.epoll_ = Fd(epoll_create1(EPOLL_CLOEXEC));
  if (!watch.epoll_) return Error::from_errno("cannot create an epoll instance", errno);
  perf_event_attr attr{};
  attr.size = sizeof attr;
  attr.type = PERF_TYPE_SOFTWARE;
  attr.config = PERF_COUNT_SW_DUMMY;
  attr.mmap = 1;  // executable mappings only
  attr.mmap2 = 1;
  attr.watermark = 1;
  attr.wakeup_watermark = 1;
  const auto page = static_cast<size_t>(sysconf(_SC_PAGESIZE));
  for (int cpu : cpus) {
    Cpu one;
    one.event = Fd(static_cast<int>(syscall(SYS_perf_event_open, &attr, -1, cpu, -1, PERF_FLAG_FD_CLOEXEC)));
    if (!one.event) return Error::from_errno(fmt::format("cannot watch the mappings made on CPU {}", cpu), errno);
    const size_t bytes = (kDataPages + 1) * page;
    void *ring = mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_SHARED, one.event.get(), 0);
    if (ring == MAP_FAILED) return Error::from_errno("cannot map a buffer of perf records", errno);
    one.ring = Mapping(ring, bytes);
    epoll_event event{.events = EPOLLIN, .data = {.u64 = 0}};
    if (epoll_ctl(watch.epoll_.get(), EPOLL_CTL_ADD, one.event.get(), &event) != 0)
      return Error::from_errno("cannot wait for perf records", errno);
    watch.cpus_.push_back(std::move(one));
  }
  return watch;
}

void MappingWatch::take(Cpu &cpu, News &news) {
  auto *control = static_cast<perf_event_mmap_page *>(cpu.ring.data());
  const std::byte *data = static_cast<const std::byte *>(cpu.ring.data()) + control->data_offset;
  const size_t size = control->data_size;
  const uint64_t head = __atomic_load_n(&control->data_head, __ATOMIC_ACQUIRE);
  uint64_t tail = control->data_tail;
  while (tail + sizeof(perf_event_header) <= head) {
    MappingRecord record{};
    copy_out(data, size, tail, &record.header, sizeof record.header);
    if (record.header.size < sizeof record.header) break;
    if (record.header.type == PERF_RECORD_MMAP2 && record.header.size >= sizeof record) {
      copy_out(data, size, tail, &record, sizeof record);
      news.pids.insert(static_cast<pid_t>(record.pid));
    }
    news.lost |= record.header.type == PERF_RECORD_LOST;
    tail += record.header.size;
  }
  __atomic_store_n(&control->data_tail, tail, __ATOMIC_RELEASE);
}

MappingWatch::News MappingWatch::take() {
  News news;
  for (Cpu &cpu : cpus_) take(cpu, news);
  return news;
}

}  // namespace dtrace
