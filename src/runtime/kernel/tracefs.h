// SPDX-License-Identifier: Apache-2.0
// Where tracefs answers, whether or not somebody has mounted it.
#pragma once

#include <string>

namespace dtrace::runtime {

/// A directory of tracefs: where it is mounted; else where a mount of our own is reached, read-only, that is not
/// in the tree of files and is gone with the process. Empty: the kernel has no tracefs, or does not let us have it.
/// Found once; valid in this process only.
const std::string &tracefs_path();

}  // namespace dtrace::runtime
