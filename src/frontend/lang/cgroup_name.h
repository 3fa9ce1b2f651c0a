// SPDX-License-Identifier: Apache-2.0
// The variables that name the cgroup of the current thread. What is recorded of them is the cgroup's id; the text is
// made when it is shown.
#pragma once

#include "frontend/lang/builtins.h"

namespace dtrace {

/// Is it cgrouppath, container, pod or zonename?
constexpr bool is_cgroup_name(Variable variable) {
  return variable == Variable::k_cgrouppath || variable == Variable::k_container || variable == Variable::k_pod ||
         variable == Variable::k_zonename;
}

}  // namespace dtrace
