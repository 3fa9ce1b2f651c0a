// SPDX-License-Identifier: Apache-2.0
// Names of a user program's types and variables, as a clause on probes of one of its files sees them.
#pragma once

#include <sys/types.h>

#include <memory>
#include <string_view>

#include "frontend/lang/user_scope.h"
#include "runtime/debug_info/object_debug_info.h"
#include "runtime/user/user_object.h"

namespace dtrace::runtime {

class ProgramScope final : public UserScope {
 public:
  /// `cache` and `objects` outlive this. `own`: the file that the probes are in. `pid` 0: they are in all processes.
  ProgramScope(DebugInfoCache &cache, UserObjects &objects, pid_t pid, std::shared_ptr<UserObject> own)
      : cache_(cache), objects_(objects), pid_(pid), own_(std::move(own)) {}

  Result<UserTypes *> types(std::string_view module) override;
  Result<std::optional<Variable>> variable(std::string_view module, std::string_view name, TypeTable &types) override;

 private:
  /// variable() of probes in all processes. Errors: the file has it.
  Result<std::optional<Variable>> in_all_processes(std::string_view module, std::string_view name, TypeTable &types);
  /// The object of the process that `module` means; nothing: it has none.
  std::optional<MappedObject> mapped(std::string_view module);

  DebugInfoCache &cache_;
  UserObjects &objects_;
  pid_t pid_;
  std::shared_ptr<UserObject> own_;
};

}  // namespace dtrace::runtime
