// SPDX-License-Identifier: Apache-2.0
// Records that wait until tracing ends, copied out of the rings: policies ring and fill. And the order in which they
// are processed then.
#pragma once

#include <cstddef>
#include <deque>
#include <functional>
#include <map>
#include <vector>

#include "runtime/consume/record.h"

namespace dtrace::runtime {

class KeptRecords {
 public:
  enum class WhenFull {
    kDropOldest,  ///< policy ring
    kRefuse,      ///< policy fill
  };
  /// `limit_bytes`: of the records of one CPU.
  KeptRecords(WhenFull when_full, size_t limit_bytes) : when_full_(when_full), limit_bytes_(limit_bytes) {}

  /// False: the CPU's space is full, and the record is not kept. `in_any_case`: it is not refused.
  bool keep(const Record &record, bool in_any_case = false);
  /// In order of arrival; they borrow until clear().
  std::vector<Record> of_cpu(int cpu) const;
  void clear() { by_cpu_.clear(); }

 private:
  struct Kept {
    std::deque<std::vector<std::byte>> records;
    size_t bytes = 0;
  };
  WhenFull when_full_;
  size_t limit_bytes_;
  std::map<int, Kept> by_cpu_;
};

/// By time; records of one time stay in their order.
void sort_by_time(std::vector<Record> &records);

/// The order in which lists of kept records, one for each CPU, are processed: all in one list if `merged`, and within a
/// list by time and clause if they have times. A list that begins with BEGIN's row comes first.
std::vector<std::vector<Record>> processing_order(std::vector<std::vector<Record>> by_cpu, bool merged, bool have_times,
                                                  const std::function<bool(const Record &)> &is_begin);

}  // namespace dtrace::runtime
