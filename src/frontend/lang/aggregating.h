// SPDX-License-Identifier: Apache-2.0
// The aggregating functions as an enumeration and a table; the rows are in aggregating.def. A switch over
// AggregatingFunction has no default, so that a function that it does not know is an error of the build.
#pragma once

#include <cstddef>
#include <cstdint>
#include <iterator>

#include "base/buckets.h"
#include "frontend/lang/builtins.h"

namespace dtrace {

enum class AggregatingFunction : uint8_t {
#define AGGREGATING(Name, name, words, merge, increment) k##Name,
#include "frontend/lang/aggregating.def"
};

/// How two partial values become one.
enum class Merge : uint8_t { kSum, kLeast, kGreatest, kDeviation };

struct AggregatingRow {
  Builtin builtin;
  uint32_t words;  ///< of a value; 0: its parameters say
  Merge merge;
  uint8_t increment;  ///< position of the optional argument; 0: none
};

inline constexpr uint32_t ByParameters = 0;  // a word of the table
inline constexpr AggregatingRow kAggregating[] = {
#define AGGREGATING(Name, name, words, merge, increment) {Builtin::k_##name, words, Merge::k##merge, increment},
#include "frontend/lang/aggregating.def"
};

constexpr const AggregatingRow &row(AggregatingFunction function) {
  return kAggregating[static_cast<size_t>(function)];
}

/// Of a row of kind Agg.
constexpr AggregatingFunction aggregating_function(Builtin builtin) {
  size_t at = 0;
  while (at + 1 < std::size(kAggregating) && kAggregating[at].builtin != builtin) ++at;
  return static_cast<AggregatingFunction>(at);
}

/// Words of a value of this function with these parameters.
constexpr uint32_t value_words(AggregatingFunction function, const LquantizeParams &linear,
                               const LlquantizeParams &log_linear) {
  if (function == AggregatingFunction::kLquantize) return linear.buckets();
  if (function == AggregatingFunction::kLlquantize) return log_linear.buckets();
  return row(function).words;
}

constexpr bool each_aggregating_function_has_its_row() {
  size_t at = 0;
  for (const BuiltinRow &builtin : kBuiltins) {
    if (builtin.kind != BuiltinKind::kAgg) continue;
    if (at == std::size(kAggregating) || kAggregating[at++].builtin != builtin.id) return false;
  }
  return at == std::size(kAggregating);
}
static_assert(each_aggregating_function_has_its_row(), "rows of kind Agg in builtins.def and those of aggregating.def");

}  // namespace dtrace
