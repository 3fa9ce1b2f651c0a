// SPDX-License-Identifier: Apache-2.0
// A fault, which ends a clause early.
#pragma once

#include <cstdint>

#include "bpf/dt_abi.h"

namespace dtrace::evaluator {

/// Thrown where a program in the kernel leaves its clause; caught where the clause was called.
struct Fault {
  dt_fault kind = DT_FAULT_UNKNOWN;
  uint64_t value = 0;  ///< address, or index of BADINDEX
};

}  // namespace dtrace::evaluator
