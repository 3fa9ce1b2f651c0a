#!/bin/bash
# ASSERTION: Who leaves a CPU names who is next, and that is who fires on-cpu there; tick names who runs.
# SECTION: Providers, 9
# @@timeout: 60
"$dtrace" -q -n '
sched:::off-cpu { next[cpu] = args[0]->pr_lwpid; seen[cpu] = 1; }
sched:::on-cpu /seen[cpu]/ { arrived++; wrong += next[cpu] != tid; }
sched:::tick { ticks[cpu]++; wrong_tick += args[0]->pr_lwpid != tid || args[1]->pr_pid != pid; }
sched:::tick /arrived > 500 && ticks[cpu] > 50/ { exit(0); }
END { printf("wrong %d, wrong ticks %d\n", wrong, wrong_tick); }' -c "$triggers/naps 100000"
