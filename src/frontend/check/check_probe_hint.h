// SPDX-License-Identifier: Apache-2.0
// Suggestions for a probe description that matches nothing.
#pragma once

#include <string_view>

#include "frontend/check/check_context.h"

namespace dtrace::check {

/// Adds a suggestion to the last error, if there is one. `written` is the description as it stands in the program.
void suggest_probe(Context &cx, std::string_view written, const ProbeDesc &desc);

}  // namespace dtrace::check
