// SPDX-License-Identifier: Apache-2.0
// Which C++ objects a caller passes, and a function returns, as an address of a copy.
#pragma once

#include <elfutils/libdw.h>

#include "runtime/foreign/dwarf_entry.h"

namespace dtrace::runtime {

enum class ObjectPassing : uint8_t {
  kByValue,      ///< also everything that is no object of a class
  kByReference,  ///< copies of the class need code to run
  kUnsure,       ///< a constructor's parameter may have a default, which the debug information does not state
};

/// How an object of the type that an entry has (DW_AT_type) is passed. Compilers may state it of the class, or the
/// location of a parameter shows it; else the class's constructors, its destructor, and those of its bases and members
/// do.
ObjectPassing object_passing(Dwarf_Die *die, DwarfBudget &budget);

}  // namespace dtrace::runtime
