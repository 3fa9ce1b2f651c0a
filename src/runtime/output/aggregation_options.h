// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "base/options.h"
#include "runtime/print/aggregation_print.h"

namespace dtrace::runtime {

/// aggsortkey, aggzoom and the others.
AggregationPrintOptions aggregation_options(const Options &options);

}  // namespace dtrace::runtime
