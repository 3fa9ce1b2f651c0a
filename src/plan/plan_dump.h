// SPDX-License-Identifier: Apache-2.0
// The plan as text, for --stop-after=plan --dump and golden tests: one layout a line.
#pragma once

#include <string>

#include "plan/plan.h"

namespace dtrace {

std::string dump(const Plan &plan, const TypeTable &types);

}  // namespace dtrace
