// SPDX-License-Identifier: Apache-2.0
// Whole files, also those of /proc, whose st_size is 0 and which are read in pieces.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

#include "base/result.h"

namespace dtrace {

/// All of `path`. Errors: "PATH: cause", with errno; "PATH: too large", of a file with more than `max_bytes`.
Result<std::string> read_file(const std::string &path, size_t max_bytes = SIZE_MAX);

/// All that is left of an open file or pipe. Errors: as above, `what` in place of the path.
Result<std::string> read_to_end(int fd, std::string_view what, size_t max_bytes = SIZE_MAX);

}  // namespace dtrace
