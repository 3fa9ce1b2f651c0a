// SPDX-License-Identifier: Apache-2.0
// Reading the per-CPU ring buffers. Our own small reader over the kernel's BPF_MAP_TYPE_RINGBUF layout, because records
// of all CPUs are merged by time in place: that needs a look at each ring's next record without taking it, which
// libbpf's ring_buffer does not offer.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "base/owned.h"
#include "base/result.h"

namespace dtrace::runtime {

/// One CPU's ring, or that of all. Not thread-safe: one consumer.
class Ring {
 public:
  static constexpr int kAllCpus = -1;  ///< records say which CPU they are of

  /// `map_fd`: a ring buffer map of `size_bytes` (a power of two, multiple of the page size).
  static Result<Ring> map(int map_fd, size_t size_bytes, int cpu);

  int cpu() const { return cpu_; }
  size_t size_bytes() const { return mask_ + 1; }
  /// Fixes the end of this pass: records committed later are left for the next one.
  void begin_pass();
  /// Next committed record within the pass, or an empty span. Valid until release().
  std::span<const std::byte> peek();
  /// Takes the record peek() returned.
  void pop();
  /// Gives the space of the taken records back to the kernel.
  void release();
  /// Bytes between the consumer and the producer now.
  size_t pending_bytes() const;

 private:
  Ring() = default;

  Mapping consumer_page_;
  Mapping producer_pages_;  // producer position page, then the data twice in a row
  const std::byte *data_ = nullptr;
  size_t mask_ = 0;
  int cpu_ = 0;
  uint64_t position_ = 0;  // next record to look at
  uint64_t pass_end_ = 0;
  uint32_t current_advance_ = 0;  // bytes that pop() moves over
};

}  // namespace dtrace::runtime
