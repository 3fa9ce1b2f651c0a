// SPDX-License-Identifier: Apache-2.0
// Histograms of quantize(), lquantize() and llquantize(): rows with bars, and the one-line form of option aggpack.
//
// Bars are scaled by the counts themselves, before normalisation. A "negative" histogram is one with negative counts
// (from negative increments), not one with negative values. Source: D language reference, 5.3, 5.5 and 5.6.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "runtime/events/aggregation_value.h"

namespace dtrace::runtime {

/// Option encoding.
enum class Encoding : uint8_t { kUnset, kAscii, kUtf8 };

struct HistogramOptions {
  bool zoom = false;  ///< aggzoom: the largest count fills 95 % of the bar
  Encoding encoding = Encoding::kUnset;
};

/// What bars of one histogram have in common.
struct BarScale {
  long double total = 0;
  bool positives = false;
  bool negatives = false;

  void add(int64_t count, bool zoom);
};

/// "|@@@@    12       \n": bar and count, as wide as the ruler of the header.
void append_bar(std::string &out, int64_t count, uint64_t normal, const BarScale &scale, Encoding encoding);

/// "\n", then ruler line: `title` right-aligned in `width` columns.
void append_histogram_header(std::string &out, std::string_view title, int width);

/// The whole block: header and rows. `words` are the buckets.
void append_histogram(std::string &out, const AggregationShape &shape, std::span<const uint64_t> words, uint64_t normal,
                      const HistogramOptions &options);

/// Label of a bucket; none for a bucket no value can reach. `negatives_shown`: rows below the centre are printed
/// (llquantize() words its centre by it).
std::optional<std::string> bucket_label(const AggregationShape &shape, uint32_t bucket, bool negatives_shown);

/// Rows to print: ends included.
struct BucketRange {
  uint32_t first = 0;
  uint32_t last = 0;
};
BucketRange shown_buckets(const AggregationShape &shape, std::span<const uint64_t> words);

// ---------------------------------------------------------------- aggpack: quantize and lquantize only

/// Whether cells are drawn in UTF-8: unless encoding says ascii or the terminal (TERM, may be null) is a known poor
/// one.
bool packed_in_utf8(Encoding encoding, const char *terminal);

/// Buckets of the packed form, from all entries of an aggregation.
BucketRange packed_buckets(const AggregationShape &shape, std::span<const AggregationEntry> entries);
/// "\n", key column (width 0: none) and scale.
void append_packed_header(std::string &out, const AggregationShape &shape, BucketRange range, int key_width);
/// " 1 :cells: 4 | 7\n".
void append_packed_row(std::string &out, const AggregationShape &shape, BucketRange range,
                       std::span<const uint64_t> words, const HistogramOptions &options, bool utf8);

}  // namespace dtrace::runtime
