#!/bin/bash
# ASSERTION: The idle thread of a CPU leaves it all the time, and is never preempted.
# SECTION: Providers, 9
# @@tags: release
"$dtrace" -q -n '
sched:::off-cpu /pid == 0/ { left++; }
sched:::preempt /pid == 0/ { preempted++; }
tick-10ms /left > 20/ { printf("%d\n", preempted); exit(0); }'
