// SPDX-License-Identifier: Apache-2.0
// Bucket arithmetic of quantize(), lquantize() and llquantize(): pure, constexpr, the one definition that the constant
// folder, the BPF library's host tests and the printer agree on.
//
// Bucket 0 is always the lowest. Only lquantize()'s buckets are one-sided intervals throughout; the other two families
// are symmetric, so a negative bucket holds the values whose magnitude a positive one would hold, and its label is its
// upper end. Source: D language reference, 5.2 and 5.6.
#pragma once

#include <bit>
#include <cstdint>
#include <optional>

namespace dtrace {

// ---------------------------------------------------------------- quantize

inline constexpr uint32_t kQuantizeBuckets = 127;
inline constexpr uint32_t kQuantizeZeroBucket = 63;

/// |x| without overflow.
constexpr uint64_t magnitude_of(int64_t x) { return x < 0 ? -static_cast<uint64_t>(x) : static_cast<uint64_t>(x); }

/// 0..126: 63 is zero, 63 + n holds [2^(n-1), 2^n), 63 - n the negatives of the same size. INT64_MIN joins bucket 0.
constexpr uint32_t quantize_bucket(int64_t x) {
  const uint32_t length = static_cast<uint32_t>(std::bit_width(magnitude_of(x)));
  if (x >= 0) return kQuantizeZeroBucket + length;
  return length > kQuantizeZeroBucket ? 0 : kQuantizeZeroBucket - length;
}

/// Value printed for a bucket: the member of least magnitude.
constexpr int64_t quantize_label(uint32_t bucket) {
  if (bucket < kQuantizeZeroBucket) return -(int64_t{1} << (kQuantizeZeroBucket - 1 - bucket));
  return bucket == kQuantizeZeroBucket ? 0 : int64_t{1} << (bucket - kQuantizeZeroBucket - 1);
}

// ---------------------------------------------------------------- lquantize

/// Checked by the front end: limit >= base, 1 <= step <= 65535, 1 <= levels() <= 65535.
struct LquantizeParams {
  int32_t base = 0;
  int32_t limit = 0;
  uint32_t step = 1;

  constexpr uint32_t levels() const {
    return static_cast<uint32_t>((int64_t{limit} - base) / (step == 0 ? 1 : int64_t{step}));
  }
  constexpr uint32_t buckets() const { return levels() + 2; }
  friend constexpr bool operator==(const LquantizeParams &, const LquantizeParams &) = default;
};

/// 0 underflow, 1..levels, levels + 1 overflow.
constexpr uint32_t lquantize_bucket(const LquantizeParams &params, int64_t x) {
  if (x < params.base) return 0;
  const uint64_t level = (static_cast<uint64_t>(x) - static_cast<uint64_t>(int64_t{params.base})) / params.step;
  const uint32_t levels = params.levels();
  return level >= levels ? levels + 1 : static_cast<uint32_t>(level) + 1;
}

/// Lower bound of buckets 1..levels + 1; bucket 0 has none and gives the base, its exclusive upper bound.
constexpr int64_t lquantize_label(const LquantizeParams &params, uint32_t bucket) {
  return bucket == 0 ? params.base : params.base + (int64_t{bucket} - 1) * params.step;
}

// ---------------------------------------------------------------- llquantize

/// Checked by the front end: factor >= 2, low <= high, factor^(high+1) fits 64 bits, and steps relates to factor so
/// that every step width is whole.
struct LlquantizeParams {
  uint16_t factor = 0;
  uint16_t low = 0;
  uint16_t high = 0;
  uint16_t steps = 0;

  /// Buckets reserved for one magnitude on one side. A magnitude with fewer integers than that uses only the first of
  /// them.
  constexpr uint32_t per_magnitude() const { return uint32_t{steps} - steps / factor; }
  /// Buckets on one side, without centre and overflow.
  constexpr uint32_t side() const { return (uint32_t{high} - low + 1) * per_magnitude(); }
  /// The bucket of |x| < factor^low.
  constexpr uint32_t centre() const { return side() + 1; }
  constexpr uint32_t buckets() const { return 2 * side() + 3; }
  friend constexpr bool operator==(const LlquantizeParams &, const LlquantizeParams &) = default;
};

constexpr uint64_t integer_power(uint64_t base, uint32_t exponent) {
  uint64_t result = 1;
  while (exponent-- > 0) result *= base;
  return result;
}

/// Order: 0 negative overflow, negatives from large to small magnitude, centre, positives, positive overflow.
constexpr uint32_t llquantize_bucket(const LlquantizeParams &params, int64_t x) {
  const uint64_t magnitude = magnitude_of(x);
  uint64_t floor = integer_power(params.factor, params.low);
  if (magnitude < floor) return params.centre();

  uint32_t distance = params.side() + 1;  // overflow, unless a magnitude below takes it
  for (uint32_t order = params.low; order <= params.high; order++) {
    const uint64_t next = floor * params.factor;
    if (magnitude < next) {
      const uint64_t index =
          next < params.steps ? magnitude - floor : magnitude / (next / params.steps) - params.steps / params.factor;
      distance = (order - params.low) * params.per_magnitude() + static_cast<uint32_t>(index) + 1;
      break;
    }
    floor = next;
  }
  return x < 0 ? params.centre() - distance : params.centre() + distance;
}

/// Least magnitude of the bucket `distance` away from the centre (1..side() + 1; the last is the overflow bucket).
/// None: no value can fall there, and no row is printed for it.
constexpr std::optional<uint64_t> llquantize_magnitude(const LlquantizeParams &params, uint32_t distance) {
  if (distance > params.side()) return integer_power(params.factor, uint32_t{params.high} + 1);
  const uint32_t order = params.low + (distance - 1) / params.per_magnitude();
  const uint32_t index = (distance - 1) % params.per_magnitude();
  const uint64_t floor = integer_power(params.factor, order);
  const uint64_t next = floor * params.factor;
  if (index == 0) return floor;
  if (next >= params.steps) return (index + params.steps / params.factor) * (next / params.steps);
  return floor + index < next ? std::optional(floor + index) : std::nullopt;
}

}  // namespace dtrace
