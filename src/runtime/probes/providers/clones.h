// SPDX-License-Identifier: Apache-2.0
// Functions that a compiler has specialised: what is left of sbv() may be sbv.constprop.0 alone.
#pragma once

#include <string>
#include <string_view>

#include "runtime/user/user_object.h"

namespace dtrace::runtime {

/// ": the compiler made NAME, NAME of it", of up to three whole functions; empty: nothing is known of such. Parts of
/// functions
/// (.part, .cold) do not begin where their function does.
std::string clones_of(UserObject &object, std::string_view function);

}  // namespace dtrace::runtime
