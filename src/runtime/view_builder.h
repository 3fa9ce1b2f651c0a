// SPDX-License-Identifier: Apache-2.0
// From the consumer's table of an aggregation to what the printers take. Keys that are symbols merge here: two
// addresses of one function are one key, which only the symbolizer can tell.
#pragma once

#include <deque>
#include <string>
#include <vector>

#include "runtime/aggregator.h"
#include "runtime/decode.h"
#include "runtime/print/aggregation_value.h"
#include "runtime/print/text.h"

namespace dtrace {

/// A view and what it borrows from.
struct BuiltView {
  AggregationView view;
  std::vector<std::vector<uint32_t>>
      sources;  ///< table entries behind each view entry; empty: entry i is table entry i
  std::deque<std::string> texts;
  std::deque<std::vector<uint64_t>> merged_words;
};

AggregationShape shape_of(const AggregationPlan &plan);

/// The view borrows from `aggregator`'s table: valid until that changes.
BuiltView build_view(Aggregator &aggregator, uint32_t index, const Decoder &decoder, const TextContext &context);

}  // namespace dtrace
