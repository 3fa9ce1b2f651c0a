// SPDX-License-Identifier: Apache-2.0
// What the debug information of a user program tells about names, as the checker asks for it: the files of the process
// that a clause's probes are in. Which file says what is behind this interface; nothing is read before it is asked.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "frontend/types/types.h"
#include "frontend/types/user_types.h"

namespace dtrace {

/// One file of one process, from which the process's other files can be named.
class UserScope {
 public:
  virtual ~UserScope() = default;

  struct Variable {
    TypeId type;
    uint64_t address = 0;  ///< in the process
    /// If the variable is thread-local: the way from the thread pointer, instead of the address. Each number is added,
    /// and from all but the last sum an address is loaded.
    std::vector<int64_t> thread_steps = {};
  };

  /// Types of the file called `module` (as in probe descriptions), or with an empty name of the file itself. Null: the
  /// process has no such file. Errors: its debug information cannot be had, and why.
  virtual Result<UserTypes *> types(std::string_view module) = 0;
  /// A global variable, or one of a source file. Nothing: there is no such file, or the file has none of that name.
  /// Errors: as of types(); a variable that has no fixed address.
  virtual Result<std::optional<Variable>> variable(std::string_view module, std::string_view name,
                                                   TypeTable &types) = 0;
};

}  // namespace dtrace
