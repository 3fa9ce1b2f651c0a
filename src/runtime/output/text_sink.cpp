// SPDX-License-Identifier: Apache-2.0
#include "runtime/output/text_sink.h"

#include <fmt/format.h>

#include <algorithm>

#include "runtime/output/aggregation_options.h"
#include "runtime/output/colour.h"
#include "runtime/output/wall_time.h"
#include "runtime/print/coloured_pieces.h"
#include "runtime/print/printf.h"
#include "runtime/print/trace_value.h"
#include "runtime/print/typed.h"

namespace dtrace::runtime {
namespace {

constexpr int64_t kMaxIndent = 10'000;  // blanks; more are a mistake, and cost memory

}  // namespace

TextSink::TextSink(const SinkParts &parts, std::unique_ptr<Pieces> pieces)
    : ReportingSink(parts), output_(parts.output), pieces_(std::move(pieces)) {
  rows_.set_plain(parts_.plain);
  format_.target_pid = parts_.target_pid;
  format_.names = &names_;
  format_.text.symbolizer = &parts_.symbolizer;
}

void TextSink::refresh(const Options &options) {
  ReportingSink::refresh(options);
  format_.text.stack_indent = static_cast<int>(std::min(options.number(Opt::stackindent), kMaxIndent));
  format_.text.quiet = options.flag(Opt::quiet);
  format_.text.raw_bytes = options.flag(Opt::rawbytes);
  format_.text.is_terminal = output_.is_terminal();
  rows_.set_quiet(options.flag(Opt::quiet));
  rows_.set_flowindent(options.flag(Opt::flowindent));
  aggregations_ = aggregation_options(options);
  stamps_ = options.flag(Opt::stamp);
  colour_ = options.string(Opt::color);
  choose_colour();
}

void TextSink::choose_colour() { pieces_->set_colour(shows_colour(colour_, output_.is_terminal())); }

// ---------------------------------------------------------------- rows

void TextSink::begin_row(const RowEvent &row, const RowEvent *next) {
  in_line_of_print_ = false;
  if (generation_ != output_.generation()) {
    generation_ = output_.generation();
    rows_.begin_file();
    at_line_start_ = true;
  }
  if (stamps_) stamp_ = row_stamp(row, parts_.time()) + " ";
  if (!row.clause.makes_row) return;
  std::optional<RowSite> following;
  if (next != nullptr) following = site_of(*next);
  std::string &text = pieces_->text();
  const size_t before = text.size();
  rows_.set_stamp(stamp_);
  rows_.begin(text, site_of(row), following ? &*following : nullptr);
  if (text.size() != before) stamp_.clear();
  pieces_->end();
}

void TextSink::begin_item(const ActionPlan &) {
  in_line_of_print_ = false;
  if (!at_line_start_) stamp_.clear();  // the row goes on with a line that another one began
  if (stamp_.empty()) return;
  pieces_->text() += stamp_;
  stamp_.clear();
}

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
    append_pointed(pieces_->text(), parts_.types, object.type, *object.address, object.bytes);
  else
    append_typed_value(pieces_->text(), parts_.types, object.type, object.bytes, format_.text);
  pieces_->end();
  in_line_of_print_ = !object.address;  // objects end their lines
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
  AggregationPrintOptions options = aggregations_;
  options.sort = order_of(action, aggregations_.sort);
  print_printa(*pieces_, views, action.format ? &*action.format : nullptr, options, format_);
  pieces_->end();
}

void TextSink::did(const ActionPlan &, std::string_view, std::optional<int64_t>) { in_line_of_print_ = false; }

void TextSink::end_row(const RowEvent &row) {
  std::string &text = pieces_->text();
  if (row.clause.makes_row) rows_.end(text);
  if (stamps_ && !text.empty()) at_line_start_ = text.ends_with('\n');
  stamp_.clear();
  pieces_->end();
  pieces_->row_done();
}

void TextSink::remaining(AggregationViews views) {
  pieces_->text() += '\n';
  print_aggregations(*pieces_, views, aggregations_, format_);
}

void TextSink::interrupted() {
  if (!parts_.plain) pieces_->text() += '\n';
}

// ---------------------------------------------------------------- the output

Result<Unit> TextSink::redirect(const std::string &path) {
  pieces_->end();
  Result<Unit> redirected = output_.redirect(path);
  pieces_->end();
  format_.text.is_terminal = output_.is_terminal();
  choose_colour();
  return redirected;
}

Result<Unit> TextSink::truncate() {
  pieces_->end();
  Result<Unit> truncated = output_.truncate();
  pieces_->end();
  return truncated;
}

void TextSink::flush() {
  pieces_->end();
  (void)output_.flush();  // the output remembers a failure
  pieces_->end();
}

std::unique_ptr<Sink> make_text_sink(const SinkParts &parts) {
  if (parts.buffered) return make_buffered_sink(parts);
  return std::make_unique<TextSink>(parts, std::make_unique<ColouredPieces>(parts.output));
}

}  // namespace dtrace::runtime
