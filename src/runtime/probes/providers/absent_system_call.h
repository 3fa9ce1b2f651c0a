// SPDX-License-Identifier: Apache-2.0
// System calls that a machine does not have because a later one does the same and more: arm64 began without them.
#pragma once

#include <span>
#include <string_view>

#include "arch/machine.h"
#include "frontend/lang/probe.h"

namespace dtrace::runtime {

/// `calls`: those that the machine has. `name`: one that is not among them. Empty unless another call replaces it
/// there.
Absence absent_system_call(std::span<const arch::SystemCall> calls, std::string_view name);

}  // namespace dtrace::runtime
