#!/usr/sbin/dtrace -s
/* SPDX-License-Identifier: Apache-2.0 */
/*
 * syscount.d - system calls by program and call: who keeps the kernel busy, and with what.
 *
 *     syscount.d                     until Ctrl-C
 *     syscount.d -c 'find /etc'      while a command runs (of all programs, not of it alone)
 *
 * Prints the twenty busiest pairs, the busiest last.
 */
#pragma D option quiet

syscall:::entry
{
	@calls[execname, probefunc] = count();
}

END
{
	trunc(@calls, 20);
	printf("%-16s %-24s %10s\n", "PROGRAM", "CALL", "COUNT");
	printa("%-16s %-24s %@10d\n", @calls);
}
