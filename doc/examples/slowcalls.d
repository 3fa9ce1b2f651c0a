#!/usr/sbin/dtrace -s
/* SPDX-License-Identifier: Apache-2.0 */
/*
 * slowcalls.d - system calls that take longer than a given number of milliseconds.
 *
 *     slowcalls.d 100                until Ctrl-C: calls of 100 ms and more
 *
 * Calls that wait for something on purpose (poll, nanosleep, ...) show as well: that they wait is their work.
 */
#pragma D option quiet

BEGIN
{
	printf("%-16s %7s %-20s %12s %8s\n", "PROGRAM", "PID", "CALL", "MICROSECONDS", "RESULT");
}

syscall:::entry
{
	self->start = timestamp;
}

syscall:::return
/self->start && timestamp - self->start >= $1 * 1000000ULL/
{
	printf("%-16s %7d %-20s %12d %8d\n", execname, pid, probefunc, (timestamp - self->start) / 1000, arg0);
}

syscall:::return
{
	self->start = 0;
}
