// SPDX-License-Identifier: Apache-2.0
// Which C++ objects a caller passes, and a function returns, as an address of a copy.
#pragma once

#include <elfutils/libdw.h>

#include "runtime/foreign/dwarf_entry.h"

namespace dtrace::runtime {

/// Is the type that an entry has (DW_AT_type) a class whose copies need code to run? Compilers may say so; else its
/// copy and move constructors, its destructor, and those of its bases and members do.
bool is_passed_by_reference(Dwarf_Die *die, DwarfBudget &budget);

}  // namespace dtrace::runtime
