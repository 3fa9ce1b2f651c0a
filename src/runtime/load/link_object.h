// SPDX-License-Identifier: Apache-2.0
// Puts two objects with BPF programs together, as a linker does, before one is loaded.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "base/result.h"

namespace dtrace::runtime {

/// One ELF file of both. Errors: no memory for it; they do not fit together.
Result<std::vector<char>> link_objects(std::span<const std::byte> one, std::span<const std::byte> other);

}  // namespace dtrace::runtime
