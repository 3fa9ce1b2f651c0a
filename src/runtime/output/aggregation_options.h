// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "base/options.h"
#include "plan/plan.h"
#include "runtime/print/aggregation_print.h"

namespace dtrace::runtime {

/// aggsortkey, aggzoom and the others.
AggregationPrintOptions aggregation_options(const Options &options);
/// The order that printa() asks for, or that of the options.
SortOptions order_of(const ActionPlan &printa, const SortOptions &options);

}  // namespace dtrace::runtime
