// SPDX-License-Identifier: Apache-2.0
// Printing of aggregations: at exit, by printa(@a, ...) in default layout, by printa("format", @a, ...); and their
// order.
//
// Which aggregations were printed already, and the newline before those printed at exit, are the consumer's affair.
// Source: D language reference, 5.4, 5.5, 5.8 and 5.9.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "frontend/text/format_string.h"
#include "runtime/events/aggregation_value.h"
#include "runtime/print/histogram.h"
#include "runtime/print/pieces.h"
#include "runtime/print/printf.h"

namespace dtrace::runtime {

/// Options aggsortkey, aggsortkeypos, aggsortpos, aggsortrev.
struct SortOptions {
  bool by_key = false;
  uint32_t key_position = 0;          ///< key compared first; out of range: 0
  uint32_t aggregation_position = 0;  ///< joined printing: aggregation compared first; out of range: 0
  bool reverse = false;
};

struct AggregationPrintOptions {
  SortOptions sort;
  HistogramOptions histogram;  ///< aggzoom, encoding
  bool per_cpu = false;        ///< aggpercpu
  bool as_histogram = false;   ///< agghist
  bool packed = false;         ///< aggpack
  bool packed_utf8 = true;     ///< packed_in_utf8()
};

/// Indexes of the entries in printing order: by value then key, or the other way round.
std::vector<uint32_t> sorted_entries(const AggregationView &view, const SortOptions &options);

/// Keeps the entries of those `count` keys that have the greatest values in view `position`, or the least ones if
/// `count` is negative. A key that this view lacks counts as 0 there.
void keep_ranked(std::span<AggregationView> views, int64_t count, uint32_t position);

/// All entries of one aggregation in default layout. No entries: nothing.
void print_aggregation(Pieces &out, const AggregationView &view, const AggregationPrintOptions &options,
                       const FormatContext &context);

/// What remains at exit: by id (or the reverse).
void print_aggregations(Pieces &out, std::span<const AggregationView *const> views,
                        const AggregationPrintOptions &options, const FormatContext &context);

/// The action printa(): `format` null is the default layout, which begins with a newline. Several aggregations are
/// joined by key; all have the same number and types of keys.
void print_printa(Pieces &out, std::span<const AggregationView *const> views, const FormatString *format,
                  const AggregationPrintOptions &options, const FormatContext &context);

}  // namespace dtrace::runtime
