// SPDX-License-Identifier: Apache-2.0
// Where a stripped program's debug information has been put.
#pragma once

#include <string_view>

#include "base/owned.h"
#include "usdt/elf_file.h"

namespace dtrace {

/// In:   a program, and its path. Out: the separate debug file of this very build, open: that which the program's build
/// ID names in /usr/lib/debug, else that which .gnu_debuglink names, beside the program, in .debug there, or in the
/// same folder below /usr/lib/debug. Nothing: there is none.
Fd open_debug_file(const usdt::ElfFile &elf, std::string_view path);

}  // namespace dtrace
