// SPDX-License-Identifier: Apache-2.0
// .gnu_debugdata: an xz-compressed ELF file that holds nothing but the function symbols a strip took away.
#pragma once

#include <cstddef>
#include <span>
#include <string>

#include "base/result.h"

namespace dtrace::runtime {

/// Unpacks xz data. Errors: not xz, damaged, larger than 64 MiB, or a build without liblzma.
Result<std::string> unpack_xz(std::span<const std::byte> packed);

}  // namespace dtrace::runtime
