// SPDX-License-Identifier: Apache-2.0
#include "runtime/user/mapping_watch.h"

#include <fmt/format.h>
#include <linux/perf_event.h>
#include <sys/epoll.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstddef>
#include <cstring>
#include <string>
#include <string_view>
#include <utility>

namespace dtrace::runtime {
namespace {

constexpr size_t kDataPages = 16;  // some 600 mappings between two looks
constexpr size_t kMaxNameBytes = 4096;

/// A record of a mapping, up to the file's name. Behind that, as behind every record, is its time.
struct MappingRecord {
  perf_event_header header;
  uint32_t pid;
  uint32_t tid;
  uint64_t start;
  uint64_t size_bytes;
  uint64_t offset;
  uint32_t device_major;
  uint32_t device_minor;
  uint64_t inode;
  uint64_t generation;
  uint32_t protection;
  uint32_t flags;
};
using Time = uint64_t;

constexpr std::string_view kDeleted = " (deleted)";

/// The mapping that a record reports, as /proc/PID/maps would.
MapEntry map_of(const MappingRecord &record, std::string name) {
  MapEntry map;
  map.start = record.start;
  map.end = record.start + record.size_bytes;
  map.offset = record.offset;
  map.inode = record.inode;
  map.device_major = record.device_major;
  map.device_minor = record.device_minor;
  map.readable = (record.protection & PROT_READ) != 0;
  map.writable = (record.protection & PROT_WRITE) != 0;
  map.executable = (record.protection & PROT_EXEC) != 0;
  map.deleted = name.ends_with(kDeleted);
  if (map.deleted) name.resize(name.size() - kDeleted.size());
  if (record.inode != 0 || name.starts_with('[')) map.path = std::move(name);
  return map;
}

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
  attr.comm = 1;  // an exec is reported as a new name
  attr.comm_exec = 1;
  attr.sample_type = PERF_SAMPLE_TIME;
  attr.sample_id_all = 1;
  attr.use_clockid = 1;
  attr.clockid = CLOCK_MONOTONIC;
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
  // The kernel reports lost records with the next one that finds room, which may never come.
  news.lost |= head - tail + sizeof(MappingRecord) + kMaxNameBytes > size;
  while (tail + sizeof(perf_event_header) <= head) {
    MappingRecord record{};
    copy_out(data, size, tail, &record.header, sizeof record.header);
    if (record.header.size < sizeof record.header) break;
    const bool is_exec =
        record.header.type == PERF_RECORD_COMM && (record.header.misc & PERF_RECORD_MISC_COMM_EXEC) != 0;
    const bool is_mapping = record.header.type == PERF_RECORD_MMAP2;
    const size_t least = (is_mapping ? sizeof record : offsetof(MappingRecord, start)) + sizeof(Time);
    if ((is_exec || is_mapping) && record.header.size >= least) {
      copy_out(data, size, tail, &record, least - sizeof(Time));
      std::string name(record.header.size - least, '\0');
      copy_out(data, size, tail + least - sizeof(Time), name.data(), name.size());
      name.resize(strnlen(name.data(), name.size()));
      Time time = 0;
      copy_out(data, size, tail + record.header.size - sizeof time, &time, sizeof time);
      const auto pid = static_cast<pid_t>(record.pid);
      if (is_mapping) news.pids.insert(pid);
      news.events.push_back({pid, time, is_mapping ? map_of(record, std::move(name)) : MapEntry()});
    }
    news.lost |= record.header.type == PERF_RECORD_LOST;
    tail += record.header.size;
  }
  __atomic_store_n(&control->data_tail, tail, __ATOMIC_RELEASE);
}

MappingWatch::News MappingWatch::take() {
  News news;
  for (Cpu &cpu : cpus_) take(cpu, news);
  std::stable_sort(news.events.begin(), news.events.end(),
                   [](const Event &a, const Event &b) { return a.time_ns < b.time_ns; });
  return news;
}

}  // namespace dtrace::runtime
