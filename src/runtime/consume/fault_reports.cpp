// SPDX-License-Identifier: Apache-2.0
#include "runtime/consume/fault_reports.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "runtime/consume/record.h"

namespace dtrace::runtime {
namespace {

/// Whether the description means the probe; of patterns it is taken for granted.
bool may_mean(const ProbeDesc &desc, const Probe &probe) {
  const auto may = [](const std::string &field, const std::string &name) {
    return field.empty() || field == name || field.find_first_of("*?[") != std::string::npos;
  };
  return may(desc.provider, probe.provider) && may(desc.module, probe.module) && may(desc.function, probe.function) &&
         may(desc.name, probe.name);
}

}  // namespace

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

std::string FaultReports::position_of_first(std::span<const std::byte> bytes) {
  const auto fault = load_at<dt_fault_record>(bytes, 0);
  if (fault.clause >= plan_.clauses.size() || std::exchange(faults_[fault.clause].position_asked, true)) return {};
  const Probe &probe = host_.probe(ProbeId{fault.head.probe});
  const auto others =
      std::ranges::count_if(plan_.clauses, [&](const ClausePlan &clause) { return may_mean(clause.desc, probe); });
  if (others < 2 || !position_of_) return {};
  const std::string position = position_of_(fault.clause);
  return position.empty() ? std::string() : fmt::format("{} is at {}", plan_.clauses[fault.clause].name, position);
}

void FaultReports::report_more(Sink &sink) {
  for (auto &[clause, faults] : faults_)
    if (faults.more != 0) sink.more_faults(name_of(clause), std::exchange(faults.more, 0));
}

}  // namespace dtrace::runtime
