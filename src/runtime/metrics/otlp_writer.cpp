// SPDX-License-Identifier: Apache-2.0
// OTLP as JSON: one request of the metrics service. Sums are cumulative from the start of tracing; integers are exact,
// as text, which the encoding wants of 64 bits. Source: the OTLP specification 1.x, metrics.proto, "JSON Protobuf
// Encoding".
#include <fmt/format.h>

#include "runtime/metrics/metric_writer.h"
#include "runtime/print/json.h"

namespace dtrace::runtime {
namespace {

constexpr std::string_view kPrefix = "dtrace.";
constexpr int kCumulative = 2;  // AGGREGATION_TEMPORALITY_CUMULATIVE

class OtlpWriter final : public MetricWriter {
 public:
  explicit OtlpWriter(OtlpSource source) : source_(std::move(source)) {}

  MetricFormat format() const override { return MetricFormat::kOtlp; }

  void begin() override {
    json_.begin_object().key("resourceMetrics").begin_array().begin_object();
    json_.key("resource").begin_object().key("attributes").begin_array();
    attribute("host.name", source_.host_name);
    attribute("service.name", source_.service_name);
    json_.end_array().end_object();
    json_.key("scopeMetrics").begin_array().begin_object();
    json_.key("scope").begin_object().member("name", "dtrace").member("version", std::string_view(source_.version));
    json_.end_object().key("metrics").begin_array();
  }

  void begin_block(const MetricFamily &family, const MetricBlock &block) override {
    open_metric(fmt::format("{}{}{}", kPrefix, family.name, block.suffix), family.help, {}, block.type);
  }

  void entry(const MetricFamily &family, const MetricBlock &block, const std::vector<std::string> &labels,
             std::span<const uint64_t> words, const Bounds &bounds) override {
    if (block.samples.empty() && has_negative_count(words)) return;
    json_.begin_object().key("attributes").begin_array();
    for (size_t i = 0; i < labels.size(); ++i) attribute(family.labels[i], labels[i]);
    json_.end_array();
    times();
    if (block.samples.empty())
      histogram(words, bounds);
    else
      number(sample_text(family, block.samples.front().value, words));
    json_.end_object();
  }

  void end_block() override { json_.end_array().end_object().end_object(); }

  void plain(const PlainMetric &metric) override {
    if (metric.samples.empty()) return;
    const std::string_view unit = metric.unit == "seconds" ? "s" : metric.unit == "bytes" ? "By" : "";
    open_metric(fmt::format("{}{}", kPrefix, metric.name), metric.help, unit, metric.type);
    for (const PlainSample &sample : metric.samples) {
      json_.begin_object().key("attributes").begin_array();
      for (const auto &[name, value] : sample.labels) attribute(name, value);
      json_.end_array();
      times();
      if (const auto *count = std::get_if<uint64_t>(&sample.value))
        number(std::to_string(*count));
      else
        json_.member("asDouble", std::get<double>(sample.value));
      json_.end_object();
    }
    end_block();
  }

  void end() override { json_.end_array().end_object().end_array().end_object().end_array().end_object(); }

 private:
  void attribute(std::string_view name, std::string_view value) {
    json_.begin_object().member("key", name).key("value").begin_object().member("stringValue", value);
    json_.end_object().end_object();
  }

  void times() {
    json_.member("startTimeUnixNano", std::string_view(std::to_string(source_.start_ns)));
    json_.member("timeUnixNano", std::string_view(std::to_string(source_.now_ns)));
  }

  /// asInt is of 64 signed bits: what does not fit there is a double.
  void number(const std::string &digits) {
    const bool is_long = digits.size() > 19 || (digits.size() == 19 && digits > "9223372036854775807");
    if (is_long && digits.front() != '-')
      json_.member("asDouble", std::stod(digits));
    else
      json_.member("asInt", std::string_view(digits));
  }

  void open_metric(std::string_view name, std::string_view help, std::string_view unit, MetricType type) {
    json_.begin_object().member("name", name).member("description", help);
    if (!unit.empty()) json_.member("unit", unit);
    const bool is_sum = type == MetricType::kCounter || type == MetricType::kUnknown;
    json_.key(is_sum ? "sum" : type == MetricType::kHistogram ? "histogram" : "gauge").begin_object();
    if (is_sum || type == MetricType::kHistogram) json_.member("aggregationTemporality", kCumulative);
    if (is_sum) json_.member("isMonotonic", type == MetricType::kCounter);
    json_.key("dataPoints").begin_array();
  }

  /// Bounds are those of all entries; counts are of the buckets between them, ends included.
  void histogram(std::span<const uint64_t> words, const Bounds &bounds) {
    uint64_t before = 0;  // of buckets below the first bound that is shown
    uint32_t next = 0;
    std::vector<uint64_t> counts;
    std::vector<int64_t> shown;
    for (size_t i = 0; i < bounds.upper.size(); ++i) {
      uint64_t count = 0;
      for (; next <= bounds.bucket[i]; ++next) count += words[next];
      if (counts.empty() && count == 0 && i < bounds.always_from) continue;
      counts.push_back(count);
      shown.push_back(bounds.upper[i]);
      before += count;
    }
    uint64_t rest = 0;
    for (; next < words.size(); ++next) rest += words[next];
    counts.push_back(rest);
    json_.member("count", std::string_view(std::to_string(before + rest)));
    json_.key("bucketCounts").begin_array();
    for (const uint64_t count : counts) json_.value(std::string_view(std::to_string(count)));
    json_.end_array().key("explicitBounds").begin_array();
    for (const int64_t bound : shown) json_.value(bound);
    json_.end_array();
  }

  OtlpSource source_;
  JsonWriter json_{text_};
};

}  // namespace

std::unique_ptr<MetricWriter> make_otlp_writer(OtlpSource source) {
  return std::make_unique<OtlpWriter>(std::move(source));
}

}  // namespace dtrace::runtime
