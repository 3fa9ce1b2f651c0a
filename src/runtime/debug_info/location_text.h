// SPDX-License-Identifier: Apache-2.0
// Where a value is, for people: "rdi", "at rsp+8", "5".
#pragma once

#include <span>
#include <string>

#include "plan/user_operand.h"

namespace dtrace::runtime {

/// Describes the operands of one argument. `is_pointed`: the operand is the value's address. Empty: it cannot be had.
std::string location_text(std::span<const UserOperand> operands, bool is_pointed);

}  // namespace dtrace::runtime
