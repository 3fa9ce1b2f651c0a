// SPDX-License-Identifier: Apache-2.0
// What calling conventions ask of a type of C or C++, from its debug information.
//
// What a reader would get wrong: D's types (frontend/types) do not do. They have no complex numbers, no vectors and no
// alignment that a source asks for, and each of these decides where a parameter and all behind it are passed.
#pragma once

#include <elfutils/libdw.h>

#include "arch/calling_convention.h"
#include "runtime/foreign/dwarf_entry.h"

namespace dtrace::runtime {

/// The type that an entry has (DW_AT_type); of none, void: a type without size. What debug information does not say is
/// the type's `doubt`.
arch::PassedType passed_type(Dwarf_Die *entry, const arch::CallingConvention &calls, DwarfBudget &budget);

}  // namespace dtrace::runtime
