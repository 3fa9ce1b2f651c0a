// SPDX-License-Identifier: Apache-2.0
// Quantiles of histograms, which %@.99q prints. A histogram knows buckets, not values, so a quantile is the largest
// value of the bucket in which it lies: that share of the values is not above it.
#pragma once

#include <cstdint>
#include <span>
#include <string>

#include "runtime/events/aggregation_value.h"

namespace dtrace::runtime {

/// A share of all values, `numerator` of `denominator`: 99 of 100.
struct Quantile {
  uint64_t numerator = 0;
  uint64_t denominator = 1;
};

/// In:  what a quantize(), lquantize() or llquantize() holds, its buckets.
/// Out: the number; ">= 100" in a bucket without an upper end; "-" where there is none, because nothing was counted or
///      an increment was negative.
std::string quantile_text(const AggregationShape &shape, std::span<const uint64_t> words, Quantile quantile);

}  // namespace dtrace::runtime
