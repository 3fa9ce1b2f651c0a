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
#define AGGREGATING(Name, name, words, shown, merge, counter, increment) k##Name,
#include "frontend/lang/aggregating.def"
};

/// What is shown of a value.
enum class Shown : uint8_t { kSigned, kUnsigned, kHistogram };

/// How two partial values become one.
enum class Merge : uint8_t { kSum, kLeast, kGreatest, kDeviation };

struct AggregatingRow {
  Builtin builtin;
  uint32_t words;  ///< of a value; 0: its parameters say
  Shown shown;
  Merge merge;
  uint32_t counter;   ///< the word of a value that counts its updates; none of them: all may be 0 after one
  uint8_t increment;  ///< position of the optional argument; 0: none
};

// Words of the table.
inline constexpr uint32_t ByParameters = 0, NoWord = UINT32_MAX;
inline constexpr AggregatingRow kAggregating[] = {
#define AGGREGATING(Name, name, words, shown, merge, counter, increment) \
  {Builtin::k_##name, words, Shown::k##shown, Merge::k##merge, counter, increment},
#include "frontend/lang/aggregating.def"
};

constexpr const AggregatingRow &row(AggregatingFunction function) {
  return kAggregating[static_cast<size_t>(function)];
}

/// The aggregating function of a built-in, whose row must be of kind Agg.
constexpr AggregatingFunction aggregating_function(Builtin builtin) {
  size_t at = 0;
  while (at + 1 < std::size(kAggregating) && kAggregating[at].builtin != builtin) ++at;
  return static_cast<AggregatingFunction>(at);
}

/// Constants that belong to an aggregation's definition; each function uses those of its own.
struct AggregatingParams {
  LquantizeParams linear;
  LlquantizeParams log_linear;
};

/// Words of a value of this function with these parameters.
constexpr uint32_t value_words(AggregatingFunction function, const AggregatingParams &params) {
  if (function == AggregatingFunction::kLquantize) return params.linear.buckets();
  if (function == AggregatingFunction::kLlquantize) return params.log_linear.buckets();
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
