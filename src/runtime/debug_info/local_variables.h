// SPDX-License-Identifier: Apache-2.0
// Which variable a name means at an instruction: parameters and variables of the blocks, inlined functions and function
// that the instruction is in, the innermost first.
#pragma once

#include <elfutils/libdw.h>

#include <string_view>
#include <vector>

#include "base/result.h"
#include "runtime/debug_info/object_debug_info.h"

namespace dtrace::runtime {

struct LocalVariable {
  std::string_view name;      ///< as the debug information has it
  Dwarf_Die die;              ///< of this copy of the function, else of its declaration
  bool is_kept = true;        ///< this copy has it; false: the compiler removed it
  bool is_inlined = false;    ///< of a function that is inlined
  bool is_parameter = false;  ///< of the function itself, not of one that is inlined in it
};

/// Errors: D_LOCALS_NAME: no such variable is in scope; where it is, or what is.
Result<LocalVariable> find_local(ObjectDebugInfo &info, const CodePoint &point, std::string_view name);

/// All variables that find_local() finds by their names, the innermost first, at most limits::kMaxLocals.
std::vector<LocalVariable> all_locals(ObjectDebugInfo &info, const CodePoint &point);

}  // namespace dtrace::runtime
