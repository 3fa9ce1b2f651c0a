// SPDX-License-Identifier: Apache-2.0
// Text in DTrace's layouts: rows and aggregations to the output, losses and failures as lines for people.
#pragma once

#include <memory>
#include <span>

#include "runtime/output/reporting_sink.h"
#include "runtime/print/aggregation_print.h"
#include "runtime/print/pieces.h"
#include "runtime/print/row.h"
#include "runtime/print/system_names.h"

namespace dtrace::runtime {

class TextSink : public ReportingSink {
 public:
  /// `pieces` takes the text, and hands it to the output.
  TextSink(const SinkParts &parts, std::unique_ptr<Pieces> pieces);

  void refresh(const Options &options) override;

  void begin_row(const RowEvent &row, const RowEvent *next) override;
  void trace(const ActionPlan &action, const ValuePlan &plan, const Value &value) override;
  void object(const ActionPlan &action, const ObjectEvent &object) override;
  void memory(const ActionPlan &action, std::string_view bytes) override;
  void formatted(const ActionPlan &action, std::span<const Value> values) override;
  void aggregations(const ActionPlan &action, AggregationViews views) override;
  void did(const ActionPlan &action, std::string_view what, std::optional<int64_t> value) override;
  void end_row(const RowEvent &row) override;

  void interrupted() override;
  void remaining(AggregationViews views) override;
  void ended(int, std::span<const Loss>) override {}

  Result<Unit> redirect(const std::string &path) override;
  Result<Unit> truncate() override;
  void flush() override;

 protected:
  /// Text of `action` follows.
  virtual void begin_item(const ActionPlan &action);
  /// What follows begins in a row of its own.
  void begin_line() { in_line_of_print_ = false; }
  Pieces &pieces() { return *pieces_; }
  const FormatContext &format() const { return format_; }
  const AggregationPrintOptions &aggregation_printing() const { return aggregations_; }

 private:
  Output &output_;
  std::unique_ptr<Pieces> pieces_;
  RowPrinter rows_;
  SystemNames names_;
  FormatContext format_;
  AggregationPrintOptions aggregations_;
  bool in_line_of_print_ = false;  // the value that print() showed has no newline after it
  void choose_colour();

  bool stamps_ = false;
  std::string colour_;         // option color
  std::string stamp_;          // of the row, not shown yet; empty: it is, or none is wanted
  bool at_line_start_ = true;  // of what was shown before the row
  uint64_t generation_ = 0;    // of the output, when rows were last shown
};

/// What -B prints in place of each piece of that text.
std::unique_ptr<Sink> make_buffered_sink(const SinkParts &parts);

}  // namespace dtrace::runtime
