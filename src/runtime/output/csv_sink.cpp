// SPDX-License-Identifier: Apache-2.0
// Comma-separated values as RFC 4180 has them. Lines of one clause, and of one aggregation, have the same columns: a
// header stands before the first of them, and their first field says which they are. doc/output-formats.md.
#include <fmt/format.h>

#include <list>
#include <map>
#include <set>

#include "base/utf8.h"
#include "runtime/events/bucket_bounds.h"
#include "runtime/output/aggregation_options.h"
#include "runtime/output/json_value.h"
#include "runtime/output/reporting_sink.h"
#include "runtime/output/row_values.h"
#include "runtime/output/stack_samples.h"
#include "runtime/output/wall_time.h"

namespace dtrace::runtime {
namespace {

constexpr std::string_view kLineEnd = "\r\n";

void append_field(std::string &line, std::string_view text) {
  if (!line.empty()) line += ',';
  const bool is_plain = !text.empty() && text.find_first_of(",\"\r\n") == std::string_view::npos &&
                        text.front() != ' ' && text.back() != ' ';
  if (is_plain || text.empty()) {
    line += text;
    return;
  }
  line += '"';
  for (const char c : text) line.append(c == '"' ? 2 : 1, c);
  line += '"';
}

/// Spreadsheets compute a cell that begins with one of these, and a process may be named "=HYPERLINK(...)".
constexpr std::string_view kFormulaBegins = "=+-@\t\r\n";

/// Text that spreadsheets take for text: an apostrophe before what would be computed, and before what begins with
/// apostrophes and then so, that one can be taken off again.
std::string escaped_formula(std::string text) {
  const size_t first = text.find_first_not_of('\'');
  if (first != std::string::npos && kFormulaBegins.find(text[first]) != std::string_view::npos) text.insert(0, 1, '\'');
  return text;
}

bool is_number(const Value &value) {
  return std::holds_alternative<Integer>(value) || std::holds_alternative<Floating>(value);
}

class CsvSink final : public ReportingSink {
 public:
  explicit CsvSink(const SinkParts &parts) : ReportingSink(parts), values_(parts) {}

  void refresh(const Options &options) override {
    ReportingSink::refresh(options);
    values_.refresh(options);
    aggregations_ = aggregation_options(options);
    stamps_ = options.flag(Opt::stamp);
    quiet_ = options.flag(Opt::quiet);
    escapes_formulas_ = options.string(Opt::csvformulas) != "keep";
  }

  void begin_row(const RowEvent &row, const RowEvent *) override {
    rows_.emplace_back();
    rows_.back().columns = &columns(row.clause);
    rows_.back().cells.resize(columns(row.clause).names.size());
    rows_.back().first_action = row.clause.actions.data();
  }

  void trace(const ActionPlan &action, const ValuePlan &plan, const Value &value) override {
    cell(action, static_cast<size_t>(&plan - action.values.data())) = value_text(value, plan.type);
  }
  void object(const ActionPlan &action, const ObjectEvent &object) override { cell(action) = values_.text(object); }
  void memory(const ActionPlan &action, std::string_view bytes) override {
    std::string &text = cell(action);
    for (const char c : bytes) text += fmt::format("{:02x}", static_cast<unsigned char>(c));
  }
  void formatted(const ActionPlan &action, std::span<const Value> values) override {
    const std::vector<PrintfArgument> arguments = printf_arguments(*action.format, values);
    if (arguments.empty()) cell(action) = safe(values_.formatted(action, values));
    for (size_t i = 0; i < arguments.size(); ++i)
      cell(action, i) = value_text(arguments[i].value, printf_type(action, arguments[i]));
  }
  void aggregations(const ActionPlan &action, AggregationViews views) override {
    const SortOptions order = order_of(action, aggregations_.sort);
    for (const AggregationView *view : views) append_aggregation(rows_.back().behind, *view, order);
  }
  void did(const ActionPlan &, std::string_view, std::optional<int64_t>) override {}

  void end_row(const RowEvent &row) override {
    const Row ended = std::move(rows_.back());
    rows_.pop_back();
    std::string text;
    if (!ended.cells.empty() || (row.clause.makes_row && !quiet_)) {
      append_row_header(text, row.clause);
      std::string line = row.clause.name;
      if (stamps_) append_field(line, row_stamp(row, parts_.time()));
      append_field(line, row.time_ns ? std::to_string(*row.time_ns) : "");
      append_field(line, std::to_string(row.cpu));
      for (const std::string_view part : {std::string_view(row.probe.provider), std::string_view(row.probe.module),
                                          row.function, std::string_view(row.probe.name)})
        append_field(line, safe(utf8_text(part)));
      for (const std::string &value : ended.cells) append_field(line, value);
      text.append(line).append(kLineEnd);
    }
    show(text + ended.behind);
  }

  void interrupted() override {}
  void remaining(AggregationViews views) override {
    for (const AggregationView *view : views) {
      std::string text;
      append_aggregation(text, *view, aggregations_.sort);
      show(text);
    }
  }
  void ended(int, std::span<const Loss>) override { flush(); }

  /// Another file has headers of its own.
  Result<Unit> redirect(const std::string &path) override {
    has_header_.clear();
    return parts_.output.redirect(path);
  }
  Result<Unit> truncate() override {
    has_header_.clear();
    return parts_.output.truncate();
  }
  void flush() override { (void)parts_.output.flush(); }

