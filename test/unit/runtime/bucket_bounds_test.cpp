// SPDX-License-Identifier: Apache-2.0
// Bounds of buckets agree with the arithmetic that fills them.
#include "runtime/events/bucket_bounds.h"

#include <catch2/catch.hpp>

#include <limits>

using namespace dtrace;
using namespace dtrace::runtime;

namespace {

template <typename BucketOf>
void check_all(const AggregationShape &shape, uint32_t buckets, BucketOf &&bucket_of) {
  using Limits = std::numeric_limits<int64_t>;
  std::optional<int64_t> last_greatest;
  for (uint32_t bucket = 0; bucket < buckets; ++bucket) {
    const BucketBounds bounds = bucket_bounds(shape, bucket);
    const int64_t least = bounds.least.value_or(Limits::min()), greatest = bounds.greatest.value_or(Limits::max());
    if (bucket_of(least) != bucket && bucket_of(greatest) != bucket) continue;  // one that no value can reach
    CAPTURE(bucket, least, greatest);
    CHECK(least <= greatest);
    CHECK(bucket_of(least) == bucket);
    CHECK(bucket_of(greatest) == bucket);
    if (last_greatest) CHECK(least == *last_greatest + 1);
    last_greatest = greatest;
  }
  CHECK(last_greatest == Limits::max());
}

}  // namespace

TEST_CASE("json: bounds of buckets leave no gap, and hold what is counted there", "[json]") {
  AggregationShape shape;
  shape.function = AggregatingFunction::kQuantize;
  check_all(shape, kQuantizeBuckets, [](int64_t x) { return quantize_bucket(x); });
  shape.function = AggregatingFunction::kLquantize;
  for (const LquantizeParams params : {LquantizeParams{0, 10, 3}, {-100, 100, 7}, {-5, -1, 1}, {3, 4, 1}}) {
    shape.params.linear = params;
    check_all(shape, params.buckets(), [&](int64_t x) { return lquantize_bucket(params, x); });
  }
  shape.function = AggregatingFunction::kLlquantize;
  for (const LlquantizeParams params : {LlquantizeParams{10, 0, 6, 20}, {2, 0, 3, 2}, {10, 1, 3, 10}, {3, 0, 4, 9}}) {
    shape.params.log_linear = params;
    check_all(shape, params.buckets(), [&](int64_t x) { return llquantize_bucket(params, x); });
  }
}
