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

#include "runtime/events/bucket_bounds.h"
#include "runtime/output/heat_sink.h"
#include "runtime/output/json_value.h"
#include "runtime/output/page.h"
#include "runtime/output/run_facts.h"

namespace dtrace::runtime {
namespace {

constexpr std::string_view kPage =
#include "runtime/output/heatmap_page.inc"
    ;

class HeatmapSink final : public HeatSink {
 public:
  explicit HeatmapSink(const SinkParts &parts) : HeatSink(parts, "heatmap") {}

 private:
  std::string picture(const std::vector<HeatMap> &maps, const RunFacts &facts) const override {
    std::string text;
    JsonWriter json(text);
    json.begin_object().member("dtrace_heatmap", 1);
    append_run_facts(json, facts);
    json.key("views").begin_array();
    for (const HeatMap &map : maps) append_view(json, map);
    json.end_array().member("empty", kNoHistograms).end_object();
    return page_of(kPage, text);
  }

  static void append_view(JsonWriter &json, const HeatMap &map) {
    const auto [first, last] = reached_buckets(map);
    json.begin_object().member("name", std::string_view(map.name));
    json.member("function", row(row(map.shape.function).builtin).name).member("joined", map.joined);
    append_quantity(json, map.quantity);
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
      constexpr int64_t kMaxExact = int64_t{1} << 53;
      if (!bound)
        json.null();
      else if (*bound > kMaxExact || *bound < -kMaxExact)
        json.value(std::string_view(std::to_string(*bound)));
      else
        json.value(*bound);
    }
    json.end_array();
  }
};

}  // namespace

std::unique_ptr<Sink> make_heatmap_sink(const SinkParts &parts) { return std::make_unique<HeatmapSink>(parts); }

}  // namespace dtrace::runtime
