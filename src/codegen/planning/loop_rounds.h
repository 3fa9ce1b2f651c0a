// SPDX-License-Identifier: Apache-2.0
// How often a loop goes round, where its text says so. The verifier walks every round that may come, so a loop of four
// rounds is to be bounded by four.
#pragma once

#include <cstdint>
#include <optional>

#include "frontend/tree/tree.h"

namespace dtrace::codegen {

/// Rounds of a loop that counts a variable from one constant to another by steps that are one, as
/// `for (i = 0; i < 10; i += 2)`, unless it ends before; none: it is no such loop, or assigns the variable otherwise.
std::optional<uint64_t> loop_rounds(const tree::Loop &loop);

}  // namespace dtrace::codegen
