// SPDX-License-Identifier: Apache-2.0
// The words of an aggregation's value after one update (bpf/dt_abi.h).
#pragma once

#include <cstdint>
#include <span>

#include "frontend/lang/aggregating.h"

namespace dtrace::evaluator {

/// `words`: value_words of them, zeros.
void partial_value(AggregatingFunction function, const AggregatingParams &params, int64_t value, uint64_t increment,
                   std::span<uint64_t> words);

}  // namespace dtrace::evaluator
