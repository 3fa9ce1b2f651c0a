#!/usr/sbin/dtrace -s
/* SPDX-License-Identifier: Apache-2.0 */
/*
 * switches.d - context switches: which threads leave a CPU, and whether they wanted to.
 *
 *     switches.d                     until Ctrl-C
 *
 * The kernel types the arguments: args[0] says that the thread was preempted, args[1] is the thread that leaves,
 * args[2] the one that comes. `dtrace -lvn sched_switch` shows them.
 */
#pragma D option quiet

sdt:sched::sched_switch
/args[1]->pid != 0/
{
	@switches[stringof(args[1]->comm), args[0] ? "preempted" : "gave up"] = count();
}

END
{
	printf("%-16s %-10s %10s\n", "THREAD", "HOW", "COUNT");
	printa("%-16s %-10s %@10d\n", @switches);
}
