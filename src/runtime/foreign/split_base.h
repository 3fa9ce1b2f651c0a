// SPDX-License-Identifier: Apache-2.0
// The base address of a split unit. clang counts ranges and locations of a unit from DW_AT_low_pc, which only the
// skeleton has.
//
// What a reader would get wrong: nothing can be inserted into a unit, because entries refer to each other by offsets.
// So the address replaces the name of the .dwo file, which is not needed any more.
#pragma once

#include <cstdint>
#include <span>

#include "runtime/foreign/dwarf_image.h"

namespace dtrace::runtime {

/// In:  the sections of a unit of DWARF 5, under the names of unsplit ones, with its part of .debug_addr.
/// Out: the entry of the unit with this ID states the base, if it has such a name. gcc's units have none, and need no
///      base. False: the address does not fit, because its number in .debug_addr is too large.
bool state_split_base(std::span<DwarfSection> sections, uint64_t id, uint64_t base);

}  // namespace dtrace::runtime
