// SPDX-License-Identifier: Apache-2.0
#include "runtime/metrics/metric_family.h"

#include <fmt/format.h>

#include <algorithm>

#include "runtime/events/bucket_bounds.h"
#include "runtime/output/json_value.h"

namespace dtrace::runtime {
namespace {

bool is_letter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'); }
bool is_digit(char c) { return c >= '0' && c <= '9'; }

/// Every suffix that a sample of some type has.
constexpr std::string_view kSuffixes[] = {"", "_total", "_sum", "_count", "_bucket", "_sumsq", "_created", "_info"};

/// Labels that the formats give a meaning.
constexpr std::string_view kReservedLabels[] = {"le", "quantile"};

bool is_stack(const ValuePlan &key) {
  return key.kind == ValuePlan::Kind::kKernelStack || key.kind == ValuePlan::Kind::kUserStack ||
         key.kind == ValuePlan::Kind::kStack;
}

std::vector<std::string> label_names(const AggregationPlan &plan) {
  std::vector<std::string> labels;
  std::set<std::string> taken(std::begin(kReservedLabels), std::end(kReservedLabels));
  for (size_t i = 0; i < plan.keys.size(); ++i) {
    std::string name = i < plan.key_texts.size() ? metric_word(plan.key_texts[i]) : "";
    if (name.empty()) name = fmt::format("key{}", i + 1);
    std::string free = name;
    for (int n = 2; !taken.insert(free).second; ++n) free = fmt::format("{}_{}", name, n);
    labels.push_back(std::move(free));
  }
  return labels;
}

constexpr SampleRow kSumRow{"_sum", ValueOf::kSecond}, kCountRow{"_count", ValueOf::kFirst};

/// OpenMetrics allows no summary whose sum may be negative, and OTLP has none of integers.
std::vector<MetricBlock> average_blocks(const MetricFamily &family, MetricFormat format) {
  const bool is_summary =
      format == MetricFormat::kPrometheus || (format == MetricFormat::kOpenMetrics && family.is_never_negative);
  if (is_summary) return {{"", MetricType::kSummary, {kSumRow, kCountRow}}};
  const bool is_otlp = format == MetricFormat::kOtlp;
  const MetricType sum = !is_otlp                   ? MetricType::kUnknown
                         : family.is_never_negative ? MetricType::kCounter
                                                    : MetricType::kUnknown;
  return {{"_sum", sum, {{"", ValueOf::kSecond}}},
          {"_count", is_otlp ? MetricType::kCounter : MetricType::kUnknown, {{"", ValueOf::kFirst}}}};
}

std::vector<MetricBlock> counter_block(MetricFormat format) {
  if (format == MetricFormat::kPrometheus) return {{"_total", MetricType::kCounter, {{"", ValueOf::kFirst}}}};
  if (format == MetricFormat::kOpenMetrics) return {{"", MetricType::kCounter, {{"_total", ValueOf::kFirst}}}};
  return {{"", MetricType::kCounter, {{"", ValueOf::kFirst}}}};
}

}  // namespace

std::string_view type_word(MetricType type) {
  constexpr std::string_view kWords[] = {"counter", "gauge", "summary", "histogram", "unknown"};
  return kWords[static_cast<size_t>(type)];
}

std::string metric_word(std::string_view text) {
  std::string word;
  for (const char c : text) {
    const bool is_plain = is_letter(c) || is_digit(c);
    if (is_plain)
      word += c;
    else if (!word.empty() && word.back() != '_')
      word += '_';
  }
  if (!word.empty() && word.back() == '_') word.pop_back();
  if (!word.empty() && is_digit(word.front())) word.insert(0, "n");
  return word;
}

std::string MetricNames::take(const std::string &wanted) {
  std::string name = wanted;
  const auto is_free = [&] {
    return std::ranges::none_of(kSuffixes,
                                [&](std::string_view suffix) { return taken_.contains(name + std::string(suffix)); });
  };
  for (int n = 2; !is_free(); ++n) name = fmt::format("{}_{}", wanted, n);
  for (const std::string_view suffix : kSuffixes) taken_.insert(name + std::string(suffix));
  return name;
}

std::vector<MetricBlock> MetricFamily::blocks(MetricFormat format) const {
  switch (shape.function) {
    case AggregatingFunction::kCount:
      return counter_block(format);
    case AggregatingFunction::kSum:
      if (is_never_negative) return counter_block(format);
      return {{"", format == MetricFormat::kOtlp ? MetricType::kUnknown : MetricType::kGauge, {{"", ValueOf::kFirst}}}};
    case AggregatingFunction::kMin:
    case AggregatingFunction::kMax:
      return {{"", MetricType::kGauge, {{"", ValueOf::kFirst}}}};
    case AggregatingFunction::kAvg:
      return average_blocks(*this, format);
    case AggregatingFunction::kStddev: {
      std::vector<MetricBlock> blocks = average_blocks(*this, format);
      blocks.push_back({"_sumsq", MetricType::kGauge, {{"", ValueOf::kSquares}}});
      return blocks;
    }
    case AggregatingFunction::kQuantize:
    case AggregatingFunction::kLquantize:
    case AggregatingFunction::kLlquantize:
      break;
  }
  return {{"", MetricType::kHistogram, {}}};
}

bool MetricFamily::has_value(std::span<const uint64_t> words) const {
  const bool is_extreme = shape.function == AggregatingFunction::kMin || shape.function == AggregatingFunction::kMax;
  return !is_extreme || words[row(shape.function).counter] != 0;
}

std::vector<MetricFamily> plan_metrics(const Plan &plan, std::span<const std::string_view> reserved) {
  MetricNames names;
  for (const std::string_view name : reserved) names.take(std::string(name));
  std::vector<MetricFamily> families;
  for (const AggregationPlan &aggregation : plan.aggregations) {
    MetricFamily &family = families.emplace_back();
    const std::string function(dtrace::row(aggregation.function).name);
    const std::string word = metric_word(aggregation.name);
    family.aggregation = static_cast<uint32_t>(families.size() - 1);
    family.shown = aggregation.name == "_" ? "@" : "@" + aggregation.name;
    family.name = names.take(word.empty() ? "aggregation" : word);
    family.help = fmt::format("D aggregation {}, {}()", family.shown, function);
    family.shape = {aggregating_function(aggregation.function), aggregation.params};
    family.is_never_negative = aggregation.is_never_negative;
    family.has_stack = std::ranges::any_of(aggregation.keys, is_stack);
    family.labels = label_names(aggregation);
  }
  return families;
}

Bounds histogram_bounds(const AggregationShape &shape) {
  Bounds bounds;
  std::optional<uint32_t> zero;
  if (shape.function == AggregatingFunction::kQuantize) zero = kQuantizeZeroBucket;
  if (shape.function == AggregatingFunction::kLlquantize) zero = shape.params.log_linear.centre();
  for (uint32_t bucket = 0; bucket + 1 < shape.words(); ++bucket) {
    if (shape.function == AggregatingFunction::kLlquantize && bucket != *zero) {
      const uint32_t distance = bucket > *zero ? bucket - *zero : *zero - bucket;
      if (!llquantize_magnitude(shape.params.log_linear, distance)) continue;  // no value falls there
    }
    const std::optional<int64_t> greatest = bucket_bounds(shape, bucket).greatest;
    if (!greatest) continue;
    if (zero && bucket == *zero) bounds.always_from = static_cast<uint32_t>(bounds.upper.size());
    bounds.upper.push_back(*greatest);
    bounds.bucket.push_back(bucket);
  }
  return bounds;
}

uint64_t series_of_entry(const MetricFamily &family, const Bounds &bounds) {
  if (family.shape.is_histogram()) return bounds.upper.size() + 2;  // +Inf, and the count
  uint64_t series = 0;
  for (const MetricBlock &block : family.blocks(MetricFormat::kPrometheus)) series += block.samples.size();
  return series;
}

}  // namespace dtrace::runtime
