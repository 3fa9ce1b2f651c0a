// SPDX-License-Identifier: Apache-2.0
#include "runtime/output/text_sink.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "runtime/output/aggregation_options.h"
#include "runtime/print/messages.h"
#include "runtime/print/printf.h"
#include "runtime/print/trace_value.h"
#include "runtime/print/typed.h"

namespace dtrace::runtime {
namespace {

constexpr int64_t kMaxIndent = 10'000;  // blanks; more are a mistake, and cost memory

}  // namespace

TextSink::TextSink(const SinkParts &parts, std::unique_ptr<Pieces> pieces)
    : parts_(parts), output_(parts.output), pieces_(std::move(pieces)) {
  rows_.set_plain(parts_.plain);
  format_.target_pid = parts_.target_pid;
  format_.names = &names_;
  format_.text.symbolizer = &parts_.symbolizer;
}

void TextSink::refresh(const Options &options) {
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

// ---------------------------------------------------------------- rows

void TextSink::begin_row(const RowEvent &row, const RowEvent *next) {
  in_line_of_print_ = false;
  if (!row.clause.makes_row) return;
  std::optional<RowSite> following;
  if (next != nullptr) following = site_of(*next);
  rows_.begin(pieces_->text(), site_of(row), following ? &*following : nullptr);
  pieces_->end();
}

void TextSink::begin_item(const ActionPlan &) { in_line_of_print_ = false; }

void TextSink::trace(const ActionPlan &action, const ValuePlan &, const Value &value) {
  begin_item(action);
  append_trace(pieces_->text(), value, format_.text);
  pieces_->end();
}

void TextSink::object(const ActionPlan &action, const ObjectEvent &object) {
  const bool goes_on = in_line_of_print_;
  begin_item(action);
  if (goes_on) pieces_->text() += '\n';  // the value before has none
  if (object.address)
    append_pointed(pieces_->text(), parts_.types, object.type, *object.address, object.bytes, format_.text);
  else
    append_typed_value(pieces_->text(), parts_.types, object.type, object.bytes, format_.text);
  pieces_->end();
  in_line_of_print_ = true;
}

void TextSink::memory(const ActionPlan &action, std::string_view bytes) {
  begin_item(action);
  append_dump(pieces_->text(), bytes);
  pieces_->end();
}

void TextSink::formatted(const ActionPlan &action, std::span<const Value> values) {
  begin_item(action);
  append_printf(pieces_->text(), *action.format, values, format_);
  pieces_->end();
}

void TextSink::aggregations(const ActionPlan &action, AggregationViews views) {
  begin_item(action);
  print_printa(*pieces_, views, action.format ? &*action.format : nullptr, aggregations_, format_);
  pieces_->end();
}

void TextSink::did(const ActionPlan &, std::string_view, std::optional<int64_t>) { in_line_of_print_ = false; }

void TextSink::end_row(const RowEvent &row) {
  if (row.clause.makes_row) rows_.end(pieces_->text());
  pieces_->end();
  output_.row_done();
}

void TextSink::remaining(AggregationViews views) {
  pieces_->text() += '\n';
  print_aggregations(*pieces_, views, aggregations_, format_);
}

void TextSink::interrupted() {
  if (!parts_.plain) pieces_->text() += '\n';
}

// ---------------------------------------------------------------- failures and losses

void TextSink::fault(const FaultEvent &fault) { parts_.report(fault_report_text(fault)); }

void TextSink::more_faults(std::string_view clause, uint64_t count) {
  parts_.report(fmt::format("{} more errors in {}", count, clause));
}

void TextSink::failed(const RowEvent &row, std::string_view message) {
  parts_.report(library_fault_text(row.clause.name, row.probe, message));
}

void TextSink::lost(std::span<const Loss> losses) {
  for (const DropCause &row : kDropCauses) {
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
    if (drop_kind(loss.cause) || is_silent(loss.cause)) continue;
    std::string line = fmt::format("{} {}", loss.count, cause_text(loss.cause));
    if (!loss.program.empty()) line += fmt::format(" ({})", loss.program);
    parts_.report(tags_drops_ ? fmt::format("[{}] {}", cause_tag(loss.cause), line) : line);
  }
}

// ---------------------------------------------------------------- the output

Result<Unit> TextSink::redirect(const std::string &path) {
  pieces_->end();
  Result<Unit> redirected = output_.redirect(path);
  format_.text.is_terminal = output_.is_terminal();
  return redirected;
}

Result<Unit> TextSink::truncate() {
  pieces_->end();
  return output_.truncate();
}

void TextSink::flush() {
  pieces_->end();
  (void)output_.flush();  // the output remembers a failure
}

std::unique_ptr<Sink> make_text_sink(const SinkParts &parts) {
  if (parts.buffered) return make_buffered_sink(parts);
  return std::make_unique<TextSink>(parts, std::make_unique<PlainPieces>(parts.output));
}

}  // namespace dtrace::runtime
