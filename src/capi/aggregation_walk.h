// SPDX-License-Identifier: Apache-2.0
// Entries of all aggregations in the orders of the dtrace_aggregate_walk*() functions.
#pragma once

#include <cstdint>
#include <vector>

#include "runtime/events/sink.h"

namespace dtrace::capi {

enum class WalkOrder : uint8_t { kNone, kKey, kValue, kKeyBeforeVariable, kValueReversed };

struct EntryRef {
  uint32_t view = 0, entry = 0;
};

std::vector<EntryRef> entries_in_order(runtime::AggregationViews views, WalkOrder order);

}  // namespace dtrace::capi
