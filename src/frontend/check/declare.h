// SPDX-License-Identifier: Apache-2.0
// Declarations alone, without probes, symbols or libraries: for texts that describe types.
#pragma once

#include <string>

#include "frontend/types/types.h"

namespace dtrace {

/// Adds the types that a text of C and D declarations defines. Declarations that do not fit, as they use types that
/// nobody defines, add nothing. False: the text is no list of declarations.
bool declare_types(std::string text, TypeTable &types);

}  // namespace dtrace
