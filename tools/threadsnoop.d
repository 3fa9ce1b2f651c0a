/* SPDX-License-Identifier: Apache-2.0 */
/*
 * threadsnoop.d: show the threads that programs make, and with -P the processes, too.
 *
 * filters: -p -n -c -g
 * option: -P | processes | show also new processes
 * column: PID, COMM | the process that makes it
 * column: TID | the thread that makes it
 * column: NEW | the number of the new thread or process
 * column: KIND | thread or process
 * example: threadsnoop.d -n java | the threads of Java programs
 * example: threadsnoop.d -P -c 'make -j4' | what a command makes
 */
BEGIN
/heading/
{
	printf("%-7s %-15s %-7s %-7s %s\n", "PID", "COMM", "TID", "NEW", "KIND");
}

proc:::lwp-create
/selected && args[1]->pr_pid == pid/
{
	printf("%-7d %-15s %-7d %-7d thread\n", pid, execname, tid, args[0]->pr_lwpid);
}

proc:::create
/processes && selected/
{
	printf("%-7d %-15s %-7d %-7d process\n", pid, execname, tid, args[0]->pr_pid);
}
