#!/bin/bash
# ASSERTION: A thread that yields either leaves its CPU or stays there, and says which.
# SECTION: Providers, 9
# A busy CPU has another thread to run at each yield. A real-time thread stays: there is none of its priority.
. ../../runner/ranges.sh
set -o pipefail
"$dtrace" -q -n '
syscall::sched_yield:entry /progenyof($target)/ { yields++; self->yields = 1; }
sched:::remain-cpu /self->yields/ { decided++; stayed++; self->yields = 0; }
sched:::preempt /self->yields/ { decided++; self->yields = 0; }
syscall::sched_yield:return /self->yields/ { undecided++; self->yields = 0; }
END { printf("%d yields, %d decided, %d not, stayed %d\n", yields, decided, undecided, stayed); }' \
	-c "sh -c 'taskset -c 0 $triggers/naps 45; taskset -c 0 chrt -f 1 $triggers/naps 15'" | ranges 'stayed 5..'
