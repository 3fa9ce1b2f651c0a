// SPDX-License-Identifier: Apache-2.0
// Whether text has colours: option color, and for `auto` what the terminal and the user's environment say.
#pragma once

#include <string_view>

namespace dtrace::runtime {

/// `option`: auto, always or never. `no_color` and `term` are variables of the environment; null: not set.
/// Source: https://no-color.org: any text in NO_COLOR but an empty one turns colours off.
bool shows_colour(std::string_view option, bool is_terminal, const char *no_color, const char *term);
/// With this process's environment.
bool shows_colour(std::string_view option, bool is_terminal);

}  // namespace dtrace::runtime
