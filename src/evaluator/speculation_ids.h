// SPDX-License-Identifier: Apache-2.0
// Which speculations are active. An id names a slot and which use of it is meant (bpf/dt_speculation.h).
#pragma once

#include <cstdint>
#include <vector>

namespace dtrace::evaluator {

class SpeculationIds {
 public:
  /// `specsize`: bytes of the records that one speculation may hold.
  SpeculationIds(uint32_t count, uint64_t specsize) : slots_(count), specsize_(specsize) {}

  /// 0: all are active.
  uint32_t start();
  enum class Room { kNotActive, kFull, kRoom };
  /// A record of `bytes` goes into `id`, if there is room.
  Room add(uint32_t id, uint64_t bytes);
  /// Commits or discards; false: `id` is not active.
  bool settle(uint32_t id);
  /// Might speculation() have given it? 0 it gives when there is none.
  bool is_id(uint32_t id) const;

 private:
  struct Slot {
    bool is_active = false;
    uint32_t use = 0;
    uint64_t bytes = 0;
  };
  Slot *active(uint32_t id);

  std::vector<Slot> slots_;
  uint64_t specsize_;
};

}  // namespace dtrace::evaluator
