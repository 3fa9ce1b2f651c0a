// SPDX-License-Identifier: Apache-2.0
// The buckets that a firing chooses are those that base/buckets.h names, and squares have all their 128 bits. Source:
// the D language reference, 5.2 and 5.6.
#include "base/buckets.h"

#include <catch2/catch.hpp>
#include <limits>
#include <vector>

extern "C" {
#include "bpf/buckets.bpf.h"
}

using namespace dtrace;

namespace {

/// Every power of two and of ten, its neighbours, and their negatives.
std::vector<int64_t> edges() {
  std::vector<uint64_t> around{0, std::numeric_limits<int64_t>::max(), uint64_t{1} << 63};
  for (int bit = 0; bit < 63; ++bit) around.push_back(uint64_t{1} << bit);
  for (uint64_t power = 1; power < uint64_t{1} << 60; power *= 10) around.push_back(power);
  std::vector<int64_t> all;
  for (const uint64_t number : around) {
    for (const uint64_t near : {number - 1, number, number + 1}) {
      all.push_back(static_cast<int64_t>(near));
      all.push_back(static_cast<int64_t>(-near));
    }
  }
  return all;
}

}  // namespace

TEST_CASE("buckets: powers of two") {
  CHECK(dt_quantize_bucket(0) == 63);
  CHECK(dt_quantize_bucket(2) == 65);
  CHECK(dt_quantize_bucket(-2) == 61);
  CHECK(dt_quantize_bucket(std::numeric_limits<int64_t>::max()) == 126);
  CHECK(dt_quantize_bucket(-std::numeric_limits<int64_t>::max()) == 0);
  CHECK(dt_quantize_bucket(std::numeric_limits<int64_t>::min()) == 0);
  for (const int64_t value : edges()) {
    CAPTURE(value);
    CHECK(dt_quantize_bucket(value) == quantize_bucket(value));
  }
}

TEST_CASE("buckets: steps of one size") {
  for (const LquantizeParams params :
       {LquantizeParams{0, 10, 1},
        {0, 10, 5},
        {-100, 100, 7},
        {std::numeric_limits<int32_t>::min(), std::numeric_limits<int32_t>::max(), 65535}}) {
    for (const int64_t value : edges()) {
      CAPTURE(params.base, params.limit, params.step, value);
      CHECK(dt_lquantize_bucket(value, params.base, params.step, params.levels()) == lquantize_bucket(params, value));
    }
    const int64_t last = lquantize_label(params, params.levels());  // of the last level, where it begins
    CHECK(dt_lquantize_bucket(last, params.base, params.step, params.levels()) == params.levels());
    CHECK(dt_lquantize_bucket(last + params.step, params.base, params.step, params.levels()) == params.levels() + 1);
  }
}

TEST_CASE("buckets: steps within powers of a factor") {
  for (const LlquantizeParams params : {LlquantizeParams{10, 0, 6, 20},
                                        {10, 3, 6, 10},
                                        {2, 0, 62, 2},
                                        {2, 4, 10, 16},
                                        {10, 0, 18, 10},
                                        {100, 1, 3, 100}}) {
    for (const int64_t value : edges()) {
      CAPTURE(params.factor, params.low, params.high, params.steps, value);
      CHECK(dt_llquantize_bucket(value, params.factor, params.low, params.high, params.steps) ==
            llquantize_bucket(params, value));
    }
  }
}

TEST_CASE("buckets: squares") {
  for (const int64_t value : edges()) {
    CAPTURE(value);
    __extension__ using Wide = unsigned __int128;
    const Wide square = Wide{magnitude_of(value)} * magnitude_of(value);
    u64 high = 0;
    CHECK(dt_square(value, &high) == static_cast<uint64_t>(square));
    CHECK(high == static_cast<uint64_t>(square >> 64));
  }
}
