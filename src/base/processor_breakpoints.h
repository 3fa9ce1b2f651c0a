// SPDX-License-Identifier: Apache-2.0
// Whether this machine's processors stop at their breakpoints (debug registers).
//
// What a reader would get wrong: some hypervisors do not pass debug registers on. The kernel of such a virtual machine
// sets a breakpoint without an error, but the breakpoint never fires.
#pragma once

namespace dtrace {

/// Tried at the first call: a breakpoint on a variable of ours, which is then written to (20 us). True also where the
/// kernel does not let us try.
bool processor_breakpoints_fire();

}  // namespace dtrace
