/* SPDX-License-Identifier: Apache-2.0 */
/*
 * execsnoop.d: show programs as they are started, with their arguments.
 *
 * One line for each execve(2) and execveat(2) that succeeds and, with -x, for those that fail. A failed call has the
 * path in place of the arguments: there is no new program that could have any.
 *
 * filters: -p -n -c -g
 * option: -x | with_failed | show also calls that failed
 * column: PID | the process
 * column: PPID | its parent
 * column: UID | its user
 * column: COMM | its name: that of the new program, or the caller's if the call failed
 * column: ERROR | why the call failed, or 0
 * column: ARGS | the command line
 * example: execsnoop.d -g system.slice/cron.service | programs that cron and its jobs start
 * example: execsnoop.d -x -c 'make -j8' | what a build runs, and what it does not find
 */
BEGIN
/heading/
{
	printf("%-7s %-7s %-6s %-15s %-12s %s\n", "PID", "PPID", "UID", "COMM", "ERROR", "ARGS");
}

proc:::exec-success
/selected/
{
	printf("%-7d %-7d %-6d %-15s %-12s %s\n", pid, ppid, uid, execname, "0", curpsinfo->pr_psargs);
}

proc:::exec
/with_failed && selected/
{
	self->path = args[0];
}

proc:::exec-failure
/with_failed && selected/
{
	printf("%-7d %-7d %-6d %-15s %-12s %s\n", pid, ppid, uid, execname, errno_name[args[0]], self->path);
}
