// SPDX-License-Identifier: Apache-2.0
// Whole-file reads for /proc, where st_size is 0 and reads may be short.
#pragma once

#include <cstddef>
#include <string>

#include "base/result.h"

namespace dtrace {

/// Reads all of `path`. Errors: open or read failure ("PATH: cause"), and a file longer than `max_bytes`.
Result<std::string> read_proc_file(const std::string &path, size_t max_bytes = 64u << 20);

}  // namespace dtrace
