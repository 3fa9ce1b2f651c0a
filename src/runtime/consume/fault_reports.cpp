// SPDX-License-Identifier: Apache-2.0
#include "runtime/consume/fault_reports.h"

#include <utility>

#include "runtime/consume/record.h"

namespace dtrace::runtime {

std::string_view FaultReports::name_of(uint32_t clause) const {
  return clause < plan_.clauses.size() ? std::string_view(plan_.clauses[clause].name) : "dt_clause";
}

std::optional<FaultEvent> FaultReports::event_of(std::span<const std::byte> bytes) {
  const auto fault = load_at<dt_fault_record>(bytes, 0);
  Faults &faults = faults_[fault.clause];
  if (faults.reported == kMaxReports) {
    ++faults.more;
    return std::nullopt;
  }
  ++faults.reported;
  FaultEvent event;
  event.clause = name_of(fault.clause);
  event.probe = &host_.probe(ProbeId{fault.head.probe});
  event.code = fault.kind;
  event.value = fault.address;
  if (fault.pc != UINT32_MAX) event.pc = fault.pc;
  return event;
}

bool FaultReports::first_before_exit(std::span<const std::byte> bytes) {
  const auto fault = load_at<dt_fault_record>(bytes, 0);
  if (fault.clause >= plan_.clauses.size() || !plan_.clauses[fault.clause].exits()) return false;
  // Other probes may fire again, and then reach it.
  if (host_.probe(ProbeId{fault.head.probe}).name != "BEGIN") return false;
  return !std::exchange(faults_[fault.clause].exit_asked, true);
}

void FaultReports::report_more(Sink &sink) {
  for (auto &[clause, faults] : faults_)
    if (faults.more != 0) sink.more_faults(name_of(clause), std::exchange(faults.more, 0));
}

}  // namespace dtrace::runtime
