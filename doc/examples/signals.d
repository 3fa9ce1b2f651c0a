#!/usr/sbin/dtrace -s
/* SPDX-License-Identifier: Apache-2.0 */
/*
 * signals.d - signals being sent: sender, receiver and number.
 *
 *     signals.d                      until Ctrl-C
 *
 * A signal that the kernel sends by itself (a timer, a fault, the death of a child) shows the process that was
 * running at that moment as its sender. args[4] is 0 when the signal was delivered, 1 when it was ignored.
 */
#pragma D option quiet

BEGIN
{
	printf("%-16s %7s    %-16s %7s %6s\n", "FROM", "PID", "TO", "PID", "SIGNAL");
}

sdt:signal::signal_generate
/args[4] == 0/
{
	printf("%-16s %7d -> %-16s %7d %6d\n", execname, pid, stringof(args[2]->comm), args[2]->tgid, args[0]);
}
