#!/bin/bash
# ASSERTION: regs[] has the registers of the code that fires: those of the program at its functions, those of the kernel or of the
#   program at a clock's tick. Where a probe has none, and for a register that does not exist, the clause ends with a fault.
# SECTION: Variables
. "$(dirname "$0")/../../runner/machine.sh"
"$dtrace" -q -n 'pid$target:a.out:twice:entry { @[regs['$first_register'] == arg0, regs[this->n = '$first_register'] == arg0, regs[R_SP] == uregs[R_SP]] = count(); }
pid$target:a.out:twice:return { @r[regs[R_R0] == arg1] = count(); }
END { printa("%d %d %d %@d\n", @); printa("return %d %@d\n", @r); }' -c "$triggers/calls 10" 2>&1
"$dtrace" -q -n 'profile-997 { @[regs[R_PC] == (arg0 ? arg0 : arg1)] = count(); } tick-300ms { exit(0); } END { printa("%d\n", @); }' 2>&1
"$dtrace" -q -n 'BEGIN { trace(regs[0]); } ERROR { printf("fault %d\n", arg4); exit(0); }' 2>/dev/null
"$dtrace" -q -n 'tick-10ms { trace(regs[300]); } ERROR { printf("fault %d\n", arg4); exit(0); }' 2>/dev/null
exit 0
