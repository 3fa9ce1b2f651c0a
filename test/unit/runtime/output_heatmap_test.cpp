// SPDX-License-Identifier: Apache-2.0
// Format heatmap, over recorded items, and the columns that it is made of.
#include <catch2/catch.hpp>

#include "output_support.h"
#include "runtime/output/heat_map.h"
#include "test/unit/text_matchers.h"

using namespace dtrace;
using namespace dtrace::runtime;
using namespace dtrace::runtime::test;

namespace {

/// Words of quantize(): counts of buckets from that of zero on.
std::vector<uint64_t> buckets(std::initializer_list<uint64_t> counts) {
  std::vector<uint64_t> words(kQuantizeBuckets);
  size_t at = 63;
  for (const uint64_t count : counts) words[at++] = count;
  return words;
}

std::string text_of(const HeatColumn &column) {
  std::string text = fmt::format("{}-{}:", column.begin_ns, column.end_ns);
  for (const HeatCell &cell : column.cells) text += fmt::format(" {}/{}={}", cell.key, cell.bucket, cell.count);
  return text;
}

/// Shows aggregation 0, quantize() by execname, at some time.
class History {
 public:
  History() {
    run_.aggregation("_", Builtin::k_quantize, {"execname"});
    maps_.emplace(run_.plan, values_, 100);
  }
  void show(uint64_t now_ns, const std::vector<ShownRun::Shown> &entries, uint64_t normal = 1) {
    AggregationView view{0, "_", {AggregatingFunction::kQuantize, {}}, normal, {}};
    for (const ShownRun::Shown &entry : entries) view.entries.push_back({entry.keys, entry.words, {}});
    const AggregationView *const views[] = {&view};
    maps_->show(views, now_ns);
  }
  void clear() {
    const uint32_t all[] = {0};
    maps_->clear(all);
  }
  const HeatMap &map() const { return maps_->maps().front(); }
  std::string column(size_t index) const { return text_of(map().columns.at(index)); }

 private:
  ShownRun run_{"heatmap"};
  RowValues values_{SinkParts{run_.output, run_.symbols, run_.types, run_.plan, 0, false, false, {}}};
  std::optional<HeatMaps> maps_;
};

}  // namespace

TEST_CASE("a column has what was added since the one before", "[heatmap]") {
  History shown;
  shown.show(200, {{{text("cat")}, buckets({1, 2})}});
  shown.show(300, {{{text("cat")}, buckets({1, 5})}, {{text("dog")}, buckets({0, 0, 7})}});
  shown.show(400, {{{text("cat")}, buckets({1, 5})}, {{text("dog")}, buckets({0, 0, 7})}});
  CHECK(shown.map().keys == std::vector<std::string>{"cat", "dog"});
  CHECK(shown.column(0) == "100-200: 0/63=1 0/64=2");
  CHECK(shown.column(1) == "200-300: 0/64=3 1/65=7");
  CHECK(shown.column(2) == "300-400:");
}

TEST_CASE("after clear() everything is new, and so is a key that trunc() has removed", "[heatmap]") {
  History shown;
  shown.show(200, {{{text("cat")}, buckets({4})}, {{text("dog")}, buckets({9})}});
  shown.clear();
  shown.show(300, {{{text("cat")}, buckets({3})}, {{text("dog")}, buckets({0})}});
  shown.show(400, {{{text("cat")}, buckets({4})}});
  shown.show(500, {{{text("cat")}, buckets({4})}, {{text("dog")}, buckets({2})}});
  CHECK(shown.column(1) == "200-300: 0/63=3");
  CHECK(shown.column(2) == "300-400: 0/63=1");
  CHECK(shown.column(3) == "400-500: 1/63=2");
}

