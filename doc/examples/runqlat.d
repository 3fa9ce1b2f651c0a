#!/usr/sbin/dtrace -s
/* SPDX-License-Identifier: Apache-2.0 */
/*
 * runqlat.d - how long a thread that was woken waits for a CPU, in nanoseconds, by thread name.
 *
 *     runqlat.d                      until Ctrl-C
 *
 * Times belong to the thread that is woken, not to the one that runs, so they are kept in an associative array by
 * thread number; storing 0 gives an element's memory back.
 */
#pragma D option quiet

sdt:sched::sched_wakeup,
sdt:sched::sched_wakeup_new
{
	woken[args[0]->pid] = timestamp;
}

sdt:sched::sched_switch
/woken[args[2]->pid]/
{
	@waited[stringof(args[2]->comm)] = quantize(timestamp - woken[args[2]->pid]);
	woken[args[2]->pid] = 0;
}
