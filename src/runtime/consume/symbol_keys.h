// SPDX-License-Identifier: Apache-2.0
// Keys that are symbols: two addresses of one function are one key, which only the symbolizer can tell.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "runtime/events/aggregation_value.h"
#include "runtime/print/text.h"

namespace dtrace::runtime {

/// What merged entries borrow from.
struct MergedEntries {
  /// Source entries of each merged entry, by their number before the merge. Empty: nothing was to merge.
  std::vector<std::vector<uint32_t>> sources;
  std::vector<std::vector<uint64_t>> words;  ///< a deque would be copied where it should be moved, and spans dangle
};

/// Gives symbol keys that print alike one identity in all `views`: the least process and address among them. Then
/// merges the entries of a view whose keys became equal, with their per-CPU words. Returns one element per view.
///
/// Views that are printed together must pass through here together: printa() joins their rows by these identities.
std::vector<MergedEntries> merge_symbol_keys(std::span<AggregationView *const> views, const TextContext &context);

}  // namespace dtrace::runtime
