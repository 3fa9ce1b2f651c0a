// SPDX-License-Identifier: Apache-2.0
// Types from the C declarations that tracefs prints ("const char * filename", "struct timespec *tp", "int flags[3]").
#pragma once

#include <string_view>

#include "frontend/types/types.h"

namespace dtrace::runtime {

/// Type of one declaration; pointers point into `space`. A name that is not known reads as a pointer-sized integer.
TypeId type_of_declaration(std::string_view declaration, TypeTable &types, Space space);

/// The name that a declaration ends with, or what is left of it if it has none.
std::string_view name_of_declaration(std::string_view declaration);

}  // namespace dtrace::runtime
