/* SPDX-License-Identifier: Apache-2.0 */
/*
 * runqslower.d: show threads that wait long for a CPU when they could run, each time that they do.
 *
 * A thread begins to wait when it is woken, and when it has to leave its CPU to another thread though it could go on. It is shown
 * when it gets a CPU. With a filter, a thread counts after it has left a CPU for the first time.
 *
 * filters: -p -n -c -g
 * option: -m US=10000 | min_us | show waits of at least so many microseconds
 * column: PID, TID, COMM | the thread that has waited
 * column: CPU | where it runs now
 * column: LAT(us) | how long it has waited, in microseconds
 * column: PREVTID, PREVCOMM | the thread that ran there until now; 0 if the CPU was idle
 * example: runqslower.d | threads that wait 10 ms or more
 * example: runqslower.d -m 1000 -n mariadbd | when a database waits for a CPU, and which thread has it
 */

/* All times are kept by the kernel's number of the thread: at a switch the one that comes is not yet the one that runs. */
uint64_t waits[int];	/* since when, in nanoseconds */
int known[int];		/* has it passed the filter? */

BEGIN
/heading/
{
	printf("%-7s %-7s %-15s %3s %12s %-7s %s\n", "PID", "TID", "COMM", "CPU", "LAT(us)", "PREVTID", "PREVCOMM");
}

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

/* The thread that leaves. If it is preempted, it waits in whatever state it is. */
sdt:sched::sched_switch
/selected && args[1]->pid/
{
	known[args[1]->pid] = 1;
	waits[args[1]->pid] = args[0] || args[3] == 0 ? timestamp : 0;
}

/* The thread that comes. */
sdt:sched::sched_switch
/waits[args[2]->pid] && (timestamp - waits[args[2]->pid]) / 1000 >= min_us/
{
	printf("%-7d %-7d %-15s %3d %12d %-7d %s\n", args[2]->tgid, args[2]->pid, stringof(args[2]->comm), cpu,
	    (timestamp - waits[args[2]->pid]) / 1000, args[1]->pid, stringof(args[1]->comm));
}

sdt:sched::sched_switch
/waits[args[2]->pid]/
{
	waits[args[2]->pid] = 0;
}

sdt:sched::sched_process_exit
{
	known[args[0]->pid] = 0;
	waits[args[0]->pid] = 0;
}
