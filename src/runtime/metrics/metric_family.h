// SPDX-License-Identifier: Apache-2.0
// What each aggregation of a program is as a metric: its name, its labels, its type. All of it follows from the program
// alone, so that neither name nor type of a metric changes while tracing runs. doc/metrics.md is the users' text of it.
#pragma once

#include <cstdint>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "plan/plan.h"
#include "runtime/events/aggregation_value.h"

namespace dtrace::runtime {

enum class MetricType : uint8_t { kCounter, kGauge, kSummary, kHistogram, kUnknown };
std::string_view type_word(MetricType type);

/// Metric names and label names: "args[2]->comm" -> "args_2_comm". Letters, digits and single underscores; begins with
/// a letter. "" if nothing is left.
std::string metric_word(std::string_view text);

/// Gives names that are free. A family takes with its name all names that samples of any type derive from it.
class MetricNames {
 public:
  /// `wanted`, or `wanted` with the first free number: "reads_2".
  std::string take(const std::string &wanted);

 private:
  std::set<std::string> taken_;
};

/// Which number of a value a sample shows.
enum class ValueOf : uint8_t { kFirst, kSecond, kSquares };

struct SampleRow {
  std::string_view suffix;
  ValueOf value;
};

/// Samples that have one header: a metric family of the formats.
struct MetricBlock {
  std::string_view suffix;  ///< of the family's name
  MetricType type = MetricType::kGauge;
  std::vector<SampleRow> samples;  ///< suffixes after `suffix`; empty: a histogram's
};

/// Text formats differ in what they allow of a type.
enum class MetricFormat : uint8_t { kPrometheus, kOpenMetrics, kOtlp };

struct MetricFamily {
  uint32_t aggregation = 0;  ///< index
  std::string shown;         ///< "@reads"
  std::string name;          ///< without prefix: "reads"
  std::string help;
  AggregationShape shape;
  bool is_never_negative = false;
  bool has_stack = false;           ///< a key is a stack: it has no series
  std::vector<std::string> labels;  ///< one for each key

  std::vector<MetricBlock> blocks(MetricFormat format) const;
  /// Does a value exist? min() and max() have none before the first update and after clear().
  bool has_value(std::span<const uint64_t> words) const;
};

/// The families of a plan's aggregations, in their order. `reserved`: names that are taken already.
std::vector<MetricFamily> plan_metrics(const Plan &plan, std::span<const std::string_view> reserved);

/// Upper bounds, ends included, of the buckets that a histogram shows, ascending, and the bucket that each is of.
/// Beyond the last there is only +Inf.
struct Bounds {
  std::vector<int64_t> upper;
  std::vector<uint32_t> bucket;  ///< the last bucket that is within the bound
  uint32_t always_from = 0;      ///< first of `upper` that is shown if no value lies below
};
Bounds histogram_bounds(const AggregationShape &shape);

/// The most series that one entry makes.
uint64_t series_of_entry(const MetricFamily &family, const Bounds &bounds);

}  // namespace dtrace::runtime
