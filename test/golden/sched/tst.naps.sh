#!/bin/bash
# ASSERTION: A thread of known behaviour is woken, queued, taken off the queue and run as often as it sleeps; each time it
#   leaves the CPU has a reason; it changes its priority and yields when it says so.
# SECTION: Providers, 9
# @@timeout: 60
cd "$tmpdir" || exit 1
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
	printf("%s wakeups, %s sleeps\n", wakeups >= 15 ? "enough" : lltostr(wakeups), slept >= 15 ? "enough" : lltostr(slept));
	printf("%d dequeued from nowhere, %d run while queued, %d on another CPU\n", from_nowhere, still_queued, wrong_cpu);
	printf("queued %d, left without a reason %d, left for itself %d, running %d\n", enqueued - dequeued,
	    off - slept - preempted, itself, on - off);
	printf("priorities changed %d %d, %s surrenders\n", changes, nicer, surrendered >= 20 ? "enough" : lltostr(surrendered));
}' -c "$triggers/naps 20"
echo "status $?"
