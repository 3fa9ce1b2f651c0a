// SPDX-License-Identifier: Apache-2.0
// Debug files by the build ID of the program that they belong to.
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include "base/owned.h"

namespace dtrace::runtime {

inline constexpr std::string_view kDebugFolder = "/usr/lib/debug";

/// The build ID of an open ELF file of any machine; empty: it has none.
std::vector<uint8_t> build_id_of(int fd);

/// FOLDER/.build-id/xx/yyyy.debug below `root` (open_in_root()), if it is of this very build.
Fd open_debug_file_of(const std::vector<uint8_t> &build_id, const Fd &root, std::string_view folder = kDebugFolder);

}  // namespace dtrace::runtime
