// SPDX-License-Identifier: Apache-2.0
#include "runtime/events/bucket_bounds.h"

#include <limits>

namespace dtrace::runtime {
namespace {

/// Magnitudes that the bucket `distance` away from an llquantize()'s centre holds.
BucketBounds magnitudes(const LlquantizeParams &params, uint32_t distance) {
  const auto least = static_cast<int64_t>(llquantize_magnitude(params, distance).value_or(0));
  for (uint32_t next = distance + 1; next <= params.side() + 1; ++next)
    if (const std::optional<uint64_t> end = llquantize_magnitude(params, next))
      return {least, static_cast<int64_t>(*end - 1)};
  return {least, std::nullopt};
}

std::optional<int64_t> negated(std::optional<int64_t> value) { return value ? std::optional(-*value) : std::nullopt; }

BucketBounds quantize_bounds(uint32_t bucket) {
  using Limits = std::numeric_limits<int64_t>;
  const int64_t label = quantize_label(bucket);
  if (bucket == kQuantizeZeroBucket) return {0, 0};
  if (bucket == 0) return {Limits::min(), label};
  if (bucket == kQuantizeBuckets - 1) return {label, Limits::max()};
  return bucket > kQuantizeZeroBucket ? BucketBounds{label, 2 * label - 1} : BucketBounds{2 * label + 1, label};
}

BucketBounds lquantize_bounds(const LquantizeParams &params, uint32_t bucket) {
  const int64_t label = lquantize_label(params, bucket);
  if (bucket == 0) return {std::nullopt, label - 1};
  if (bucket == params.levels() + 1) return {label, std::nullopt};
  return {label, label + params.step - 1};
}

BucketBounds llquantize_bounds(const LlquantizeParams &params, uint32_t bucket) {
  const uint32_t centre = params.centre();
  if (bucket == centre) {
    const auto end = static_cast<int64_t>(integer_power(params.factor, params.low)) - 1;
    return {-end, end};
  }
  if (bucket > centre) return magnitudes(params, bucket - centre);
  const BucketBounds positive = magnitudes(params, centre - bucket);
  return {negated(positive.greatest), negated(positive.least)};
}

}  // namespace

BucketBounds bucket_bounds(const AggregationShape &shape, uint32_t bucket) {
  switch (shape.function) {
    case AggregatingFunction::kLquantize:
      return lquantize_bounds(shape.params.linear, bucket);
    case AggregatingFunction::kLlquantize:
      return llquantize_bounds(shape.params.log_linear, bucket);
    default:
      return quantize_bounds(bucket);
  }
}

}  // namespace dtrace::runtime
