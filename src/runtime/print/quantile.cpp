// SPDX-License-Identifier: Apache-2.0
#include "runtime/print/quantile.h"

#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <optional>

#include "runtime/print/histogram.h"

namespace dtrace::runtime {
namespace {

/// Largest value of a bucket; none: it has no upper end.
std::optional<int64_t> largest_of_log_linear(const LlquantizeParams &params, uint32_t bucket) {
  const uint32_t centre = params.centre();
  if (bucket < centre) {
    // Of the negative ones, that of the least magnitude. A bucket that no value can reach has no count.
    return -static_cast<int64_t>(llquantize_magnitude(params, centre - bucket).value_or(0));
  }
  for (uint32_t distance = bucket - centre + 1; distance <= params.side() + 1; ++distance)
    if (const std::optional<uint64_t> next = llquantize_magnitude(params, distance))
      return static_cast<int64_t>(*next - 1);
  return std::nullopt;
}

std::optional<int64_t> largest_of(const AggregationShape &shape, uint32_t bucket) {
  switch (shape.function) {
    case AggregatingFunction::kQuantize:
      if (bucket <= kQuantizeZeroBucket) return quantize_label(bucket);
      return bucket + 1 == kQuantizeBuckets ? std::numeric_limits<int64_t>::max() : quantize_label(bucket + 1) - 1;
    case AggregatingFunction::kLquantize:
      if (bucket + 1 == shape.params.linear.buckets()) return std::nullopt;
      return lquantize_label(shape.params.linear, bucket + 1) - 1;
    default:
      return largest_of_log_linear(shape.params.log_linear, bucket);
  }
}

}  // namespace

std::string quantile_text(const AggregationShape &shape, std::span<const uint64_t> words, Quantile quantile) {
  constexpr const char *kNone = "-";
  unsigned __int128 total = 0;
  for (const uint64_t count : words) {
    if (static_cast<int64_t>(count) < 0) return kNone;
    total += count;
  }
  if (total == 0) return kNone;
  // The first bucket up to which so many are counted, rounded up.
  const unsigned __int128 wanted = (total * quantile.numerator + quantile.denominator - 1) / quantile.denominator;
  unsigned __int128 counted = 0;
  uint32_t bucket = 0;
  while (bucket + 1 < words.size() && (counted += words[bucket]) < wanted) ++bucket;
  if (const std::optional<int64_t> largest = largest_of(shape, bucket)) return fmt::format("{}", *largest);
  return bucket_label(shape, bucket, false).value_or(kNone);
}

}  // namespace dtrace::runtime
