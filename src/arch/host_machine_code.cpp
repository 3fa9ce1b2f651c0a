// SPDX-License-Identifier: Apache-2.0
// DTRACE_MACHINE_CODE names the table of the folder that the build chose.
#include "arch/machine_code.h"

namespace dtrace::arch {

extern const MachineCode DTRACE_MACHINE_CODE;

const MachineCode &host_machine_code() { return DTRACE_MACHINE_CODE; }

}  // namespace dtrace::arch
