// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

namespace dtrace {

/// Scope of a D variable: plain, self-> or this->.
enum class Scope : uint8_t { kGlobal, kThread, kClause };

}  // namespace dtrace
