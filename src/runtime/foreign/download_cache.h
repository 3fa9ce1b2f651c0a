// SPDX-License-Identifier: Apache-2.0
// The folder in which libdebuginfod keeps what it downloads: a folder for each build ID, with files in it. The library
// removes what was not used for a week, and has no bound of the size.
#pragma once

#include <cstdint>
#include <string>

namespace dtrace::runtime {

/// Removes the files that were not used for longest until the others have at most `most_bytes` together. The one that
/// was used last stays. Nothing is an error: what cannot be removed stays.
void bound_download_cache(const std::string &folder, uint64_t most_bytes);

}  // namespace dtrace::runtime
