// SPDX-License-Identifier: Apache-2.0
// A probe that D clauses define, as code outside the compiler sees it: the matched probes and the types of the
// arguments, without the expressions.
#pragma once

#include <vector>

#include "base/result.h"
#include "frontend/lang/probe.h"
#include "frontend/tree/tree.h"

namespace dtrace {

/// In:     the checked text of a probe's definition. Its expressions go into `unit.derivations`.
/// Out:    for each text of a clause that matches something, in order, what it matches. Not empty; all have the same
///         number of arguments.
/// Errors: a statement without a value, different numbers of arguments, or nothing matches.
Result<std::vector<ProbeOrigin>> derive(const tree::Program &definition, tree::Unit &unit);

}  // namespace dtrace
