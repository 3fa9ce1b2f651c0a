// SPDX-License-Identifier: Apache-2.0
// Text in DTrace's layouts: rows and aggregations to the output, what was lost and what failed as lines for people.
// With -B each piece of it is shown with where it comes from.
#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <vector>

#include "runtime/output/aggregation_options.h"
#include "runtime/output/formats.h"
#include "runtime/print/aggregation_print.h"
#include "runtime/print/buffered.h"
#include "runtime/print/messages.h"
#include "runtime/print/printf.h"
#include "runtime/print/row.h"
#include "runtime/print/system_names.h"
#include "runtime/print/trace_value.h"
#include "runtime/print/typed.h"

namespace dtrace {
namespace {

constexpr int64_t kMaxIndent = 10'000;  // blanks; more are a mistake, and cost memory

struct DropRow {
  Cause cause;
  DropKind kind;
};
constexpr DropRow kDropRows[] = {
    {Cause::kRingFull, DropKind::kPrincipal},
    {Cause::kNoScratch, DropKind::kPrincipal},
    {Cause::kErrorLost, DropKind::kPrincipal},
    {Cause::kAggregationFull, DropKind::kAggregation},
    {Cause::kAggregationBusy, DropKind::kAggregation},
    {Cause::kDynamicFull, DropKind::kDynamic},
    {Cause::kThreadLocal, DropKind::kDynamic},
    {Cause::kSpecFull, DropKind::kSpeculation},
    {Cause::kSpecUnavailable, DropKind::kSpeculationUnavailable},
    {Cause::kDoubleError, DropKind::kDoubleError},
};

/// Losses of which no line is made. That output was lost or abandoned is said once, with the reason. Cut strings are a
/// ledger entry, as DTrace cuts silently. So are late probes: whether they missed anything is not known.
constexpr Cause kSilent[] = {Cause::kOutputLost, Cause::kAbandoned, Cause::kStringCut, Cause::kLateSites};

class TextSink final : public Sink {
 public:
  explicit TextSink(const SinkParts &parts) : parts_(parts), output_(parts.output) {
    rows_.set_plain(parts_.plain);
    format_.target_pid = parts_.target_pid;
    format_.names = &names_;
    format_.text.symbolizer = &parts_.symbolizer;
    if (parts_.buffered)
      output_.set_watcher(
          [this](std::string_view text, const TextMark &mark) { return buffered_text(text, mark, source_); });
  }
  ~TextSink() override {
    output_.mark();
    output_.set_watcher({});  // the output lives on
  }
  TextSink(const TextSink &) = delete;
  TextSink &operator=(const TextSink &) = delete;

  void refresh(const Options &options) override {
    format_.text.stack_indent = static_cast<int>(std::min(options.number(Opt::stackindent), kMaxIndent));
    format_.text.quiet = options.flag(Opt::quiet);
    format_.text.raw_bytes = options.flag(Opt::rawbytes);
    format_.text.is_terminal = output_.is_terminal();
    rows_.set_quiet(options.flag(Opt::quiet));
    rows_.set_flowindent(options.flag(Opt::flowindent));
    aggregations_ = aggregation_options(options);
    tags_drops_ = options.flag(Opt::droptags);
    ends_when_full_ = options.string(Opt::bufpolicy) == "fill";
  }

  void begin_row(const RowEvent &row, const RowEvent *next) override {
    source_ = around(row);
    open_.push_back(&row);
    in_line_of_print_ = false;
    if (!row.clause.makes_row) return;
    std::optional<RowSite> following;
    if (next != nullptr) following = site(*next);
    rows_.begin(output_.text(), site(row), following ? &*following : nullptr);
    output_.mark();
  }

  void trace(const ActionPlan &action, const ValuePlan &, const Value &value) override {
    begin_item(action);
    append_trace(output_.text(), value, format_.text);
    end_item();
  }

  void object(const ActionPlan &action, const ObjectEvent &object) override {
    const bool goes_on = in_line_of_print_;
    begin_item(action);
    if (goes_on) output_.text() += '\n';  // the value before has none
    if (object.address)
      append_pointed(output_.text(), parts_.types, object.type, *object.address, object.bytes, format_.text);
    else
      append_typed_value(output_.text(), parts_.types, object.type, object.bytes, format_.text);
    end_item();
    in_line_of_print_ = true;
  }

  void memory(const ActionPlan &action, std::string_view bytes) override {
    begin_item(action);
    append_dump(output_.text(), bytes);
    end_item();
  }

  void formatted(const ActionPlan &action, std::span<const Value> values) override {
    begin_item(action);
    append_printf(output_.text(), *action.format, values, format_);
    end_item();
  }

