// SPDX-License-Identifier: Apache-2.0
// What the consumer asks of the part that knows cgroups.
#pragma once

#include <cstdint>
#include <string_view>

#include "frontend/lang/builtins.h"

namespace dtrace::runtime {

/// Knows the names of cgroups, also of those that are gone.
class CgroupTexts {
 public:
  virtual ~CgroupTexts() = default;
  /// What variable `name` (cgroup_name.h) is of the cgroup. The text stays where it is, whatever becomes of the cgroup.
  virtual std::string_view text(uint64_t id, Variable name) = 0;
};

}  // namespace dtrace::runtime
