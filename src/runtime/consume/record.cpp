// SPDX-License-Identifier: Apache-2.0
#include "runtime/consume/record.h"

namespace dtrace::runtime {

std::optional<RecordedRow> RowFinder::row_of(const Record &record) const {
  if (record.bytes.size() < sizeof(dt_record)) return std::nullopt;
  const dt_record head = head_of(record.bytes);
  if (head.clause >= plan_.clauses.size()) return std::nullopt;
  const ProbeId id{head.probe};
  const std::optional<uint64_t> time_ns = plan_.timestamps ? std::optional(head.time) : std::nullopt;
  return std::optional<RecordedRow>(std::in_place, plan_.clauses[head.clause], host_.probe(id),
                                    host_.shown_function(id), record.cpu, time_ns, record.bytes);
}

bool RowFinder::makes_row(std::span<const std::byte> bytes) const {
  const uint32_t clause = head_of(bytes).clause;
  return clause < plan_.clauses.size() && plan_.clauses[clause].makes_row;
}

int RowFinder::cpu_of(std::span<const std::byte> bytes) const {
  const uint32_t clause = head_of(bytes).clause;
  const bool says = clause < plan_.clauses.size() && plan_.clauses[clause].cpu_offset != 0;
  return says ? static_cast<int>(load_at<uint64_t>(bytes, plan_.clauses[clause].cpu_offset)) : -1;
}

bool RowFinder::is_begin(const Record &record) const {
  const std::optional<RecordedRow> row = row_of(record);
  return row && row->probe.provider == "dtrace" && row->probe.name == "BEGIN";
}

bool guard_allows(const RecordedRow &row, const ActionPlan &action) {
  if (action.guard < 0 || row.clause.guard_offset == 0) return true;
  return load_at<uint8_t>(row.bytes, row.clause.guard_offset + static_cast<uint32_t>(action.guard)) != 0;
}

}  // namespace dtrace::runtime
