// SPDX-License-Identifier: Apache-2.0
// Rows of open speculations, held until they are committed or discarded. The kernel side numbers them, bounds their
// size and counts what does not fit; here they wait as copies of their records.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace dtrace {

class Enabling;

class Speculations {
 public:
  explicit Speculations(Enabling &enabling);

  struct Row {
    int cpu;
    std::vector<std::byte> record;
  };

  void hold(uint32_t id, int cpu, std::span<const std::byte> record);
  /// The rows of `id` in order of arrival; its buffer is free again.
  std::vector<Row> commit(uint32_t id);
  void discard(uint32_t id);

 private:
  void set_idle(uint32_t id);

  Enabling &enabling_;
  std::vector<std::vector<Row>> rows_;  // by id
};

}  // namespace dtrace
