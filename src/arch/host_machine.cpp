// SPDX-License-Identifier: Apache-2.0
// DTRACE_MACHINE names the table of the folder that the build chose.
#include "arch/machine.h"

namespace dtrace::arch {

extern const Machine DTRACE_MACHINE;

const Machine &host_machine() { return DTRACE_MACHINE; }

}  // namespace dtrace::arch