 private:
  struct Columns {
    std::vector<std::string> names;
    std::vector<size_t> first_of_action;
  };
  struct Row {
    const Columns *columns = nullptr;
    std::vector<std::string> cells;
    const ActionPlan *first_action = nullptr;
    std::string behind;  // lines that follow
  };

  std::string safe(std::string text) const {
    return escapes_formulas_ ? escaped_formula(std::move(text)) : std::move(text);
  }
  /// Numbers stay numbers.
  std::string value_text(const Value &value, TypeId type) const {
    std::string text = values_.text(value, type);
    return is_number(value) ? text : safe(std::move(text));
  }

  void show(std::string_view text) {
    if (text.empty()) return;
    parts_.output.text() += text;
    parts_.output.row_done();
  }

  static Columns columns_of(const ClausePlan &clause) {
    Columns columns;
    for (const ActionPlan &action : clause.actions) {
      columns.first_of_action.push_back(columns.names.size());
      for (size_t i = 0; i < nr_shown_values(action); ++i) {
        columns.names.push_back(value_name(action, i));
      }
    }
    return columns;
  }

  const Columns &columns(const ClausePlan &clause) {
    const auto [known, is_new] = columns_.try_emplace(clause.index);
    if (is_new) known->second = columns_of(clause);
    return known->second;
  }

  std::string &cell(const ActionPlan &action, size_t value = 0) {
    Row &row = rows_.back();
    return row.cells[row.columns->first_of_action[static_cast<size_t>(&action - row.first_action)] + value];
  }

  /// The first line of a file's lines that begin with `name`?
  bool wants_header(std::string_view name) {
    if (generation_ != parts_.output.generation()) has_header_.clear();
    generation_ = parts_.output.generation();
    return has_header_.emplace(name).second;
  }

  void append_row_header(std::string &text, const ClausePlan &clause) {
    if (!wants_header(clause.name)) return;
    std::string line = stamps_ ? "clause,time" : "clause";
    for (const std::string_view column : {"time_ns", "cpu", "provider", "module", "function", "name"})
      append_field(line, column);
    for (const std::string &column : columns(clause).names) append_field(line, column);
    text.append(line).append(kLineEnd);
  }

  void append_aggregation(std::string &text, const AggregationView &view, const SortOptions &order) {
    const AggregationPlan &plan = parts_.plan.aggregations[view.id];
    const std::string name = fmt::format("@{}", view.name == "_" ? "" : view.name);
    if (view.entries.empty()) return;
    const size_t nr_keys = view.entries.front().keys.size();
    if (wants_header(name)) {
      std::string line = "aggregation";
      for (size_t i = 0; i < nr_keys; ++i)
        append_field(line, i < plan.key_texts.size() ? one_line(plan.key_texts[i]) : fmt::format("key{}", i + 1));
      if (aggregations_.per_cpu) append_field(line, "cpu");
      if (view.shape.is_histogram())
        line += ",least,greatest,count";
      else
        append_field(line, dtrace::row(dtrace::row(view.shape.function).builtin).name);
      text.append(line).append(kLineEnd);
    }
    for (const uint32_t index : sorted_entries(view, order)) {
      const AggregationEntry &entry = view.entries[index];
      std::string begin = name;
      for (size_t i = 0; i < entry.keys.size(); ++i)
        append_field(begin, value_text(entry.keys[i], i < plan.keys.size() ? plan.keys[i].type : TypeId{}));
      append_value(text, begin, view, "", entry.words);
      for (const CpuWords &share : entry.per_cpu)
        append_value(text, begin, view, std::to_string(share.cpu), share.words);
    }
  }

  /// `cpu`: empty for all of them.
  void append_value(std::string &text, std::string begin, const AggregationView &view, const std::string &cpu,
                    std::span<const uint64_t> words) const {
    if (aggregations_.per_cpu) append_field(begin, cpu);
    if (!view.shape.is_histogram()) {
      const ScalarResult result = scalar_result(view.shape, words, view.normal);
      append_field(
          begin, result.is_signed ? std::to_string(result.value) : std::to_string(static_cast<uint64_t>(result.value)));
      text.append(begin).append(kLineEnd);
      return;
    }
    const auto bound = [](std::optional<int64_t> value) { return value ? std::to_string(*value) : std::string(); };
    for (uint32_t bucket = 0; bucket < words.size(); ++bucket) {
      if (words[bucket] == 0) continue;
      const BucketBounds bounds = bucket_bounds(view.shape, bucket);
      std::string line = begin;
      append_field(line, bound(bounds.least));
      append_field(line, bound(bounds.greatest));
      append_field(line, std::to_string(normalised(static_cast<int64_t>(words[bucket]), view.normal)));
      text.append(line).append(kLineEnd);
    }
  }

  RowValues values_;
  AggregationPrintOptions aggregations_;
  bool stamps_ = false, quiet_ = false, escapes_formulas_ = true;
  std::map<uint32_t, Columns> columns_;            // by clause
  std::set<std::string, std::less<>> has_header_;  // names of clauses and aggregations
  uint64_t generation_ = 0;                        // of the output that has them
  std::list<Row> rows_;                            // open ones: one more is within a row that commits it
};

}  // namespace

std::unique_ptr<Sink> make_csv_sink(const SinkParts &parts) { return std::make_unique<CsvSink>(parts); }

}  // namespace dtrace::runtime
