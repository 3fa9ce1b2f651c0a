// SPDX-License-Identifier: Apache-2.0
// Makes the payload of a block of rows: columns, because numbers of one meaning resemble each other. One encoder serves
// all CPUs, so that its tables are there once.
#pragma once

#include <array>
#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "recording/interner.h"
#include "recording/pending_rows.h"

namespace dtrace::recording {

/// A cell position of a set, in the block that is being made.
struct ColumnBuffers {
  std::string kinds;  // runs that have ended
  std::string texts, faults;
  std::vector<uint64_t> numbers;
  Cell::Kind kind = Cell::Kind::kNumber;  // of the run that goes on
  uint64_t run = 0;
};

class RowEncoder {
 public:
  /// False: the ID is not the next one, from 1.
  bool define_set(uint32_t id, size_t nr_cells);
  /// Returns the probe's slot. Nothing: `set` is neither 0 nor has been defined.
  std::optional<uint32_t> define_probe(uint32_t id, uint32_t set);
  size_t nr_cells(uint32_t slot) const { return sets_[probes_[slot].set].columns.size(); }

  /// Valid until the next call.
  std::string_view encode(const PendingRows &rows);

 private:
  struct KnownProbe {
    uint32_t id = 0, set = 0;
    uint32_t number = 0;  // in the block
    uint32_t block = 0;   // the number of the block that uses it
  };
  struct KnownSet {
    std::vector<ColumnBuffers> columns;
    uint32_t block = 0;
  };
  struct NumberHash {
    size_t operator()(uint64_t number) const { return (number * 0x9e3779b97f4a7c15) >> 40; }
  };

  std::span<ColumnBuffers> begin_row(uint32_t slot, uint64_t time_ns, uint64_t thread);
  void add_cell(ColumnBuffers &column, const Cell &cell);
  void finish();

  std::vector<KnownProbe> probes_;             // by slot
  std::vector<KnownSet> sets_ = {KnownSet{}};  // by ID
  std::vector<uint32_t> used_sets_;            // in the block
  Interner<uint64_t, NumberHash> threads_;
  Interner<std::string_view, std::hash<std::string_view>> texts_;
  std::string probe_ids_, thread_ids_, row_probes_, row_times_, row_threads_;
  std::string payload_, scratch_;
  uint64_t time_ns_ = 0;
  uint32_t nr_probes_ = 0, block_ = 0;
};

}  // namespace dtrace::recording
