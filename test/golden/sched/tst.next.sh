#!/bin/bash
# ASSERTION: Who leaves a CPU names who is next, and that is who fires on-cpu there; tick names who runs.
# SECTION: Providers, 9
# @@timeout: 60
# A machine may have threads of which its kernel tells nothing while they run: then neither their on-cpu nor their off-cpu is
# seen, and who follows them was not announced.
. ../../runner/ranges.sh
set -o pipefail
"$dtrace" -q -n '
int ran[int];
sched:::off-cpu { next[cpu] = args[0]->pr_lwpid; seen[cpu] = 1; }
sched:::on-cpu /seen[cpu] && next[cpu] == tid/ { right++; }
sched:::on-cpu /seen[cpu] && next[cpu] != tid/ { wrong++; not_left += ran[cpu] == next[cpu]; }
sched:::on-cpu { ran[cpu] = tid; }
sched:::tick { ticks[cpu]++; wrong_tick += args[0]->pr_lwpid != tid || args[1]->pr_pid != pid; }
sched:::tick /right > 500 && ticks[cpu] > 50/ { exit(0); }
END { printf("of a hundred right %d, %d not left, wrong ticks %d\n", right * 100 / (right + wrong), not_left, wrong_tick); }' \
	-c "$triggers/naps 100000" | ranges 'right 60..'
