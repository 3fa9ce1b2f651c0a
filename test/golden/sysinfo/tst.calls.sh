#!/bin/bash
# ASSERTION: A CPU that has another one run a function for it counts one cross call each time.
#   Interrupts make such calls, too.
# SECTION: Providers, 17
# @@timeout: 60
"$dtrace" -q -n '
syscall::getsid:entry /pid == $target/ { run += arg0 == 1; on = arg0 == 1; }
sysinfo:::xcalls /pid == $target && on && ipl == 0/ { grown[run] += arg0; }
END { printf("xcalls %d\n", grown[run]); }' -c "$triggers/counters calls"
