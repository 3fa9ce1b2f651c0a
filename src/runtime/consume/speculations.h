// SPDX-License-Identifier: Apache-2.0
// Rows of open speculations, held until they are committed or discarded. The kernel side numbers them, bounds their
// size and counts what does not fit; here they wait as copies of their records.
//
// The kernel side uses a slot again as soon as it is settled: an id names the slot and the use of it
// (dt_speculation.h). A program may be preempted between its reservation of a record and its submission, so rows and
// commits of a use may come after those of the next: the last uses of each slot are remembered.
#pragma once

#include <cstddef>
#include <cstdint>
#include <deque>
#include <span>
#include <vector>

namespace dtrace::runtime {

class Speculations {
 public:
  /// Uses of one slot that are remembered.
  static constexpr size_t kUses = 16;

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
  /// Rows that came so late that it is not known any more what became of their speculation.
  uint64_t nr_too_late() const { return nr_too_late_; }

 private:
  enum class State { kOpen, kCommitted, kDiscarded };
  struct Use {
    uint32_t id = 0;
    State state = State::kOpen;
    std::vector<Row> rows;
  };
  /// Null: there is no such slot, or that use was long ago.
  Use *use_of(uint32_t id);

  std::vector<std::deque<Use>> slots_;  // of each slot the latest uses, oldest first
  uint64_t nr_too_late_ = 0;
};

}  // namespace dtrace::runtime
