#!/bin/bash
# ASSERTION: A thread of known behaviour is woken, queued, taken off the queue and run as often as it sleeps; each time it
#   leaves the CPU has a reason; it changes its priority and yields when it says so.
# SECTION: Providers, 9
# @@timeout: 60
. ../../runner/ranges.sh
set -o pipefail
cd "$tmpdir" || exit 1
# On a busy machine a thread is preempted between set_current_state() and schedule(), and then woken while it is queued. So a few
# of more than 100 enqueues may have no dequeue of their own, or the other way round.
"$dtrace" -q -n '
int ends; /* what its end does is seen in part, as tracing ends with it */
sched:::wakeup /args[1]->pr_pid == $target && !ends/ { wakeups++; }
sched:::enqueue /args[1]->pr_pid == $target && !ends/ { enqueued++; queued = 1; waits_on = args[2]->cpu_id; }
sched:::dequeue /args[1]->pr_pid == $target && !ends/ { dequeued++; from_nowhere += !queued; queued = 0; }
sched:::sleep /pid == $target && !ends/ { slept++; }
sched:::preempt /pid == $target && !ends/ { preempted++; }
sched:::off-cpu /pid == $target && !ends/ { off++; itself += args[0]->pr_lwpid == tid; }
sched:::on-cpu /pid == $target && !ends/ { on++; still_queued += queued; wrong_cpu += cpu != waits_on; }
syscall::exit_group:entry /pid == $target/ { ends = 1; }
sched:::change-pri /args[1]->pr_pid == $target && !ends/ { changes++; nicer += args[2] == 125 && args[0]->pr_lwpid == $target; }
sched:::surrender /args[1]->pr_pid == $target && !ends/ { surrendered++; }
END {
	printf("wakeups %d, sleeps %d\n", wakeups, slept);
	printf("dequeued from nowhere %d, run while queued %d, on another CPU %d\n", from_nowhere, still_queued, wrong_cpu);
	printf("still queued %d, left without a reason %d, left for itself %d, running %d\n", enqueued - dequeued,
	    off - slept - preempted, itself, on - off);
	printf("priorities changed %d %d, surrenders %d\n", changes, nicer, surrendered);
}' -c "$triggers/naps 60" |
	ranges 'wakeups 15..' 'sleeps 15..' 'dequeued from nowhere 0..3' 'run while queued 0..3' 'still queued -3..3' 'surrenders 60..'
echo "status $?"
