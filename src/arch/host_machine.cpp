// SPDX-License-Identifier: Apache-2.0
// DTRACE_MACHINE and DTRACE_PROCESS_CONTROL name the tables of the folder that the build chose.
#include "arch/machine.h"

namespace dtrace::arch {

extern const Machine DTRACE_MACHINE;
extern const ProcessControl DTRACE_PROCESS_CONTROL;

const Machine &host_machine() { return DTRACE_MACHINE; }
const ProcessControl &host_process_control() { return DTRACE_PROCESS_CONTROL; }

}  // namespace dtrace::arch
