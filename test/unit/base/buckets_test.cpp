// SPDX-License-Identifier: Apache-2.0
// Bucket arithmetic: edges of each family, and that labels and buckets agree with each other.
#include "base/buckets.h"

#include <catch2/catch.hpp>
#include <limits>

using namespace dtrace;

namespace {

constexpr int64_t kMin = std::numeric_limits<int64_t>::min();
constexpr int64_t kMax = std::numeric_limits<int64_t>::max();

}  // namespace

TEST_CASE("quantize buckets hold powers of two, symmetric about zero") {
  static_assert(quantize_bucket(0) == 63);
  static_assert(quantize_bucket(1) == 64);
  CHECK(quantize_bucket(2) == 65);
  CHECK(quantize_bucket(3) == 65);
  CHECK(quantize_bucket(4) == 66);
  CHECK(quantize_bucket(-1) == 62);
  CHECK(quantize_bucket(-2) == 61);
  CHECK(quantize_bucket(-3) == 61);
  CHECK(quantize_bucket(-4) == 60);
  CHECK(quantize_bucket(kMax) == 126);
  CHECK(quantize_bucket(-kMax) == 0);
  CHECK(quantize_bucket(kMin) == 0);

  CHECK(quantize_label(63) == 0);
  CHECK(quantize_label(64) == 1);
  CHECK(quantize_label(62) == -1);
  CHECK(quantize_label(126) == int64_t{1} << 62);
  CHECK(quantize_label(0) == -(int64_t{1} << 62));
  for (uint32_t bucket = 0; bucket < kQuantizeBuckets; bucket++)
    CHECK(quantize_bucket(quantize_label(bucket)) == bucket);
}

TEST_CASE("lquantize has an underflow, levels and an overflow") {
  constexpr LquantizeParams params{0, 100, 10};
  static_assert(params.levels() == 10);
  static_assert(params.buckets() == 12);
  CHECK(lquantize_bucket(params, -1) == 0);
  CHECK(lquantize_bucket(params, 0) == 1);
  CHECK(lquantize_bucket(params, 9) == 1);
  CHECK(lquantize_bucket(params, 10) == 2);
  CHECK(lquantize_bucket(params, 99) == 10);
  CHECK(lquantize_bucket(params, 100) == 11);
  CHECK(lquantize_bucket(params, kMax) == 11);
  CHECK(lquantize_bucket(params, kMin) == 0);
  CHECK(lquantize_label(params, 1) == 0);
  CHECK(lquantize_label(params, 11) == 100);
}

TEST_CASE("lquantize whose range is no multiple of the step ends early") {
  constexpr LquantizeParams params{-5, 6, 3};
  CHECK(params.levels() == 3);
  CHECK(lquantize_bucket(params, 3) == 3);
  CHECK(lquantize_bucket(params, 4) == 4);  // base + 3 * step
  CHECK(lquantize_label(params, 4) == 4);
}

TEST_CASE("lquantize over the whole 32-bit range does not overflow") {
  constexpr LquantizeParams params{std::numeric_limits<int32_t>::min(), std::numeric_limits<int32_t>::max(), 65535};
  CHECK(params.levels() == 65537);
  CHECK(lquantize_bucket(params, kMax) == params.levels() + 1);
  CHECK(lquantize_bucket(params, kMin) == 0);
}

TEST_CASE("llquantize is symmetric with a centre") {
  constexpr LlquantizeParams params{10, 0, 4, 10};
  static_assert(params.per_magnitude() == 9);
  static_assert(params.side() == 45);
  static_assert(params.buckets() == 93);
  CHECK(llquantize_bucket(params, 0) == params.centre());
  CHECK(llquantize_bucket(params, 1) == params.centre() + 1);
  CHECK(llquantize_bucket(params, -1) == params.centre() - 1);
  CHECK(llquantize_bucket(params, 9) == params.centre() + 9);
  CHECK(llquantize_bucket(params, 10) == params.centre() + 10);
  CHECK(llquantize_bucket(params, 123) == params.centre() + 19);
  CHECK(llquantize_magnitude(params, 19) == 100);
  CHECK(llquantize_magnitude(params, 18) == 90);
  CHECK(llquantize_magnitude(params, 20) == 200);
  CHECK(llquantize_bucket(params, 99999) == params.buckets() - 2);
  CHECK(llquantize_bucket(params, 100000) == params.buckets() - 1);
  CHECK(llquantize_bucket(params, -100000) == 0);
  CHECK(llquantize_bucket(params, kMin) == 0);
  CHECK(llquantize_magnitude(params, params.side() + 1) == 100000);
}

TEST_CASE("every value falls into the llquantize bucket whose label is next below it") {
  const LlquantizeParams all[] = {{10, 0, 4, 10}, {10, 2, 4, 20},  {2, 0, 10, 8}, {2, 0, 20, 2},
                                  {10, 0, 3, 5},  {10, 0, 6, 100}, {8, 1, 3, 64}, {16, 0, 2, 16}};
  for (const LlquantizeParams &params : all) {
    for (int64_t x = 0; x < 20000; x = x < 300 ? x + 1 : x + 7) {
      const uint32_t bucket = llquantize_bucket(params, x);
      REQUIRE(bucket >= params.centre());
      REQUIRE(bucket < params.buckets());
      CHECK(llquantize_bucket(params, -x) == 2 * params.centre() - bucket);
      const uint32_t distance = bucket - params.centre();
      if (distance == 0) {
        CHECK(static_cast<uint64_t>(x) < integer_power(params.factor, params.low));
        continue;
      }
      const std::optional<uint64_t> least = llquantize_magnitude(params, distance);
      REQUIRE(least);
      CHECK(*least <= static_cast<uint64_t>(x));
      for (uint32_t next = distance + 1; next <= params.side() + 1; next++) {
        if (const auto above = llquantize_magnitude(params, next)) {
          CHECK(static_cast<uint64_t>(x) < *above);
          break;
        }
      }
    }
  }
}
