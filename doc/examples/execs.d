#!/usr/sbin/dtrace -s
/* SPDX-License-Identifier: Apache-2.0 */
/*
 * execs.d - programs being started, as they are.
 *
 *     execs.d                        until Ctrl-C
 *
 * The tracepoint fires in the process that has just become the new program: execname is the new name, and
 * args[2] is the kernel's struct linux_binprm.
 */
#pragma D option quiet

BEGIN
{
	printf("%-20s %7s %7s %-16s %s\n", "TIME", "PID", "PPID", "PROGRAM", "FILE");
}

sdt:sched::sched_process_exec
{
	printf("%-20Y %7d %7d %-16s %s\n", walltimestamp, pid, ppid, execname, stringof(args[2]->filename));
}
