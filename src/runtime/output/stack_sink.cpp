// SPDX-License-Identifier: Apache-2.0
#include "runtime/output/stack_sink.h"

#include <fmt/format.h>

namespace dtrace::runtime {

StackSink::StackSink(const SinkParts &parts, std::string_view format, bool with_mappings)
    : ReportingSink(parts), format_(format), samples_(parts.plan, parts.symbolizer, with_mappings) {}

void StackSink::begin_row(const RowEvent &row, const RowEvent *) { samples_.begin_row(row); }
void StackSink::trace(const ActionPlan &, const ValuePlan &, const Value &value) { samples_.value(value); }
void StackSink::object(const ActionPlan &, const ObjectEvent &) { samples_.other(); }
void StackSink::memory(const ActionPlan &, std::string_view) { samples_.other(); }
void StackSink::end_row(const RowEvent &row) { samples_.end_row(row); }

void StackSink::formatted(const ActionPlan &, std::span<const Value> values) {
  if (values.empty()) samples_.other();
  for (const Value &value : values) samples_.value(value);
}

void StackSink::aggregations(const ActionPlan &, AggregationViews views) { samples_.show(views); }
void StackSink::remaining(AggregationViews views) { samples_.show(views); }

void StackSink::did(const ActionPlan &action, std::string_view, std::optional<int64_t> number) {
  const bool is_whole = action.kind == Builtin::k_clear || (action.kind == Builtin::k_trunc && number.value_or(0) == 0);
  if (is_whole) samples_.clear(action.aggregations);
}

void StackSink::leave_out(const SampleSource &source, std::string_view why) {
  ++values_left_out_[fmt::format("of {}: {}", source.name, why)];
}

void StackSink::ended(int, std::span<const Loss>) {
  samples_.finish();
  parts_.output.text() += contents(samples_);
  parts_.output.row_done();
  (void)parts_.output.flush();  // the output remembers a failure
  if (const std::string left_out = samples_.left_out(); !left_out.empty())
    parts_.report(fmt::format("format {} shows stacks; left out: {}", format_, left_out));
  for (const auto &[what, count] : values_left_out_)
    parts_.report(fmt::format("format {}: left out: {} value{} {}", format_, count, count == 1 ? "" : "s", what));
}

Result<Unit> StackSink::redirect(const std::string &) {
  return Error(fmt::format("format {} is written as a whole at the end, and cannot be sent elsewhere", format_));
}

Result<Unit> StackSink::truncate() {
  return Error(fmt::format("format {} is written as a whole at the end: there is nothing to truncate", format_));
}

}  // namespace dtrace::runtime
