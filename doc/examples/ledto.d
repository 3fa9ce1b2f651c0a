#!/usr/sbin/dtrace -s
/* SPDX-License-Identifier: Apache-2.0 */
/*
 * ledto.d - what led to it: the last system calls of a process before it got a signal.
 *
 *     ledto.d -c './crashes'
 *     ledto.d -p 1234
 *
 * With the policy `ring` each CPU keeps the last 32 KiB of records only, however long tracing lasts, and prints them at
 * the end, one CPU after the other; the first column is the time in nanoseconds, to put them in order by.
 */
#pragma D option quiet
#pragma D option bufpolicy=ring
#pragma D option bufsize=32k

BEGIN
{
	start = timestamp;
}

syscall:::entry
/pid == $target/
{
	printf("%14d %d/%d %s(0x%x, 0x%x, 0x%x)\n", timestamp - start, pid, tid, probefunc, arg0, arg1, arg2);
}

syscall:::return
/pid == $target/
{
	printf("%14d %d/%d %s = %d, errno %d\n", timestamp - start, pid, tid, probefunc, arg0, errno);
}

sdt:signal::signal_deliver
/pid == $target/
{
	printf("%14d %d/%d signal %d\n", timestamp - start, pid, tid, args[0]);
	exit(0);
}
