// SPDX-License-Identifier: Apache-2.0
// Files that a parallel make reads while we write them: whole or not at all.
#pragma once

#include <string>
#include <string_view>

#include "base/result.h"

namespace dtrace::usdt {

/// Puts `content` where `path` says. A regular file is written beside it and renamed over it; anything else (a device,
/// a pipe) is written to. Errors: the system's, and then `path` is what it was.
Result<Unit> replace_file(const std::string &path, std::string_view content);

}  // namespace dtrace::usdt
