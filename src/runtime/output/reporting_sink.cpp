// SPDX-License-Identifier: Apache-2.0
#include "runtime/output/reporting_sink.h"

#include <fmt/format.h>

#include <map>

#include "runtime/print/messages.h"

namespace dtrace::runtime {

void ReportingSink::refresh(const Options &options) {
  quiet_ = options.flag(Opt::quiet);
  parts_.title = options.string(Opt::title);
  tags_drops_ = options.flag(Opt::droptags);
  ends_when_full_ = options.string(Opt::bufpolicy) == "fill";
}

/// If there are several outputs, only one of them reports what all of them see.
void ReportingSink::report(std::string_view text) const {
  if (parts_.reports) parts_.report(text);
}

void ReportingSink::fault(const FaultEvent &fault) { report(fault_report_text(fault)); }

void ReportingSink::more_faults(std::string_view clause, uint64_t count) {
  report(fmt::format("{} more errors in {}", count, clause));
}

void ReportingSink::failed(const RowEvent &row, std::string_view message) {
  report(library_fault_text(row.clause.name, row.probe, message));
}

void ReportingSink::lost(std::span<const Loss> losses) {
  for (const DropCause &row : kDropCauses) {
    const bool per_cpu = row.kind == DropKind::kPrincipal || row.kind == DropKind::kAggregation;
    std::map<unsigned, uint64_t> sums;
    for (const Loss &loss : losses)
      if (loss.cause == row.cause) sums[per_cpu ? loss.cpu : 0] += loss.count;
    // A full buffer is how policy fill ends. What came too late is counted by the ledger, not as drops.
    if (row.cause == Cause::kRingFull && ends_when_full_) {
      if (!sums.empty() && !quiet_) report(fmt::format("buffer of CPU {} is full", sums.begin()->first));
      continue;
    }
    for (auto [cpu, count] : sums) report(drop_text(row.kind, count, cpu, tags_drops_));
  }
  for (const Loss &loss : losses) {
    if (drop_kind(loss.cause) || is_silent(loss.cause)) continue;
    std::string line = fmt::format("{} {}", loss.count, cause_text(loss.cause));
    if (!loss.program.empty()) line += fmt::format(" ({})", loss.program);
    report(tags_drops_ ? fmt::format("[{}] {}", cause_tag(loss.cause), line) : line);
  }
}

}  // namespace dtrace::runtime
