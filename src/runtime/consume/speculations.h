// SPDX-License-Identifier: Apache-2.0
// Rows of open speculations, held until they are committed or discarded. The kernel side numbers them, bounds their
// size and counts what does not fit; here they wait as copies of their records.
//
// The kernel side uses a slot again as soon as it is settled: an id names the slot and the use of it
// (dt_speculation.h).
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace dtrace::runtime {

class Speculations {
 public:
  /// `count`: slots 1..count.
  explicit Speculations(uint32_t count) : slots_(count + 1) {}

  struct Row {
    int cpu;
    std::vector<std::byte> record;
  };

  /// Keeps a row. False if its speculation was committed already: a firing on another CPU that was just recording then.
  bool hold(uint32_t id, int cpu, std::span<const std::byte> record);
  /// The rows of `id` in order of arrival.
  std::vector<Row> commit(uint32_t id);
  void discard(uint32_t id);

 private:
  enum class State { kOpen, kCommitted, kDiscarded };
  struct Slot {
    uint32_t id = 0;  // its latest use
    State state = State::kOpen;
    std::vector<Row> rows;
  };
  /// The slot of `id`, emptied if this is a new use of it; null if there is none, or that use was long ago.
  Slot *slot_of(uint32_t id);

  std::vector<Slot> slots_;
};

}  // namespace dtrace::runtime
