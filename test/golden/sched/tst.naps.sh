#!/bin/bash
# ASSERTION: A thread of known behaviour is woken, queued, taken off the queue and run as often as it sleeps; each time it
#   leaves the CPU has a reason; it changes its priority and yields when it says so.
# SECTION: Providers, 9
# @@timeout: 60
cd "$tmpdir" || exit 1
"$dtrace" -q -n '
sched:::wakeup /args[1]->pr_pid == $target/ { wakeups++; }
sched:::enqueue /args[1]->pr_pid == $target/ { enqueued++; queued = 1; waits_on = args[2]->cpu_id; }
sched:::dequeue /args[1]->pr_pid == $target/ { dequeued++; from_nowhere += !queued; queued = 0; }
sched:::sleep /pid == $target/ { slept++; }
sched:::preempt /pid == $target/ { preempted++; }
sched:::off-cpu /pid == $target/ { off++; itself += args[0]->pr_lwpid == tid; }
sched:::on-cpu /pid == $target/ { on++; still_queued += queued; wrong_cpu += cpu != waits_on; }
sched:::change-pri /args[1]->pr_pid == $target/ { changes++; nicer += args[2] == 125 && args[0]->pr_lwpid == $target; }
sched:::surrender /args[1]->pr_pid == $target/ { surrendered++; }
END {
	printf("%s wakeups, %s sleeps\n", wakeups >= 20 ? "enough" : lltostr(wakeups), slept >= 20 ? "enough" : lltostr(slept));
	printf("%d dequeued from nowhere, %d run while queued, %d on another CPU\n", from_nowhere, still_queued, wrong_cpu);
	/* The end of tracing may come shortly before that of the thread. */
	printf("left for good, still queued or still running: %d, left for itself: %d\n",
	    (off - slept - preempted) + (enqueued - dequeued) + (on - off), itself);
	printf("priorities changed %d %d, %s surrenders\n", changes, nicer, surrendered >= 20 ? "enough" : lltostr(surrendered));
}' -c "$triggers/naps 20"
echo "status $?"
