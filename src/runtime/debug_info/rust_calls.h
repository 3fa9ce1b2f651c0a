// SPDX-License-Identifier: Apache-2.0
// Where parameters are not surely passed as C passes them: Rust promises no calling convention for its functions. rustc
// passes a pair of two numbers in two registers each, where C may use one, and a larger struct by its address.
#pragma once

#include <elfutils/libdw.h>

#include <cstddef>
#include <span>
#include <string_view>

#include "frontend/types/types.h"

namespace dtrace::runtime {

/// Why a value is not looked for where C's convention would have it, for messages.
inline constexpr std::string_view kNotAsInC =
    "its debug information does not say how it is passed, and it may not be as in C";

/// Is the function's source Rust?
bool is_rust(Dwarf_Die function);

/// Is a value of that type passed and returned alike in C and by all versions of rustc?
bool is_passed_as_in_c(const TypeTable &types, TypeId type);

/// How many of the first parameters of a Rust function are surely where C's convention has them.
size_t rust_parameters_as_in_c(const TypeTable &types, TypeId result, std::span<const TypeId> parameters);

}  // namespace dtrace::runtime
