// SPDX-License-Identifier: Apache-2.0
// Structures as a program's debug information (DWARF) describes them.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

#include "runtime/usdt/debug_file.h"
#include "runtime/usdt/struct_layout.h"
#include "usdt/elf_file.h"

namespace dtrace::runtime {

/// Does a unit of the file name another file, of -gsplit-dwarf, for its types?
bool has_split_units(const usdt::ElfFile &elf);

/// In:   an ELF file with DWARF, or without, of the program at `place`; `type`, "request_t" or "struct request"; `pc`,
///       an address in the file.
/// Out:  the layout as the unit around `pc` was compiled with, else as the first unit that defines it. Nothing: the
///       file does not say, or has more debug information than base/foreign_limits.h allows.
std::optional<StructLayout> dwarf_layout(const usdt::ElfFile &elf, std::string_view type, uint64_t pc,
                                         const FilePlace &place = {});

}  // namespace dtrace::runtime
