// SPDX-License-Identifier: Apache-2.0
// How long a mangled C++ name is when it is demangled. A mangled name may refer to its own parts, so each of them may
// double what was before: of 200 bytes become as many as there are atoms. Demanglers write them all.
#pragma once

#include <cstdint>
#include <string_view>

namespace dtrace::runtime {

/// No less than the bytes of the demangled name, UINT64_MAX if that overflows; 0 if `name` is none.
uint64_t demangled_size(std::string_view name);

}  // namespace dtrace::runtime
