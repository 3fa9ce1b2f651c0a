// SPDX-License-Identifier: Apache-2.0
// The name of an entry with those of the namespaces and classes around it.
#pragma once

#include <elfutils/libdw.h>

#include <string>

#include "runtime/foreign/dwarf_entry.h"

namespace dtrace::runtime {

/// "std::__cxx11::basic_string<char, ...>". Unnamed namespaces and functions around the entry are left out.
/// Cost:   a walk along the siblings of the entry and of what it is in.
std::string scoped_name(Dwarf_Die die, DwarfBudget &budget);

}  // namespace dtrace::runtime
