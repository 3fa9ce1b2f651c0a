#!/bin/bash
# ASSERTION: A thread of known behaviour is woken, queued, taken off the queue and run as often as it sleeps; each time it
#   leaves the CPU has a reason; it changes its priority and yields when it says so.
# SECTION: Providers, 9
# @@timeout: 60
cd "$tmpdir" || exit 1
"$dtrace" -q -n '
sched:::wakeup /args[1]->pr_pid == $target/ { wakeups++; }
sched:::enqueue /args[1]->pr_pid == $target/ { enqueued++; queued = 1; wrong_cpu += args[2]->cpu_id != args[0]->pr_onpro; }
sched:::dequeue /args[1]->pr_pid == $target/ { dequeued++; from_nowhere += !queued; queued = 0; }
sched:::sleep /pid == $target/ { slept++; }
sched:::preempt /pid == $target/ { preempted++; }
sched:::off-cpu /pid == $target/ { off++; itself += args[0]->pr_lwpid == tid; }
sched:::on-cpu /pid == $target/ { on++; still_queued += queued; }
sched:::change-pri /args[1]->pr_pid == $target/ { changes++; nicer += args[2] == 125 && args[0]->pr_lwpid == $target; }
sched:::surrender /args[1]->pr_pid == $target/ { surrendered++; }
END {
	printf("%s wakeups, %s sleeps\n", wakeups >= 20 ? "enough" : lltostr(wakeups), slept >= 20 ? "enough" : lltostr(slept));
	printf("enqueued %d more than dequeued, %d from nowhere, %d while queued, %d of another CPU\n", enqueued - dequeued,
	    from_nowhere, still_queued, wrong_cpu);
	printf("left the CPU once without a reason: %d, for itself: %d\n", off - slept - preempted, itself);
	printf("got it as often as it was left: %d\n", on == off);
	printf("priorities changed %d %d, %s surrenders\n", changes, nicer, surrendered >= 20 ? "enough" : lltostr(surrendered));
}' -c "$triggers/naps 20"
echo "status $?"
