// SPDX-License-Identifier: Apache-2.0
// A heat map as one page that needs no other file: heatmap_page.inc with the columns as JSON in it.
// doc/output-formats.md describes the page.
//
//   {"dtrace_heatmap":1, "run":{...},
//    "views":[{"name":"@", "function":"quantize", "key_names":[...], "keys":[text,...], "joined":1,
//              "buckets":[[least,greatest],...], "times":[...], "columns":[[key,bucket,count,
//              key,bucket,count,...],...]},...]}
//
// Buckets are those that were reached and all between them; no bound is null. Times are nanoseconds since the first
// column began: column i is from times[i] to times[i + 1].
#include <fmt/format.h>

#include <algorithm>
#include <limits>

#include "runtime/events/bucket_bounds.h"
#include "runtime/output/heat_map.h"
#include "runtime/output/json_value.h"
#include "runtime/output/page.h"
#include "runtime/output/reporting_sink.h"
#include "runtime/output/run_facts.h"

namespace dtrace::runtime {
namespace {

constexpr std::string_view kPage =
#include "runtime/output/heatmap_page.inc"
    ;
constexpr std::string_view kNoHistograms =
    "No histograms were recorded. A heat map shows quantize(), lquantize() and llquantize() over time: each time that "
    "the "
    "program prints one, tick-1s { printa(@); }, is a column.";

class HeatmapSink final : public ReportingSink {
 public:
  explicit HeatmapSink(const SinkParts &parts)
      : ReportingSink(parts),
        clock_(parts.boot.empty()),
        values_(parts),
        maps_(parts.plan, values_, parts.boot.empty() ? nanoseconds_of(CLOCK_MONOTONIC) : 0) {}

  void refresh(const Options &options) override {
    ReportingSink::refresh(options);
    values_.refresh(options);
  }
  void fault(const FaultEvent &fault) override {
    ++faults_;
    ReportingSink::fault(fault);
  }
  void more_faults(std::string_view clause, uint64_t count) override {
    faults_ += count;
    ReportingSink::more_faults(clause, count);
  }

  void begin_row(const RowEvent &, const RowEvent *) override { open_.push_back(false); }
  void trace(const ActionPlan &, const ValuePlan &, const Value &) override { open_.back() = true; }
  void object(const ActionPlan &, const ObjectEvent &) override { open_.back() = true; }
  void memory(const ActionPlan &, std::string_view) override { open_.back() = true; }
  void formatted(const ActionPlan &, std::span<const Value>) override { open_.back() = true; }
  void end_row(const RowEvent &) override {
    rows_left_out_ += open_.back() ? 1 : 0;
    open_.pop_back();
  }
  /// The values are those of now: the row that asked for them was before.
  void aggregations(const ActionPlan &, AggregationViews views) override { show(views); }
  void did(const ActionPlan &action, std::string_view, std::optional<int64_t> number) override {
    const bool is_whole =
        action.kind == Builtin::k_clear || (action.kind == Builtin::k_trunc && number.value_or(0) == 0);
    if (is_whole) maps_.clear(action.aggregations);
  }

  void interrupted() override {}
  void remaining(AggregationViews views) override {
    clock_.stop();
    show(views);
  }
  void ended(int, std::span<const Loss> all_losses) override {
    clock_.stop();
    const std::vector<std::string> left_out = this->left_out();
    parts_.output.text() += picture(run_facts(parts_, clock_, all_losses, left_out, faults_));
    parts_.output.row_done();
    (void)parts_.output.flush();  // the output remembers a failure
    for (const std::string &text : left_out) parts_.report(text);
  }

  Result<Unit> redirect(const std::string &) override {
    return Error("format heatmap is written as a whole at the end, and cannot be sent elsewhere");
  }
  Result<Unit> truncate() override {
    return Error("format heatmap is written as a whole at the end: there is nothing to truncate");
  }
  void flush() override {}

 private:
  void show(AggregationViews views) { maps_.show(views, parts_.boot.empty() ? nanoseconds_of(CLOCK_MONOTONIC) : 0); }

  std::vector<std::string> left_out() const {
    std::vector<std::string> parts;
    if (!maps_.others().empty()) parts.push_back(fmt::format("{} (no histogram)", fmt::join(maps_.others(), ", ")));
    if (rows_left_out_ != 0) parts.push_back(fmt::format("{} row{}", rows_left_out_, rows_left_out_ == 1 ? "" : "s"));
    if (parts.empty()) return {};
    return {fmt::format("format heatmap shows quantize(), lquantize() and llquantize(); left out: {}",
                        fmt::join(parts, ", "))};
  }

  std::string picture(const RunFacts &facts) const {
    std::string text;
    JsonWriter json(text);
    json.begin_object().member("dtrace_heatmap", 1);
    append_run_facts(json, facts);
    json.key("views").begin_array();
    for (const HeatMap &map : maps_.maps()) append_view(json, map);
    json.end_array().member("empty", kNoHistograms).end_object();
    return page_of(kPage, text);
  }

  static void append_view(JsonWriter &json, const HeatMap &map) {
    uint32_t first = std::numeric_limits<uint32_t>::max(), last = 0;
    for (const HeatColumn &column : map.columns)
      for (const HeatCell &cell : column.cells) {
        first = std::min(first, cell.bucket);
        last = std::max(last, cell.bucket);
      }
    json.begin_object().member("name", std::string_view(map.name));
    json.member("function", row(row(map.shape.function).builtin).name).member("joined", map.joined);
    const auto texts = [&](std::string_view name, const std::vector<std::string> &all) {
      json.key(name).begin_array();
      for (const std::string &one : all) json.value(std::string_view(one));
      json.end_array();
    };
    texts("key_names", map.key_names);
    texts("keys", map.keys);
    json.key("buckets").begin_array();
    for (uint32_t bucket = first; bucket <= last; ++bucket) append_bounds(json, bucket_bounds(map.shape, bucket));
    json.end_array().key("times").begin_array();
    if (!map.columns.empty()) json.value(0);
    for (const HeatColumn &column : map.columns) json.value(column.end_ns - map.columns.front().begin_ns);
    json.end_array().key("columns").begin_array();
    for (const HeatColumn &column : map.columns) {
      json.begin_array();
      for (const HeatCell &cell : column.cells) json.value(cell.key).value(cell.bucket - first).value(cell.count);
      json.end_array();
    }
    json.end_array().end_object();
  }

  /// Bounds beyond 53 bits are text: JavaScript's numbers would round them.
  static void append_bounds(JsonWriter &json, const BucketBounds &bounds) {
    json.begin_array();
    for (const std::optional<int64_t> &bound : {bounds.least, bounds.greatest}) {
      constexpr int64_t kMostExact = int64_t{1} << 53;
      if (!bound)
        json.null();
      else if (*bound > kMostExact || *bound < -kMostExact)
        json.value(std::string_view(std::to_string(*bound)));
      else
        json.value(*bound);
    }
    json.end_array();
  }

  RunClock clock_;
  RowValues values_;
  HeatMaps maps_;
  std::vector<bool> open_;  // rows: do they show something? One more is within a row that commits it
  uint64_t rows_left_out_ = 0, faults_ = 0;
};

}  // namespace

std::unique_ptr<Sink> make_heatmap_sink(const SinkParts &parts) { return std::make_unique<HeatmapSink>(parts); }

}  // namespace dtrace::runtime
