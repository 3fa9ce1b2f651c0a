#!/bin/bash
# ASSERTION: A thread that yields either leaves its CPU or stays there, and says which.
# SECTION: Providers, 9
"$dtrace" -q -n '
syscall::sched_yield:entry /pid == $target/ { yields++; self->yields = 1; }
sched:::remain-cpu /self->yields/ { decided++; stayed++; self->yields = 0; }
sched:::preempt /self->yields/ { decided++; self->yields = 0; }
syscall::sched_yield:return /self->yields/ { undecided++; self->yields = 0; }
END { printf("%d yields, %d decided, %d not, %s\n", yields, decided, undecided, stayed ? "some stayed" : "none stayed"); }' \
	-c "taskset -c 0 $triggers/naps 50"
