#!/bin/bash
# ASSERTION: The idle thread of a CPU leaves it whenever there is work, and is never preempted.
# SECTION: Providers, 9
# A busy machine is idle seldom: one time is enough. If no CPU is idle for 20 s, there is nothing to see.
# @@tags: release
"$dtrace" -q -n '
sched:::off-cpu /pid == 0/ { left++; }
sched:::preempt /pid == 0/ { preempted++; }
tick-10ms /left > 0 || ++waited == 2000/ { printf("%d\n", preempted); exit(0); }'
