// SPDX-License-Identifier: Apache-2.0
// An operand as programs read it that were made before its site was known: see struct dt_operand.
#pragma once

#include "bpf/dt_abi.h"
#include "plan/hook.h"

namespace dtrace {

dt_operand row_of(const UserOperand &operand);

}  // namespace dtrace
