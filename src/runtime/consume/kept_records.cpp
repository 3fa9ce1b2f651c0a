// SPDX-License-Identifier: Apache-2.0
#include "runtime/consume/kept_records.h"

#include <algorithm>

namespace dtrace::runtime {

bool KeptRecords::keep(const Record &record, bool in_any_case) {
  Kept &kept = by_cpu_[record.cpu];
  if (!in_any_case && when_full_ == WhenFull::kRefuse && kept.bytes + record.bytes.size() > limit_bytes_) return false;
  kept.records.emplace_back(record.bytes.begin(), record.bytes.end());
  kept.bytes += record.bytes.size();
  while (when_full_ == WhenFull::kDropOldest && kept.bytes > limit_bytes_) {
    kept.bytes -= kept.records.front().size();
    kept.records.pop_front();
  }
  return true;
}

std::vector<Record> KeptRecords::of_cpu(int cpu) const {
  std::vector<Record> records;
  if (const auto kept = by_cpu_.find(cpu); kept != by_cpu_.end())
    for (const std::vector<std::byte> &bytes : kept->second.records) records.push_back({cpu, bytes});
  return records;
}

void sort_by_time(std::vector<Record> &records) {
  std::stable_sort(records.begin(), records.end(),
                   [](const Record &a, const Record &b) { return head_of(a.bytes).time < head_of(b.bytes).time; });
}

std::vector<std::vector<Record>> processing_order(std::vector<std::vector<Record>> by_cpu, bool merged, bool have_times,
                                                  const std::function<bool(const Record &)> &is_begin) {
  if (merged) {
    for (size_t i = 1; i < by_cpu.size(); ++i) by_cpu[0].insert(by_cpu[0].end(), by_cpu[i].begin(), by_cpu[i].end());
    by_cpu.resize(std::min<size_t>(by_cpu.size(), 1));
  }
  // One firing's records have one time, and are in the order of its clauses.
  const auto earlier = [](const Record &a, const Record &b) {
    const dt_record first = head_of(a.bytes), second = head_of(b.bytes);
    return first.time != second.time ? first.time < second.time : first.clause < second.clause;
  };
  if (have_times)
    for (std::vector<Record> &records : by_cpu) std::stable_sort(records.begin(), records.end(), earlier);
  std::stable_partition(by_cpu.begin(), by_cpu.end(), [&](const std::vector<Record> &records) {
    return !records.empty() && is_begin(records.front());
  });
  return by_cpu;
}

}  // namespace dtrace::runtime
