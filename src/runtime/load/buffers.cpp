// SPDX-License-Identifier: Apache-2.0
#include "runtime/load/buffers.h"

#include <bpf/bpf.h>
#include <sys/epoll.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>

namespace dtrace::runtime {
namespace {

/// The slot of a CPU in a list by CPU.
Fd &of_cpu(std::vector<Fd> &fds, int cpu) {
  const auto index = static_cast<size_t>(cpu);
  fds.resize(std::max(fds.size(), index + 1));
  return fds[index];
}

/// Half of the size, if that may be. Errors: it may not.
Result<Unit> shrink(size_t &size_bytes, const BufferSizes &sizes) {
  const auto page_bytes = static_cast<size_t>(sysconf(_SC_PAGESIZE));  // the kernel makes no smaller one
  if (!sizes.may_shrink || size_bytes <= std::max(kSmallestRingBytes, page_bytes)) return Error("Not enough space");
  size_bytes /= 2;
  return ok();
}

}  // namespace

Result<Unit> Buffers::begin_rings() {
  epoll_ = Fd(epoll_create1(EPOLL_CLOEXEC));
  return epoll_ ? ok() : Result<Unit>(Error::from_errno("cannot create an epoll instance", errno));
}

Result<Unit> Buffers::make_ring(const char *name, int cpu, Fd &map, size_t &size_bytes, const BufferSizes &sizes) {
  while (!map) {
    const auto entries = static_cast<uint32_t>(size_bytes);
    map = Fd(bpf_map_create(BPF_MAP_TYPE_RINGBUF, name, 0, 0, entries, nullptr));
    if (map) break;
    if (errno != ENOMEM && errno != E2BIG) return Error::from_errno("cannot create a ring buffer", errno);
    if (Result<Unit> smaller = shrink(size_bytes, sizes); !smaller) return smaller;
  }
  Result<Ring> ring = Ring::map(map.get(), size_bytes, cpu);
  if (!ring) return std::move(ring).error();
  rings_.push_back(std::move(*ring));
  epoll_event event{.events = EPOLLIN, .data = {.u32 = static_cast<uint32_t>(cpu)}};
  if (epoll_ctl(epoll_.get(), EPOLL_CTL_ADD, map.get(), &event) != 0)
    return Error::from_errno("cannot wait for a ring buffer", errno);
  return ok();
}

Result<Unit> Buffers::make_rings(int outer, std::span<const int> cpus, BufferSizes &sizes, SlotFiller &filler) {
  if (outer < 0) return ok();
  if (Result<Unit> begun = begin_rings(); !begun) return begun;
  size_t size_bytes = sizes.rings;
  for (const int cpu : cpus)
    if (Result<Unit> made = make_ring("dt_ring", cpu, of_cpu(ring_fds_, cpu), size_bytes, sizes); !made) return made;
  if (size_bytes != sizes.rings) sizes.most = sizes.rings = size_bytes;
  filler.fill(outer, 0, ring_fds_);
  return ok();
}

Result<Unit> Buffers::make_one_ring(const char *name, BufferSizes &sizes) {
  if (Result<Unit> begun = begin_rings(); !begun) return begun;
  size_t size_bytes = sizes.rings;
  if (Result<Unit> made = make_ring(name, Ring::kAllCpus, ring_fds_.emplace_back(), size_bytes, sizes); !made)
    return made;
  if (size_bytes != sizes.rings) sizes.most = sizes.rings = size_bytes;
  return ok();
}

Result<Unit> Buffers::try_logs(std::span<const int> cpus, uint32_t slot_bytes, uint32_t slots) {
  logs_.clear();
  for (const int cpu : cpus) {
    Result<RecordLog> log = RecordLog::make(cpu, slot_bytes, slots);
    if (!log) return std::move(log).error();
    of_cpu(log_fds_, cpu) = log->take_fd();
    logs_.push_back(std::move(*log));
  }
  return ok();
}

Result<uint32_t> Buffers::make_logs(int outer, std::span<const int> cpus, uint32_t slot_bytes, BufferSizes &sizes,
                                    SlotFiller &filler) {
  if (outer < 0) return 0;
  while (true) {  // all of one size: programs know how many slots there are, not whose
    const auto slots = static_cast<uint32_t>(std::max<size_t>(sizes.most / slot_bytes, 1));
    Result<Unit> made = try_logs(cpus, slot_bytes, slots);
    if (made) {
      filler.fill(outer, 0, log_fds_);
      return slots;
    }
    if (made.error().errno_value() != ENOMEM && made.error().errno_value() != E2BIG) return std::move(made.error());
    if (Result<Unit> smaller = shrink(sizes.most, sizes); !smaller) return std::move(smaller.error());
  }
}

void Buffers::close_logs() {
  for (const RecordLog &log : logs_)
    if (const uint64_t gaps = log.gaps(); gaps != 0) log_gaps_.push_back({static_cast<unsigned>(log.cpu()), gaps});
}

}  // namespace dtrace::runtime
