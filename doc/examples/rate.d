#!/usr/sbin/dtrace -s
/* SPDX-License-Identifier: Apache-2.0 */
/*
 * rate.d - system calls per second, each second anew, for a given number of seconds.
 *
 *     rate.d 10
 *
 * trunc() leaves the five busiest programs, clear() starts the next second at zero and keeps their names.
 */
#pragma D option quiet

syscall:::entry
{
	@calls[execname] = count();
}

tick-1s
{
	printf("%Y\n", walltimestamp);
	trunc(@calls, 5);
	printa("    %-16s %@10d\n", @calls);
	clear(@calls);
}

tick-1s
/++seconds == $1/
{
	exit(0);
}
