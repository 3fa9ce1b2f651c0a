// SPDX-License-Identifier: Apache-2.0
// The buffers that records come through: a ring for each CPU, and with bufpolicy=ring a log for each.
#pragma once

#include <optional>
#include <span>
#include <vector>

#include "base/owned.h"
#include "base/result.h"
#include "runtime/load/loss_counters.h"
#include "runtime/load/record_log.h"
#include "runtime/load/ring.h"
#include "runtime/load/sizes.h"
#include "runtime/load/slot_filler.h"

namespace dtrace::runtime {

class Buffers {
 public:
  /// Makes rings of `sizes.rings` bytes and puts them into the slots of the map `outer`. What is not to be had makes
  /// them smaller, and `sizes.most` with them. Errors: "Not enough space", the system's.
  Result<Unit> make_rings(int outer, std::span<const int> cpus, BufferSizes &sizes, SlotFiller &filler);
  /// The same of one ring, which programs use by itself: one_ring_fd(). It has the name of the map that stands for it
  /// in an object: libbpf gives the object's map the name of what it is to be.
  Result<Unit> make_one_ring(const char *name, BufferSizes &sizes);
  int one_ring_fd() const { return ring_fds_.front().get(); }
  /// The same of logs of `sizes.most` bytes. Out: how many slots each has.
  Result<uint32_t> make_logs(int outer, std::span<const int> cpus, uint32_t slot_bytes, BufferSizes &sizes,
                             SlotFiller &filler);

  std::vector<Ring> &rings() { return rings_; }
  const std::vector<RecordLog> &logs() const { return logs_; }
  int epoll_fd() const { return epoll_.get(); }  ///< readable when a ring wants attention; -1: there are none

  /// Known from close_logs() on, which is called when the logs are read.
  const std::vector<LogGaps> &log_gaps() const { return log_gaps_; }
  void close_logs();

 private:
  Result<Unit> begin_rings();
  /// Makes a ring of `size_bytes`, or smaller ones, which is noted there.
  Result<Unit> make_ring(const char *name, int cpu, Fd &map, size_t &size_bytes, const BufferSizes &sizes);
  /// Makes logs of this size for all CPUs.
  Result<Unit> try_logs(std::span<const int> cpus, uint32_t slot_bytes, uint32_t slots);

  std::vector<Fd> ring_fds_;  // by CPU
  std::vector<Ring> rings_;
  std::vector<Fd> log_fds_;  // by CPU
  std::vector<RecordLog> logs_;
  std::vector<LogGaps> log_gaps_;
  Fd epoll_;
};

}  // namespace dtrace::runtime
