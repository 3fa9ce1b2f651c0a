// SPDX-License-Identifier: Apache-2.0
// Functions of a kernel that checks indirect branches begin with a mark that says they may be one's target. What the
// function tracer lists is the address of its call behind the mark.
#pragma once

#include <cstdint>
#include <span>

namespace dtrace::runtime {

/// Moves each address of the tracer's call to the mark before it, if there is one: by the rule that the kernel has for
/// finding the cookie of a function, and by reading the kernel's code as it does. So it costs no reading of kallsyms,
/// which takes longer than all the rest of listing functions.
///
/// `places`: addresses in the kernel's text; each becomes where its function begins (arch::LandingMark).
/// False, and nothing is moved: this kernel does not let us read its code.
bool move_to_landing_marks(std::span<uint64_t> places);

}  // namespace dtrace::runtime
