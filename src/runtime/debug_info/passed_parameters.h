// SPDX-License-Identifier: Apache-2.0
// Where the calling convention of C and C++ has a function's parameters when it begins, from their types alone.
//
// What a reader would get wrong: debug information states locations, but without optimisation those hold only once the
// function has stored its parameters, and with optimisation some are left out. What is here holds in these cases.
#pragma once

#include <elfutils/libdw.h>

#include <span>
#include <vector>

#include "arch/machine.h"
#include "runtime/debug_info/dwarf_functions.h"
#include "runtime/debug_info/value_location.h"

namespace dtrace::runtime {

struct PassedParameter {
  arch::PassedType type;  ///< of an object that is passed by the address of a copy: a pointer
  arch::PassedValue value;
  bool is_by_reference = false;  ///< it is an object that is passed so
};

/// The parameters of `function`. GCC describes with each copy of a constructor parameters that only some copies have;
/// those that this copy lacks are kUnknown and take no register.
std::vector<PassedParameter> passed_parameters(const arch::Machine &machine, Dwarf_Die function,
                                               std::span<DwarfParameter> parameters, DwarfBudget &budget);

/// What the function returns.
arch::PassedValue passed_result(const arch::Machine &machine, Dwarf_Die function, DwarfBudget &budget);

/// The location of a parameter, as debug information would state it.
ValueLocation convention_location(const arch::Machine &machine, const PassedParameter &parameter);

}  // namespace dtrace::runtime
