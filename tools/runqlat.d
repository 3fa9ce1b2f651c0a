/* SPDX-License-Identifier: Apache-2.0 */
/*
 * runqlat.d: show how long threads wait for a CPU when they could run, as distributions of microseconds.
 *
 * A thread begins to wait when it is woken, and when it has to leave its CPU to another thread though it could go on.
 * With a filter, a thread counts after it has left a CPU for the first time.
 *
 * filters: -p -n -c -g -i
 * option: -P | by_thread | show a distribution for each thread name
 * option: -s | summary | show percentiles in place of distributions
 * column: COMM | the name of the thread (with -P)
 * column: COUNT | how often a thread got a CPU after it had waited
 * column: P50(us), P90(us), P99(us) | so many of 100 waited no longer, in microseconds: upper bounds of powers of two
 * column: MAX(us) | the longest wait, in microseconds
 * example: runqlat.d -s -i 1 | is there a CPU for all who could run?
 * example: runqlat.d -P -s -t 10 | who waits?
 */

/* All times are kept by the kernel's number of the thread: at a switch the one that comes is not yet the one that runs. */
uint64_t waits[int];	/* since when, in nanoseconds */
int known[int];		/* has it passed the filter? */

sdt:sched::sched_wakeup
/known[args[0]->pid]/
{
	waits[args[0]->pid] = timestamp;
}

sdt:sched::sched_wakeup_new
/selected/
{
	known[args[0]->pid] = 1;
	waits[args[0]->pid] = timestamp;
}

/* The thread that leaves. */
sdt:sched::sched_switch
/selected && args[1]->pid/
{
	known[args[1]->pid] = 1;
	waits[args[1]->pid] = args[3] == 0 ? timestamp : 0;
}

/* The thread that comes. */
sdt:sched::sched_switch
/waits[args[2]->pid]/
{
	this->us = (timestamp - waits[args[2]->pid]) / 1000;
	this->comm = by_thread ? stringof(args[2]->comm) : "all threads";
	@count[this->comm] = count();
	@waited[this->comm] = quantize(this->us);
	@longest[this->comm] = max(this->us);
	waits[args[2]->pid] = 0;
}

sdt:sched::sched_process_exit
{
	known[args[0]->pid] = 0;
	waits[args[0]->pid] = 0;
}

tick-1s, END
/summary && due/
{
	heading ? printf("%-15s %9s %9s %9s %9s %9s\n", "COMM", "COUNT", "P50(us)", "P90(us)", "P99(us)", "MAX(us)") : 0;
	printa("%-15s %@9d %@9.5q %@9.9q %@9.99q %@9d\n", @count, @waited, @waited, @waited, @longest);
}

tick-1s, END
/!summary && due/
{
	printa("%s, microseconds %@d\n", @waited);
}

tick-1s, END
/due/
{
	trunc(@count);
	trunc(@waited);
	trunc(@longest);
}
