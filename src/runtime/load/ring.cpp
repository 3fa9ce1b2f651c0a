// SPDX-License-Identifier: Apache-2.0
#include "runtime/load/ring.h"

#include <linux/bpf.h>
#include <unistd.h>

#include <atomic>
#include <cerrno>

namespace dtrace::runtime {
namespace {

uint64_t load_acquire(const void *address) {
  return __atomic_load_n(static_cast<const uint64_t *>(address), __ATOMIC_ACQUIRE);
}

constexpr uint32_t kLengthMask = ~(BPF_RINGBUF_BUSY_BIT | BPF_RINGBUF_DISCARD_BIT);

}  // namespace

Result<Ring> Ring::map(int map_fd, size_t size_bytes, int cpu) {
  const auto page = static_cast<size_t>(sysconf(_SC_PAGESIZE));
  Ring ring;
  ring.cpu_ = cpu;
  ring.mask_ = size_bytes - 1;

  void *consumer = mmap(nullptr, page, PROT_READ | PROT_WRITE, MAP_SHARED, map_fd, 0);
  if (consumer == MAP_FAILED) return Error::from_errno("cannot map a ring buffer's consumer page", errno);
  ring.consumer_page_ = Mapping(consumer, page);

  const size_t rest = page + 2 * size_bytes;
  void *producer = mmap(nullptr, rest, PROT_READ, MAP_SHARED, map_fd, static_cast<off_t>(page));
  if (producer == MAP_FAILED) return Error::from_errno("cannot map a ring buffer's data", errno);
  ring.producer_pages_ = Mapping(producer, rest);
  ring.data_ = static_cast<const std::byte *>(producer) + page;

  ring.position_ = load_acquire(consumer);
  ring.pass_end_ = ring.position_;
  return ring;
}

void Ring::begin_pass() { pass_end_ = load_acquire(producer_pages_.data()); }

std::span<const std::byte> Ring::peek() {
  while (position_ < pass_end_) {
    const std::byte *header = data_ + (position_ & mask_);
    uint32_t length = __atomic_load_n(reinterpret_cast<const uint32_t *>(header), __ATOMIC_ACQUIRE);
    if ((length & BPF_RINGBUF_BUSY_BIT) != 0) return {};  // still being filled: the rest waits for the next pass
    const uint32_t payload = length & kLengthMask;
    const uint32_t advance = (payload + BPF_RINGBUF_HDR_SZ + 7) & ~7u;
    if ((length & BPF_RINGBUF_DISCARD_BIT) != 0) {
      position_ += advance;
      continue;
    }
    current_advance_ = advance;
    return {header + BPF_RINGBUF_HDR_SZ, payload};
  }
  return {};
}

void Ring::pop() {
  position_ += current_advance_;
  current_advance_ = 0;
}

void Ring::release() { __atomic_store_n(static_cast<uint64_t *>(consumer_page_.data()), position_, __ATOMIC_RELEASE); }

size_t Ring::pending_bytes() const { return load_acquire(producer_pages_.data()) - position_; }

}  // namespace dtrace::runtime