TEST_CASE("counts are normalised, and may be negative", "[heatmap]") {
  History shown;
  shown.show(200, {{{text("cat")}, buckets({40})}}, 10);
  shown.show(300, {{{text("cat")}, buckets({49})}}, 10);
  shown.show(400, {{{text("cat")}, buckets({51})}}, 10);
  shown.show(500, {{{text("cat")}, buckets({20})}}, 10);
  CHECK(shown.column(0) == "100-200: 0/63=4");
  CHECK(shown.column(1) == "200-300:");
  CHECK(shown.column(2) == "300-400: 0/63=1");  // so that the columns add up to what the text shows
  CHECK(shown.column(3) == "400-500: 0/63=-3");
}

TEST_CASE("too many columns are joined, and nothing is lost", "[heatmap]") {
  History shown;
  for (uint64_t i = 1; i <= HeatMaps::kMaxColumns + 2; ++i) shown.show(100 + i, {{{text("cat")}, buckets({i})}});
  const HeatMap &map = shown.map();
  CHECK(map.joined == 2);
  CHECK(map.columns.size() == HeatMaps::kMaxColumns / 2 + 2);
  CHECK(shown.column(0) == "100-102: 0/63=2");
  int64_t sum = 0;
  uint64_t end = 100;
  for (const HeatColumn &column : map.columns) {
    CHECK(column.begin_ns == end);
    end = column.end_ns;
    for (const HeatCell &cell : column.cells) sum += cell.count;
  }
  CHECK(sum == HeatMaps::kMaxColumns + 2);
}

TEST_CASE("the page has buckets with bounds from the first that was reached to the last", "[heatmap]") {
  ShownRun run("heatmap");
  const uint32_t quantize = run.aggregation("q", Builtin::k_quantize, {"execname", "pid"});
  const uint32_t count = run.aggregation("c", Builtin::k_count, {"execname"});
  run.action(0, Builtin::k_trace, {"pid"}, 1);
  run.show(quantize, {{{text("</script>"), i32(7)}, buckets({0, 2, 0, 0, 5})}}, false);
  run.show(count, {{{text("cat")}, {8}}}, true);
  run.row(0, {i32(1)});
  run.row(1, {});
  const std::string &page = run.finish();
  CHECK_THAT(page,
             contains_text(R"("views":[{"name":"@q","function":"quantize","joined":1,"key_names":["execname","pid"],)"
                           R"("keys":["\u003c/script>, 7"],"buckets":[[1,1],[2,3],[4,7],[8,15]],"times":[0,0],)"
                           R"("columns":[[0,0,2,0,3,5]]}],"empty":)"));
  CHECK(run.reports == std::vector<std::string>{"format heatmap shows quantize(), lquantize() and llquantize(); left "
                                                "out: @c (no histogram), 1 row"});
}

TEST_CASE("a run without histograms is a page that says so; freopen() is refused", "[heatmap]") {
  ShownRun run("heatmap");
  CHECK_FALSE(run.sink().redirect("other"));
  CHECK_FALSE(run.sink().truncate());
  CHECK_THAT(run.finish(), contains_text("\"views\":[]") && contains_text("\"empty\":\"No histograms were recorded."));
  CHECK(run.reports.empty());
}

TEST_CASE("bounds have the unit of what is aggregated", "[heatmap]") {
  const auto shown = [](std::string_view format) {
    ShownRun run(format);
    run.options.set("title", "Waits", OptionSource::kCommandLine);
    const uint32_t waits = run.aggregation("q", Builtin::k_quantize, {"execname"});
    run.plan.aggregations[waits].quantity = {Quantity::Kind::kTime, 1000};
    run.show(waits, {{{text("cat")}, buckets({0, 2, 0, 0, 5})}}, true);
    return std::string(run.finish());
  };
  CHECK_THAT(shown("heatmap"), contains_text(R"("title":"Waits")") &&
                                   contains_text(R"("function":"quantize","joined":1,"quantity":"time","step":1000,)"));
  CHECK_THAT(shown("heattext"), contains_text("Waits\n@q = quantize(), by execname") &&
                                    contains_text("         8.00 µs |") && contains_text("         1.00 µs |"));
}
