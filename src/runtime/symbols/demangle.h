// SPDX-License-Identifier: Apache-2.0
// C++ and Rust names as their authors wrote them.
#pragma once

#include <string>
#include <string_view>

namespace dtrace::runtime {

/// The readable form of a mangled name (C++ `_Z`, Rust legacy `_ZN..17h<hash>E` without the hash, Rust v0 `_R`), and
/// any other name as it is. A suffix a compiler added (".cold", ".llvm.123") stays behind the name.
std::string demangle(std::string_view name);

/// The name alone of a readable function name: "shop::Cart::add" of "shop::Cart::add(int) const", "shop::scale<int>" of
/// "int shop::scale<int>(int)". A name without parameters is returned as it is.
std::string_view name_without_parameters(std::string_view readable);

}  // namespace dtrace::runtime
