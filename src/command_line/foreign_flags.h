// SPDX-License-Identifier: Apache-2.0
// Flags of other programs, and what dtrace calls them.
#pragma once

#include <string_view>

namespace dtrace::command {

/// What to write instead of a word such as --output=FILE. Empty: nothing is known of it.
std::string_view ours_for(std::string_view word);

}  // namespace dtrace::command
