// SPDX-License-Identifier: Apache-2.0
#include "runtime/output/heat_sink.h"

#include <fmt/format.h>

#include <algorithm>

namespace dtrace::runtime {
namespace {

/// CLOCK_MONOTONIC; 0: not known.
uint64_t now_ns(const SinkParts &parts) {
  const RunTime *const time = parts.known_time();
  return time == nullptr ? 0 : time->now_ns(CLOCK_MONOTONIC);
}

}  // namespace

HeatSink::HeatSink(const SinkParts &parts, std::string_view format)
    : ReportingSink(parts),
      format_(format),
      clock_(parts.known_time()),
      values_(parts),
      maps_(parts.plan, values_, now_ns(parts)) {}

void HeatSink::refresh(const Options &options) {
  ReportingSink::refresh(options);
  values_.refresh(options);
}

void HeatSink::fault(const FaultEvent &fault) {
  ++faults_;
  ReportingSink::fault(fault);
}

void HeatSink::more_faults(std::string_view clause, uint64_t count) {
  faults_ += count;
  ReportingSink::more_faults(clause, count);
}

void HeatSink::end_row(const RowEvent &) {
  rows_left_out_ += open_.back() ? 1 : 0;
  open_.pop_back();
}

void HeatSink::did(const ActionPlan &action, std::string_view, std::optional<int64_t> number) {
  const bool is_whole = action.kind == Builtin::k_clear || (action.kind == Builtin::k_trunc && number.value_or(0) == 0);
  if (is_whole) maps_.clear(action.aggregations);
}

void HeatSink::remaining(AggregationViews views) {
  clock_.stop();
  show(views);
}

void HeatSink::ended(int, std::span<const Loss> all_losses) {
  clock_.stop();
  const std::vector<std::string> left_out = this->left_out();
  parts_.output.text() += picture(maps_.maps(), run_facts(parts_, clock_, all_losses, left_out, faults_));
  parts_.output.row_done();
  (void)parts_.output.flush();  // the output remembers a failure
  for (const std::string &text : left_out) parts_.report(text);
}

Result<Unit> HeatSink::redirect(const std::string &) {
  return Error(fmt::format("format {} is written as a whole at the end, and cannot be sent elsewhere", format_));
}

Result<Unit> HeatSink::truncate() {
  return Error(fmt::format("format {} is written as a whole at the end: there is nothing to truncate", format_));
}

void HeatSink::show(AggregationViews views) { maps_.show(views, now_ns(parts_)); }

std::vector<std::string> HeatSink::left_out() const {
  std::vector<std::string> parts;
  if (!maps_.others().empty()) parts.push_back(fmt::format("{} (no histogram)", fmt::join(maps_.others(), ", ")));
  if (rows_left_out_ != 0) parts.push_back(fmt::format("{} row{}", rows_left_out_, rows_left_out_ == 1 ? "" : "s"));
  if (parts.empty()) return {};
  return {fmt::format("format {} shows quantize(), lquantize() and llquantize(); left out: {}", format_,
                      fmt::join(parts, ", "))};
}

HeatRange reached_buckets(const HeatMap &map) {
  HeatRange range;
  for (const HeatColumn &column : map.columns)
    for (const HeatCell &cell : column.cells) {
      range.first = std::min(range.first, cell.bucket);
      range.last = std::max(range.last, cell.bucket);
    }
  return range;
}

}  // namespace dtrace::runtime