  void aggregations(const ActionPlan &action, AggregationViews views) override {
    begin_item(action);
    print_printa(output_, views, action.format ? &*action.format : nullptr, aggregations_, format_);
    end_item();
  }

  void did(const ActionPlan &, std::string_view, std::optional<int64_t>) override { in_line_of_print_ = false; }

  void end_row(const RowEvent &row) override {
    source_ = around(row);
    if (row.clause.makes_row) rows_.end(output_.text());
    output_.mark();
    source_ = {};
    open_.pop_back();
    output_.row_done();
  }

  void fault(const FaultEvent &fault) override { parts_.report(fault_report_text(fault)); }
  void more_faults(std::string_view clause, uint64_t count) override {
    parts_.report(fmt::format("{} more errors in {}", count, clause));
  }
  void failed(const RowEvent &row, std::string_view message) override {
    parts_.report(library_fault_text(row.clause.name, row.probe, message));
  }
  void lost(std::span<const Loss> losses) override;

  void interrupted() override {
    if (!parts_.plain) output_.text() += '\n';
  }
  void remaining(AggregationViews views) override {
    output_.text() += '\n';
    print_aggregations(output_, views, aggregations_, format_);
  }
  void ended(int, std::span<const Loss>) override {}

  Result<Unit> redirect(const std::string &path) override {
    Result<Unit> redirected = output_.redirect(path);
    format_.text.is_terminal = output_.is_terminal();
    return redirected;
  }
  Result<Unit> truncate() override { return output_.truncate(); }
  void flush() override { (void)output_.flush(); }  // the output remembers a failure
  std::optional<Error> failure() const override { return output_.error(); }
  uint64_t nr_lost_rows() const override { return output_.lost_rows(); }

 private:
  static RowSite site(const RowEvent &row) {
    return {row.cpu, row.probe.id.value, row.clause.index, row.probe.provider, row.function, row.probe.name};
  }
  static BufferedSource around(const RowEvent &row) { return {&row.probe, static_cast<int>(row.cpu), {}, 0, 0}; }

  void begin_item(const ActionPlan &action) {
    in_line_of_print_ = false;
    if (!parts_.buffered) return;
    source_ = around(*open_.back());
    source_.action = dtrace::row(action.kind).name;
    for (const ValuePlan &value : action.values) {
      if (value.size_bytes == 0) continue;
      if (source_.size_bytes == 0) source_.off_bytes = value.offset;
      source_.size_bytes += value.size_bytes;
    }
  }
  void end_item() { output_.mark(); }

  SinkParts parts_;
  Output &output_;
  BufferedSource source_;               // of the text being printed, for -B
  std::vector<const RowEvent *> open_;  // rows: one more is within a row that commits it
  RowPrinter rows_;
  SystemNames names_;
  FormatContext format_;
  AggregationPrintOptions aggregations_;
  bool in_line_of_print_ = false;  // the value that print() showed has no newline after it
  bool tags_drops_ = false;
  bool ends_when_full_ = false;
};

void TextSink::lost(std::span<const Loss> losses) {
  for (const DropRow &row : kDropRows) {
    const bool per_cpu = row.kind == DropKind::kPrincipal || row.kind == DropKind::kAggregation;
    std::map<unsigned, uint64_t> sums;
    for (const Loss &loss : losses)
      if (loss.cause == row.cause) sums[per_cpu ? loss.cpu : 0] += loss.count;
    // A full buffer is how policy fill ends. What came too late is counted by the ledger, not as drops.
    if (row.cause == Cause::kRingFull && ends_when_full_) {
      if (!sums.empty() && !format_.text.quiet)
        parts_.report(fmt::format("buffer of CPU {} is full", sums.begin()->first));
      continue;
    }
    for (auto [cpu, count] : sums) parts_.report(drop_text(row.kind, count, cpu, tags_drops_));
  }
  for (const Loss &loss : losses) {
    const bool is_drop = std::ranges::find(kDropRows, loss.cause, &DropRow::cause) != std::end(kDropRows);
    if (is_drop || std::ranges::find(kSilent, loss.cause) != std::end(kSilent)) continue;
    std::string line = fmt::format("{} {}", loss.count, cause_text(loss.cause));
    if (!loss.program.empty()) line += fmt::format(" ({})", loss.program);
    parts_.report(tags_drops_ ? fmt::format("[{}] {}", cause_tag(loss.cause), line) : line);
  }
}

}  // namespace

std::unique_ptr<Sink> make_text_sink(const SinkParts &parts) { return std::make_unique<TextSink>(parts); }

}  // namespace dtrace
