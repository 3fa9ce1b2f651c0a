// SPDX-License-Identifier: Apache-2.0
#include "runtime/output/stack_sink.h"

#include <fmt/format.h>

#include <numeric>

namespace dtrace::runtime {

StackSink::StackSink(const SinkParts &parts, std::string_view format, bool with_mappings)
    : ReportingSink(parts),
      format_(format),
      clock_(parts.known_time()),
      samples_(parts.plan, parts.symbolizer, with_mappings) {}

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
void StackSink::remaining(AggregationViews views) {
  clock_.stop();  // to find the names takes its time
  samples_.show(views);
}

void StackSink::did(const ActionPlan &action, std::string_view, std::optional<int64_t> number) {
  const bool is_whole = action.kind == Builtin::k_clear || (action.kind == Builtin::k_trunc && number.value_or(0) == 0);
  if (is_whole) samples_.clear(action.aggregations);
}

void StackSink::leave_out(const SampleSource &source, std::string_view why) {
  ++values_left_out_[fmt::format("of {}: {}", source.name, why)];
}

std::optional<uint64_t> StackSink::width_of(const SampleSource &source, const StackSample &sample) {
  if (!has_value(sample, source.shape)) return std::nullopt;
  const auto refuse = [&](std::string_view why) -> std::optional<uint64_t> {
    leave_out(source, why);
    return std::nullopt;
  };
  if (sample.overflows) return refuse("their sum is beyond 64 bits");
  if (source.shape.is_histogram()) {
    const auto count = static_cast<int64_t>(std::accumulate(sample.words.begin(), sample.words.end(), uint64_t{0}));
    if (count < 0) return refuse("negative: a frame cannot have a negative width");
    return static_cast<uint64_t>(normalised(count, source.normal));
  }
  const ScalarResult result = scalar_result(source.shape, sample.words, source.normal);
  if (result.is_signed && result.value < 0) return refuse("negative: a frame cannot have a negative width");
  return static_cast<uint64_t>(result.value);
}

std::vector<std::string> StackSink::left_out() const {
  std::vector<std::string> texts;
  if (const std::string left_out = samples_.left_out(); !left_out.empty())
    texts.push_back(fmt::format("format {} shows stacks; left out: {}", format_, left_out));
  for (const auto &[what, count] : values_left_out_)
    texts.push_back(fmt::format("format {}: left out: {} value{} {}", format_, count, count == 1 ? "" : "s", what));
  return texts;
}

void StackSink::ended(int, std::span<const Loss> all_losses) {
  clock_.stop();
  samples_.finish();
  parts_.output.text() += contents(samples_, all_losses);
  parts_.output.row_done();
  (void)parts_.output.flush();  // the output remembers a failure
  for (const std::string &text : left_out()) parts_.report(text);
}

Result<Unit> StackSink::redirect(const std::string &) {
  return Error(fmt::format("format {} is written as a whole at the end, and cannot be sent elsewhere", format_));
}

Result<Unit> StackSink::truncate() {
  return Error(fmt::format("format {} is written as a whole at the end: there is nothing to truncate", format_));
}

}  // namespace dtrace::runtime
