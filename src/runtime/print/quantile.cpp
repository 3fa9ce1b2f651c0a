// SPDX-License-Identifier: Apache-2.0
#include "runtime/print/quantile.h"

#include <fmt/format.h>

#include <optional>

#include "runtime/events/bucket_bounds.h"
#include "runtime/print/histogram.h"

namespace dtrace::runtime {

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
  if (const std::optional<int64_t> largest = bucket_bounds(shape, bucket).greatest) return fmt::format("{}", *largest);
  return bucket_label(shape, bucket, false).value_or(kNone);
}

}  // namespace dtrace::runtime
