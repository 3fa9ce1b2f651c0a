// SPDX-License-Identifier: Apache-2.0
#include "runtime/load/record_log.h"

#include <bpf/bpf.h>
#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>

#include "bpf/dt_abi.h"

namespace dtrace::runtime {
namespace {

constexpr uint32_t kMmapable = 1U << 10;  // BPF_F_MMAPABLE
constexpr uint32_t kInnerMap = 1U << 12;  // BPF_F_INNER_MAP

size_t align_up(size_t bytes, size_t unit) { return (bytes + unit - 1) / unit * unit; }

}  // namespace

Result<RecordLog> RecordLog::make(int cpu, uint32_t slot_bytes, uint32_t nr_slots) {
  RecordLog log;
  log.cpu_ = cpu;
  log.slot_bytes_ = static_cast<uint32_t>(align_up(slot_bytes, 8));  // the kernel's stride
  log.nr_slots_ = nr_slots;
  LIBBPF_OPTS(bpf_map_create_opts, opts, .map_flags = kMmapable | kInnerMap);
  log.fd_ = Fd(bpf_map_create(BPF_MAP_TYPE_ARRAY, "dt_log", sizeof(uint32_t), slot_bytes, nr_slots, &opts));
  if (!log.fd_) return Error::from_errno("cannot create a log of records", errno);
  const size_t size = align_up(size_t{log.slot_bytes_} * nr_slots, static_cast<size_t>(sysconf(_SC_PAGESIZE)));
  void *address = mmap(nullptr, size, PROT_READ, MAP_SHARED, log.fd_.get(), 0);
  if (address == MAP_FAILED) return Error::from_errno("cannot map a log of records", errno);
  log.mapping_ = Mapping(address, size);
  return log;
}

dt_log_slot RecordLog::head_of(uint32_t index) const {
  dt_log_slot head{};
  std::memcpy(&head, static_cast<const std::byte *>(mapping_.data()) + size_t{index} * slot_bytes_, sizeof head);
  return head;
}

uint64_t RecordLog::gaps() const {
  uint64_t newest = 0;
  for (uint32_t i = 0; i < nr_slots_; ++i) newest = std::max<uint64_t>(newest, head_of(i).number);
  uint64_t gaps = 0;
  // A slot of the first round had no record to lose; the one after the newest would be the next to be lost.
  for (uint64_t number = std::max<uint64_t>(newest, nr_slots_) - nr_slots_ + 2; number <= newest; ++number)
    if (number > nr_slots_ && head_of(static_cast<uint32_t>((number - 1) % nr_slots_)).number == 0) ++gaps;
  return gaps;
}

std::vector<std::span<const std::byte>> RecordLog::records() const {
  struct Numbered {
    uint64_t number;
    std::span<const std::byte> bytes;
  };
  std::vector<Numbered> found;
  const auto *base = static_cast<const std::byte *>(mapping_.data());
  for (uint32_t i = 0; i < nr_slots_; ++i) {
    const std::byte *slot = base + size_t{i} * slot_bytes_;
    const dt_log_slot head = head_of(i);
    if (head.number != 0 && head.busy == 0)
      found.push_back({head.number, {slot + sizeof head, slot_bytes_ - sizeof head}});
  }
  std::sort(found.begin(), found.end(), [](const Numbered &a, const Numbered &b) { return a.number < b.number; });
  std::vector<std::span<const std::byte>> records;
  records.reserve(found.size());
  for (const Numbered &one : found) records.push_back(one.bytes);
  return records;
}

}  // namespace dtrace::runtime
