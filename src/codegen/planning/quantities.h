// SPDX-License-Identifier: Apache-2.0
// Finds the unit of each aggregation from the expressions that it aggregates.
//
//   timestamp - self->from            a time, if every value that self->from gets is a timestamp or 0
//   (timestamp - self->from) / 1000   a time in microseconds
//   args[0]->b_bcount                 bytes: the D library says so (__dt_bytes_t)
//   arg0 of syscall::read:return      bytes: the call's result
//   count()                           samples, if every clause that counts is of profile probes
//
// In doubt there is no unit: a wrong one is worse than none.
#pragma once

#include <vector>

#include "codegen/planning/compile_input.h"
#include "codegen/planning/layout.h"
#include "frontend/lang/quantity.h"

namespace dtrace::codegen {

/// What each aggregation measures, by its number.
std::vector<Quantity> quantities(const CompileInput &input, const std::vector<ClauseLayout> &clauses);

}  // namespace dtrace::codegen
