// SPDX-License-Identifier: Apache-2.0
// Whether this machine's processors stop at their breakpoints (debug registers).
//
// What a reader would get wrong: the kernel sets a breakpoint without an error also in virtual machines whose
// hypervisor does not pass debug registers on. It then never fires, and who waits for it waits for ever.
#pragma once

namespace dtrace {

/// Tried at the first call: a breakpoint on a variable of ours, which is then written to (20 us). True also where the
/// kernel does not let us try.
bool processor_breakpoints_fire();

}  // namespace dtrace
