// SPDX-License-Identifier: Apache-2.0
// What the buckets of quantize(), lquantize() and llquantize() hold. Source: base/buckets.h.
#pragma once

#include <cstdint>
#include <optional>

#include "runtime/events/aggregation_value.h"

namespace dtrace::runtime {

/// What a bucket holds, ends included; nothing: no bound.
struct BucketBounds {
  std::optional<int64_t> least, greatest;
};
/// Bounds of a bucket that a value can reach.
BucketBounds bucket_bounds(const AggregationShape &shape, uint32_t bucket);

}  // namespace dtrace::runtime
