// SPDX-License-Identifier: Apache-2.0
// Results of scalar aggregations and the order of values. Normalising divides the terms, not the result: an average is
// sum / normal / n, and squares are divided by the normal twice.
#include "runtime/events/aggregation_value.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace dtrace::runtime {

namespace {

__extension__ typedef unsigned __int128 Uint128;
__extension__ typedef __int128 Int128;

uint64_t square_root(Uint128 value) {
  uint64_t root = 0;
  for (int bit = 63; bit >= 0; bit--) {
    const uint64_t candidate = root | uint64_t{1} << bit;
    if (static_cast<Uint128>(candidate) * candidate <= value) root = candidate;
  }
  return root;
}

int64_t average(std::span<const uint64_t> words, uint64_t normal) {
  const uint64_t n = words[0];
  return n == 0 ? 0 : normalised(normalised(static_cast<int64_t>(words[1]), normal), n);
}

uint64_t deviation(std::span<const uint64_t> words, uint64_t normal) {
  const uint64_t n = words[0];
  if (n == 0) return 0;
  const uint64_t divisor = normal == 0 ? 1 : magnitude_of(static_cast<int64_t>(normal));
  const Uint128 squares = (static_cast<Uint128>(words[3]) << 64 | words[2]) / divisor / divisor / n;
  const uint64_t mean = magnitude_of(average(words, normal));
  const Uint128 square_of_mean = static_cast<Uint128>(mean) * mean;
  return squares <= square_of_mean ? 0 : square_root(squares - square_of_mean);
}

/// Value that a bucket counts for in the order of histograms.
long double bucket_value(const AggregationShape &shape, uint32_t bucket) {
  switch (shape.function) {
    case AggregatingFunction::kQuantize:
      return static_cast<long double>(quantize_label(bucket));
    case AggregatingFunction::kLquantize: {
      const int64_t label = lquantize_label(shape.params.linear, bucket);
      const bool overflow = bucket == shape.params.linear.levels() + 1;
      return static_cast<long double>(bucket == 0 ? label - 1 : overflow ? label + 1 : label);
    }
    case AggregatingFunction::kLlquantize: {
      const uint32_t centre = shape.params.log_linear.centre();
      if (bucket == centre) return 0;
      const uint32_t distance = bucket > centre ? bucket - centre : centre - bucket;
      const auto magnitude =
          static_cast<long double>(llquantize_magnitude(shape.params.log_linear, distance).value_or(0));
      return bucket > centre ? magnitude : -magnitude;
    }
    default:
      return 0;
  }
}

uint32_t zero_bucket(const AggregationShape &shape) {
  switch (shape.function) {
    case AggregatingFunction::kQuantize:
      return kQuantizeZeroBucket;
    case AggregatingFunction::kLquantize:
      return lquantize_bucket(shape.params.linear, 0);
    default:
      return shape.params.log_linear.centre();
  }
}

/// {value, n}: the better of the two where both have one.
void merge_extreme(std::span<uint64_t> into, std::span<const uint64_t> from, bool want_less) {
  if (from[1] == 0) return;
  const auto a = static_cast<int64_t>(into[0]), b = static_cast<int64_t>(from[0]);
  if (into[1] == 0 || (want_less ? b < a : b > a)) into[0] = from[0];
  into[1] += from[1];
}

/// {n, sum, squares low, squares high}: the squares are one 128-bit number.
void merge_deviation(std::span<uint64_t> into, std::span<const uint64_t> from) {
  into[0] += from[0];
  into[1] += from[1];
  into[3] += from[3] + (__builtin_add_overflow(into[2], from[2], &into[2]) ? 1 : 0);
}

}  // namespace

void merge_words(AggregatingFunction function, std::span<uint64_t> into, std::span<const uint64_t> from) {
  switch (row(function).merge) {
    case Merge::kSum:
      for (size_t i = 0; i < into.size(); ++i) into[i] += from[i];
      return;
    case Merge::kLeast:
      return merge_extreme(into, from, true);
    case Merge::kGreatest:
      return merge_extreme(into, from, false);
    case Merge::kDeviation:
      return merge_deviation(into, from);
  }
}

int64_t normalised(int64_t value, uint64_t normal) {
  return normal == 0 ? value : static_cast<int64_t>(static_cast<Int128>(value) / static_cast<int64_t>(normal));
}

ScalarResult scalar_result(const AggregationShape &shape, std::span<const uint64_t> words, uint64_t normal) {
  using Limits = std::numeric_limits<int64_t>;
  const AggregatingRow &about = row(shape.function);
  const bool is_signed = about.shown == Shown::kSigned;
  const bool updated = about.counter >= words.size() || words[about.counter] != 0;
  switch (shape.function) {
    case AggregatingFunction::kMin:
      return {normalised(updated ? static_cast<int64_t>(words[0]) : Limits::max(), normal), is_signed};
    case AggregatingFunction::kMax:
      return {normalised(updated ? static_cast<int64_t>(words[0]) : Limits::min(), normal), is_signed};
    case AggregatingFunction::kAvg:
      return {average(words, normal), is_signed};
    case AggregatingFunction::kStddev:
      return {static_cast<int64_t>(deviation(words, normal)), is_signed};
    case AggregatingFunction::kCount:
    case AggregatingFunction::kSum:
    case AggregatingFunction::kQuantize:
    case AggregatingFunction::kLquantize:
    case AggregatingFunction::kLlquantize:
      break;
  }
  return {normalised(static_cast<int64_t>(words[0]), normal), is_signed};
}

long double exact_result(const AggregationShape &shape, std::span<const uint64_t> words, uint64_t normal) {
  const long double divisor = normal == 0 ? 1 : static_cast<long double>(static_cast<int64_t>(normal));
  const bool counts_values =
      shape.function == AggregatingFunction::kAvg || shape.function == AggregatingFunction::kStddev;
  if (!counts_values) {
    const ScalarResult result = scalar_result(shape, words, 1);
    return (result.is_signed ? static_cast<long double>(result.value)
                             : static_cast<long double>(static_cast<uint64_t>(result.value))) /
           divisor;
  }
  if (words.empty() || words[0] == 0) return 0;
  const auto n = static_cast<long double>(words[0]);
  const long double mean = static_cast<long double>(static_cast<int64_t>(words[1])) / n;
  if (shape.function == AggregatingFunction::kAvg) return mean / divisor;
  const long double squares = (static_cast<long double>(words[3]) * 0x1p64L + static_cast<long double>(words[2])) / n;
  return std::sqrt(std::max(squares - mean * mean, 0.0L)) / std::abs(divisor);
}

ValueRank value_rank(const AggregationShape &shape, std::span<const uint64_t> words) {
  if (words.empty()) return {};
  if (!shape.is_histogram()) {
    const ScalarResult result = scalar_result(shape, words, 1);
    return {result.is_signed ? static_cast<long double>(result.value)
                             : static_cast<long double>(static_cast<uint64_t>(result.value)),
            0};
  }
  ValueRank rank;
  for (uint32_t bucket = 0; bucket < words.size(); bucket++)
    if (words[bucket] != 0) rank.weight += bucket_value(shape, bucket) * static_cast<int64_t>(words[bucket]);
  rank.tie = static_cast<int64_t>(words[zero_bucket(shape)]);
  return rank;
}

}  // namespace dtrace::runtime
